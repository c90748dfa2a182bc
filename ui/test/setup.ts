/** What the page expects of a browser and happy-dom lacks; each test starts with an empty page. */
import { clearMocks } from "@tauri-apps/api/mocks";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { flushPlace } from "../src/app/place";

// Waiting ends when what is waited for is there; the limit is for what never comes.
configure({ asyncUtilTimeout: 8_000 });

if (!("fonts" in document)) {
  Object.defineProperty(document, "fonts", { value: new EventTarget() });
}

afterEach(async () => {
  cleanup();
  // The place is saved a little later, when there may be no window any more.
  flushPlace();
  // What a component stops as it goes, it may stop a moment later.
  await new Promise((done) => setTimeout(done));
  clearMocks();
  document.body.innerHTML = "";
});
