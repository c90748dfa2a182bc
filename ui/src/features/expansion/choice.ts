/** The selected changes of an expansion. Selecting a change also selects what it needs; deselecting one also deselects what needs it. */
import type { ExpansionChange } from "../../api/bindings";

/** `id` and everything that it needs, transitively. */
export function withNeeds(id: string, changes: ExpansionChange[]): string[] {
  const byId = new Map(changes.map((change) => [change.id, change]));
  const found = new Set<string>();
  const due = [id];
  for (let next = due.pop(); next !== undefined; next = due.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    due.push(...(byId.get(next)?.needs ?? []));
  }
  return [...found];
}

/** The selection after `id` is selected or deselected, in the order of the changes. */
export function choose(
  chosen: string[],
  id: string,
  isSelected: boolean,
  changes: ExpansionChange[],
): string[] {
  const next = new Set(chosen);
  if (isSelected) for (const one of withNeeds(id, changes)) next.add(one);
  else {
    for (const { id: other } of changes) {
      if (withNeeds(other, changes).includes(id)) next.delete(other);
    }
  }
  return changes.map((change) => change.id).filter((one) => next.has(one));
}
