/** The search across all plans of the workspace. */
import { count } from "./count";

export const search = {
  title: "Search all plans",
  list: "Results",
  hint: "Searches the titles, steps and notes of every plan in this folder.",
  found: (results: number, plans: number) =>
    results === 0 ? "No results" : `${count(results, "result")} in ${count(plans, "plan")}`,
  line: (line: number) => `line ${line}`,
  noResults: "No results",
  noResultsHint: "All words must be on the same line. Try fewer words.",
  failed: "Couldn’t search the plans",
  /** What the keys do; each text follows its key. */
  open: "open",
};
