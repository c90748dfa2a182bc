/** Filter and grouping of a plan's findings, remembered in the window's storage. Muted findings are listed separately, whatever the filter. */
import { useMemo } from "react";
import type { WindowFinding } from "../../api/bindings";
import { createStore, useStore } from "../../lib/store";
import { words } from "../../words";

export const groupings = [
  { id: "severity", title: words.findings.groupings.severity },
  { id: "task", title: words.findings.groupings.task },
  { id: "code", title: words.findings.groupings.code },
] as const;

export type Grouping = (typeof groupings)[number]["id"];

/** The severities, most severe first. */
export const severities = ["critical", "major", "minor", "info"] as const;

/** A filter on findings; empty fields hide nothing. */
export interface FindingFilter {
  severities: string[];
  /** A step's id, or `plan` for findings about the whole plan. */
  task: string | null;
  words: string;
}

interface Kept {
  group: Grouping;
  isExplained: boolean;
  filters: Record<string, FindingFilter>;
}

const everything: FindingFilter = { severities: [], task: null, words: "" };
/** Maximum number of plans whose filters are remembered. */
const maxPlans = 50;
const storageKey = "planwright.findings";

const kept = createStore<Kept>(stored());

function stored(): Kept {
  const fresh: Kept = { group: "severity", isExplained: false, filters: {} };
  try {
    const found: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "{}");
    if (typeof found !== "object" || found === null) return fresh;
    const { group, isExplained, filters } = found as Partial<Kept>;
    const known = groupings.find(({ id }) => id === group)?.id;
    const read = Object.entries(filters ?? {}).map(([plan, filter]) => [
      plan,
      {
        severities: Array.isArray(filter.severities) ? filter.severities.map(String) : [],
        task: typeof filter.task === "string" ? filter.task : null,
        words: typeof filter.words === "string" ? filter.words : "",
      },
    ]);
    return {
      group: known ?? fresh.group,
      isExplained: isExplained === true,
      filters: Object.fromEntries(read),
    };
  } catch {
    return fresh;
  }
}

function keep(change: Partial<Kept>): void {
  const next = { ...kept.get(), ...change };
  const filters = Object.entries(next.filters)
    .filter(([, filter]) => isFiltering(filter))
    .slice(-maxPlans);
  kept.set(next);
  localStorage.setItem(
    storageKey,
    JSON.stringify({ ...next, filters: Object.fromEntries(filters) }),
  );
}

export function isFiltering({ severities: only, task, words: text }: FindingFilter): boolean {
  return only.length > 0 || task !== null || text.trim() !== "";
}

export function setGrouping(group: Grouping): void {
  keep({ group });
}

export function setExplained(isExplained: boolean): void {
  keep({ isExplained });
}

export function setFilter(plan: string, change: Partial<FindingFilter>): void {
  const { [plan]: before, ...others } = kept.get().filters;
  keep({ filters: { ...others, [plan]: { ...(before ?? everything), ...change } } });
}

export interface FindingView {
  group: Grouping;
  isExplained: boolean;
  filter: FindingFilter;
}

export function useFindingView(plan: string): FindingView {
  const { group, isExplained, filters } = useStore(kept);
  const filter = filters[plan] ?? everything;
  return useMemo(() => ({ group, isExplained, filter }), [group, isExplained, filter]);
}

/** `missing_plan_verification` as "Missing plan verification". */
export function codeWords(code: string): string {
  const text = code.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const severityWord = (severity: string) => words.findings.severities[severity] ?? severity;

export interface FindingGroup {
  id: string;
  title: string;
  findings: WindowFinding[];
}

const rankOf = (severity: string) => {
  const at = (severities as readonly string[]).indexOf(severity);
  return at < 0 ? severities.length : at;
};

function matches(
  finding: WindowFinding,
  { severities: only, task, words: text }: FindingFilter,
): boolean {
  if (only.length > 0 && !only.includes(finding.severity)) return false;
  if (task !== null && (finding.task ?? "plan") !== task) return false;
  const searched = [finding.message, finding.question, finding.code, finding.task, ...finding.fixes]
    .join(" ")
    .toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}

/** The findings that match the filter, in groups. Within a group they keep their order: most severe first. */
export function grouped(
  findings: WindowFinding[],
  group: Grouping,
  filter: FindingFilter,
): FindingGroup[] {
  const groups = new Map<string, FindingGroup>();
  for (const finding of findings) {
    if (finding.muted !== null || !matches(finding, filter)) continue;
    const id = group === "task" ? (finding.task ?? "plan") : finding[group];
    const one = groups.get(id) ?? { id, title: titleOf(group, id), findings: [] };
    one.findings.push(finding);
    groups.set(id, one);
  }
  const worst = ({ findings: all }: FindingGroup) =>
    Math.min(...all.map(({ severity }) => rankOf(severity)));
  const first = ({ findings: all }: FindingGroup) => Math.min(...all.map(({ line }) => line));
  return [...groups.values()].sort((one, other) =>
    group === "task"
      ? Number(other.id === "plan") - Number(one.id === "plan") || first(one) - first(other)
      : worst(one) - worst(other) || other.findings.length - one.findings.length,
  );
}

function titleOf(group: Grouping, id: string): string {
  if (group === "severity") return severityWord(id);
  if (group === "code") return codeWords(id);
  return id === "plan" ? words.findings.wholePlan : id;
}
