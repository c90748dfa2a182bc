/** Groups and filters the findings. */
import { IconFilter, IconX } from "@tabler/icons-react";
import type { WindowFinding } from "../../api/bindings";
import { Choice } from "../../components/Choice";
import { IconButton } from "../../components/IconButton";
import { words } from "../../words";
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

const text = words.findings.filter;

interface FindingFilterBarProps {
  plan: string;
  /** All findings that aren't muted. */
  findings: WindowFinding[];
  /** The number of findings that match the filter. */
  shown: number;
  view: FindingView;
}

export function FindingFilterBar({ plan, findings, shown, view }: FindingFilterBarProps) {
  const { filter, group } = view;
  const present = severities.filter((one) => findings.some(({ severity }) => severity === one));
  const steps = [...new Set(findings.map(({ task }) => task ?? "plan"))];
  // The selected step remains an option even if it has no findings.
  if (filter.task !== null && !steps.includes(filter.task)) steps.push(filter.task);
  const toggle = (severity: string) =>
    setFilter(plan, {
      severities: filter.severities.includes(severity)
        ? filter.severities.filter((one) => one !== severity)
        : [...filter.severities, severity],
    });
  return (
    <search className={styles.bar} aria-label={text.label}>
      <Choice
        label={text.groupBy}
        shown={text.by}
        value={group}
        options={groupings.map(({ id, title }) => ({ value: id, title }))}
        onChange={(by) => setGrouping(by as Grouping)}
      />
      <Choice
        label={text.step}
        value={filter.task ?? ""}
        options={[
          { value: "", title: text.allSteps },
          ...steps.map((step) => ({
            value: step,
            title: step === "plan" ? words.findings.wholePlan : step,
          })),
        ]}
        onChange={(step) => setFilter(plan, { task: step || null })}
      />
      <span className={styles.field}>
        <IconFilter size={13} aria-hidden />
        <input
          value={filter.words}
          placeholder={text.placeholder}
          aria-label={text.text}
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
          <legend className="pw-sr">{text.severity}</legend>
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
          <span role="status">{text.shown(shown, findings.length)}</span>
          <IconButton
            label={text.clear}
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
