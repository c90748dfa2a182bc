/** The settings by group, with a search field above them. */
import { IconSearch } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import type { SettingsView } from "../../api/bindings";
import { type Action, useActions } from "../../app/keys";
import filter from "../../components/Filter.module.css";
import { EmptyState } from "../../components/States";
import { words } from "../../words";
import { groupSettings, matches } from "./groups";
import { SettingRow } from "./SettingRow";
import styles from "./SettingsScreen.module.css";

const text = words.settings.search;

const searchId = "settings-search";

/** Whether a setting is listed: all are, except the endpoint, which is set under Models. */
const isListed = (setting: { key: string }) => setting.key !== "endpoint";

const searchActions: Action[] = [
  {
    id: "settings.search",
    title: text.label,
    group: "go",
    keys: "/",
    run: () => document.getElementById(searchId)?.focus(),
  },
];

export function AllSettings({ view }: { view: SettingsView }) {
  const [query, setQuery] = useState("");
  useActions(searchActions);
  const groups = useMemo(() => groupSettings(view.settings.filter(isListed)), [view.settings]);
  const found = groups
    .map(({ group, settings }) => ({
      group,
      settings: settings.filter((setting) => matches(setting, group, query.trim())),
    }))
    .filter(({ settings }) => settings.length > 0);
  const count = found.reduce((sum, { settings }) => sum + settings.length, 0);
  return (
    <section className={styles.section} aria-labelledby="all-settings">
      <div className={styles.searchHead}>
        <h2 id="all-settings" className={styles.heading}>
          {words.settings.sections.all}
        </h2>
        <label className={`${filter.field} ${styles.search}`}>
          <IconSearch size={14} aria-hidden />
          <input
            id={searchId}
            type="search"
            aria-label={text.label}
            placeholder={text.placeholder}
            value={query}
            spellCheck={false}
            onChange={(event) => setQuery(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Escape" || query === "") return;
              event.preventDefault();
              setQuery("");
            }}
          />
        </label>
      </div>
      <p className="pw-sr" role="status">
        {query.trim() && text.found(count)}
      </p>
      {count === 0 && <EmptyState title={text.none} />}
      {found.map(({ group, settings }) => (
        <section key={group} className={styles.group} aria-labelledby={`settings-${group}`}>
          <h3 id={`settings-${group}`} className={styles.groupHeading}>
            {words.settings.groups[group]}
          </h3>
          <ul className="pw-list">
            {settings.map((setting) => (
              <SettingRow
                key={setting.key}
                setting={setting}
                problem={view.problems.find((problem) => problem.key === setting.key)?.message}
              />
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}
