/** How the findings are grouped and which of them are shown. */
import { IconFilter, IconX } from "@tabler/icons-react";
import type { WindowFinding } from "../../api/bindings";
import { Choice } from "../../components/Choice";
import { IconButton } from "../../components/IconButton";
import styles from "./FilterBar.module.css";
import {
  type FindingView,
  type Grouping,
  groupings,
  isFiltering,
  setFilter,
  setGrouping,
  severities,
  severityWord,
} from "./view";

interface FindingFilterBarProps {
  plan: string;
  /** All that are not muted. */
  findings: WindowFinding[];
  /** How many of them the filter leaves. */
  shown: number;
  view: FindingView;
}

export function FindingFilterBar({ plan, findings, shown, view }: FindingFilterBarProps) {
  const { filter, group } = view;
  const present = severities.filter((one) => findings.some(({ severity }) => severity === one));
  const steps = [...new Set(findings.map(({ task }) => task ?? "plan"))];
  // What was chosen stays choosable though nothing fits it any more.
  if (filter.task !== null && !steps.includes(filter.task)) steps.push(filter.task);
  const toggle = (severity: string) =>
    setFilter(plan, {
      severities: filter.severities.includes(severity)
        ? filter.severities.filter((one) => one !== severity)
        : [...filter.severities, severity],
    });
  return (
    <search className={styles.bar} aria-label="Which findings are shown">
      <Choice
        label="Group findings by"
        shown="By"
        value={group}
        options={groupings.map(({ id, title }) => ({ value: id, title }))}
        onChange={(by) => setGrouping(by as Grouping)}
      />
      <Choice
        label="Only findings of"
        value={filter.task ?? ""}
        options={[
          { value: "", title: "All steps" },
          ...steps.map((step) => ({ value: step, title: step === "plan" ? "The plan" : step })),
        ]}
        onChange={(step) => setFilter(plan, { task: step || null })}
      />
      <span className={styles.field}>
        <IconFilter size={13} aria-hidden />
        <input
          value={filter.words}
          placeholder="Filter"
          aria-label="Filter findings by words"
          dir="auto"
          onChange={(event) => setFilter(plan, { words: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== "Escape" || !filter.words) return;
            event.preventDefault();
            event.stopPropagation();
            setFilter(plan, { words: "" });
          }}
        />
      </span>
      {(present.length > 1 || filter.severities.length > 0) && (
        <fieldset className={styles.kinds}>
          <legend className="pw-sr">Only</legend>
          {severities
            .filter((one) => present.includes(one) || filter.severities.includes(one))
            .map((one) => (
              <button
                key={one}
                type="button"
                className={styles.kind}
                aria-pressed={filter.severities.includes(one)}
                onClick={() => toggle(one)}
              >
                {severityWord(one)}
              </button>
            ))}
        </fieldset>
      )}
      {isFiltering(filter) && (
        <span className={styles.count}>
          <span role="status">
            {shown} of {findings.length} shown
          </span>
          <IconButton
            label="Show all findings"
            size={22}
            onClick={() => setFilter(plan, { severities: [], task: null, words: "" })}
          >
            <IconX size={13} />
          </IconButton>
        </span>
      )}
    </search>
  );
}
