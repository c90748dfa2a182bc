/** The groups of the settings, in the order in which they are shown, and the search in them. */
import type { SettingGroup, SettingView } from "../../api/bindings";
import { words } from "../../words";

const order = Object.keys(words.settings.groups) as SettingGroup[];

export interface GroupedSettings {
  group: SettingGroup;
  settings: SettingView[];
}

/** Every setting, by group. Empty groups are left out. */
export function groupSettings(settings: readonly SettingView[]): GroupedSettings[] {
  const grouped = order.map((group) => ({
    group,
    settings: settings.filter((setting) => setting.group === group),
  }));
  return grouped.filter((one) => one.settings.length > 0);
}

/** Whether each word of the query is in the setting's name, key, description, choices or group. */
export function matches(setting: SettingView, group: SettingGroup, query: string): boolean {
  const text = [
    setting.label,
    setting.key,
    setting.description,
    ...setting.choices,
    words.settings.groups[group],
  ]
    .join(" ")
    .toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
