/** Browser features that the page needs and happy-dom lacks. Each test starts with an empty page. */
import { clearMocks } from "@tauri-apps/api/mocks";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { flushPlace } from "../src/app/place";

// This is only an upper limit: waiting ends as soon as the condition is met.
configure({ asyncUtilTimeout: 8_000 });

if (!("fonts" in document)) {
  Object.defineProperty(document, "fonts", { value: new EventTarget() });
}

afterEach(async () => {
  cleanup();
  // Saves the place now, because the window may be gone after the usual delay.
  flushPlace();
  // Components may finish their cleanup in the next task.
  await new Promise((done) => setTimeout(done));
  clearMocks();
  document.body.innerHTML = "";
});
