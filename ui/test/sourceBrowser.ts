/** Makes happy-dom fire selection changes after the change rather than during it, as the editor expects of a browser. Import for its side effect. */
import { afterEach, beforeEach } from "vitest";

const stop = (event: Event) => event.stopImmediatePropagation();

beforeEach(() => document.addEventListener("selectionchange", stop, true));
afterEach(() => document.removeEventListener("selectionchange", stop, true));
