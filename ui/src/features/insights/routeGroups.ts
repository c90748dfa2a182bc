/** Groups route figures by kind of request and model. Within a group, they are sorted by kind of plugin, then by number of attempts. */
import type { RouteFigures } from "../../api/bindings";

export interface RouteGroup {
  id: string;
  request: string;
  /** Empty if no model was used. */
  model: string;
  rows: RouteFigures[];
}

const kinds = ["solver", "kb", "detector", "planner"];

export function routeGroups(rows: RouteFigures[]): RouteGroup[] {
  const groups = new Map<string, RouteGroup>();
  for (const row of rows) {
    const id = JSON.stringify([row.request, row.model]);
    const group = groups.get(id) ?? { id, request: row.request, model: row.model, rows: [] };
    group.rows.push(row);
    groups.set(id, group);
  }
  for (const group of groups.values()) {
    group.rows.sort(
      (one, other) =>
        kinds.indexOf(one.kind) - kinds.indexOf(other.kind) ||
        other.attempts - one.attempts ||
        one.plugin.localeCompare(other.plugin),
    );
  }
  return [...groups.values()];
}
