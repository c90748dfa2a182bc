/** Pictures of the workspace that a plan's prose names; asked for once, and never from anywhere else. */
import { commands } from "./bindings";
import { ask } from "./client";

const known = new Map<string, Promise<string>>();
/** More are not kept. */
const mostKept = 40;

/** The picture as a `data:` address. Fails when it is not there, too large, or no picture. */
export function loadPicture(plan: string, path: string): Promise<string> {
  const key = `${plan}\n${path}`;
  const before = known.get(key);
  if (before) return before;
  const asked = ask(commands.picture(plan, path)).then((found) => found.data);
  known.set(key, asked);
  asked.catch(() => known.delete(key));
  const oldest = known.keys().next().value;
  if (known.size > mostKept && oldest !== undefined) known.delete(oldest);
  return asked;
}
