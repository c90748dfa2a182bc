/** A word diff of two short texts: the sides of a conflict, no longer than a step. */
import type { WordRun } from "../../api/bindings";

/** Maximum number of comparisons. If more would be needed, larger pieces are compared. */
const maxPairs = 250_000;

/** Compares words and the spaces between them. Compares lines if there are too many words, and whole texts if there are too many lines. */
export function wordsBetween(before: string, after: string): WordRun[] {
  if (before === after) return before ? [{ kind: "same", text: before }] : [];
  for (const pieces of [words, lines]) {
    const one = pieces(before);
    const two = pieces(after);
    if (one.length * two.length <= maxPairs) return joined(aligned(one, two));
  }
  return joined([
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ]);
}

function words(text: string): string[] {
  return text.match(/\s+|[^\s]+/g) ?? [];
}

function lines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** Aligns two lists of pieces by their longest common subsequence. */
function aligned(one: string[], two: string[]): WordRun[] {
  const width = two.length + 1;
  // `common[i * width + j]`: length of the longest common subsequence of the remainders from i and j.
  const common = new Uint32Array((one.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = two.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        one[i] === two[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const runs: WordRun[] = [];
  let i = 0;
  let j = 0;
  while (i < one.length || j < two.length) {
    if (i < one.length && j < two.length && one[i] === two[j]) {
      runs.push({ kind: "same", text: one[i] ?? "" });
      i += 1;
      j += 1;
    } else if (j >= two.length || (i < one.length && at(i + 1, j) >= at(i, j + 1))) {
      runs.push({ kind: "removed", text: one[i] ?? "" });
      i += 1;
    } else {
      runs.push({ kind: "added", text: two[j] ?? "" });
      j += 1;
    }
  }
  return runs;
}

/** Joins neighbors of the same kind. Between two unchanged runs, removed text comes before added text, and a single space between changes becomes part of them. */
function joined(runs: WordRun[]): WordRun[] {
  const out: WordRun[] = [];
  let removed = "";
  let added = "";
  const flush = () => {
    if (removed) out.push({ kind: "removed", text: removed });
    if (added) out.push({ kind: "added", text: added });
    removed = "";
    added = "";
  };
  runs.forEach((run, index) => {
    if (run.kind === "removed") removed += run.text;
    else if (run.kind === "added") added += run.text;
    else {
      const next = runs[index + 1];
      const isBetween = (removed || added) && next && next.kind !== "same";
      if (isBetween && /^[ \t]+$/.test(run.text)) {
        removed += run.text;
        added += run.text;
        return;
      }
      flush();
      const last = out.at(-1);
      if (last?.kind === "same") last.text += run.text;
      else out.push({ ...run });
    }
  });
  flush();
  return out;
}
