/** What the editor expects of a browser and happy-dom does otherwise: a change of the selection is told behind it, not in the middle of it. Import for its effect. */
import { afterEach, beforeEach } from "vitest";

const stop = (event: Event) => event.stopImmediatePropagation();

beforeEach(() => document.addEventListener("selectionchange", stop, true));
afterEach(() => document.removeEventListener("selectionchange", stop, true));
