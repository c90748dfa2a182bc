/** The groups of the settings, in the order in which they are shown, and the search in them. */
import type { SettingView } from "../../api/bindings";
import { words } from "../../words";

export type SettingGroup = keyof typeof words.settings.groups;

const keysOf: Record<Exclude<SettingGroup, "other">, readonly string[]> = {
  general: ["theme", "plan_folder", "plan_folders", "template_folders", "context_notes"],
  runs: ["policy", "command_timeout_s", "server_wait_s", "executors"],
  permissions: ["permissions", "sandbox", "toolchains", "private_files"],
  checks: [
    "verify_commands",
    "runTestsAfterChanges",
    "verifyFileChanges",
    "verifySearchResults",
    "maxVerificationAttempts",
  ],
  adequacy: ["plan_adequacy_shadow", "plan_adequacy_enforce", "max_gap_risk"],
  expansion: [
    "loop_mode",
    "auto_expand_thin_plan",
    "gap_risk_threshold",
    "max_refine_rounds",
    "refine_budget_tokens",
    "plan_depth",
    "max_tasks",
  ],
  growth: [
    "planningStrategy",
    "contextStrategy",
    "lookAheadTasks",
    "maxAddedSteps",
    "maxModelCalls",
    "maxRunTokens",
    "maxRunSeconds",
  ],
  routes: [
    "defaultPlannerPlugin",
    "plannerFallbackOrder",
    "defaultSeedDetectorPlan",
    "defaultKBPlan",
    "defaultGoalSolverPlan",
  ],
};

export interface GroupedSettings {
  group: SettingGroup;
  settings: SettingView[];
}

/** Every setting, once; a key that is in no group is under “Other”. Empty groups are left out. */
export function groupSettings(settings: readonly SettingView[]): GroupedSettings[] {
  const known = Object.entries(keysOf) as [SettingGroup, readonly string[]][];
  const grouped = known.map(([group, keys]) => ({
    group,
    settings: keys.flatMap((key) => settings.filter((setting) => setting.key === key)),
  }));
  const all = known.flatMap(([, keys]) => keys);
  const other = settings.filter(({ key }) => !all.includes(key));
  return [...grouped, { group: "other" as const, settings: other }].filter(
    (one) => one.settings.length > 0,
  );
}

/** `plan_adequacy_enforce` and `planFolder` as “Plan adequacy enforce” and “Plan folder”. */
export function settingLabel(key: string): string {
  const spaced = key.replace(/[._]/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2");
  return spaced.charAt(0).toUpperCase() + spaced.slice(1).toLowerCase();
}

/** Whether each word of the query is in the setting's name, key, description, choices or group. */
export function matches(setting: SettingView, group: SettingGroup, query: string): boolean {
  const text = [
    settingLabel(setting.key),
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
