/** Pictures in a plan's text, loaded only from the workspace and only once each. */
import { commands } from "./bindings";
import { ask } from "./client";

const known = new Map<string, Promise<string>>();
/** Maximum number of pictures kept. */
const maxKept = 40;

/** The picture as a `data:` URL. Fails if the file is missing, too large or not a picture. */
export function loadPicture(plan: string, path: string): Promise<string> {
  const key = `${plan}\n${path}`;
  const before = known.get(key);
  if (before) return before;
  const asked = ask(commands.picture(plan, path)).then((found) => found.data);
  known.set(key, asked);
  asked.catch(() => known.delete(key));
  const oldest = known.keys().next().value;
  if (known.size > maxKept && oldest !== undefined) known.delete(oldest);
  return asked;
}
