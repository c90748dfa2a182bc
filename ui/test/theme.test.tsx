/** The theme: chosen in the header, in the palette or by key; saved as a user setting. */
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { availableActions, listenForKeys } from "../src/app/keys";
import { nowhere, restorePlace } from "../src/app/place";
import { Header } from "../src/features/header/Header";
import { start, startBackend } from "./backend";

let stop = () => {};
beforeEach(() => {
  stop = listenForKeys();
  restorePlace(nowhere, () => {});
});
afterEach(() => stop());

async function show() {
  let theme = "light";
  const backend = await startBackend({
    start: () => ({ ...start, theme }),
    set_setting: ({ value }) => {
      theme = JSON.parse(String(value));
      void backend.send({ kind: "settings" });
      return null;
    },
  });
  render(<Header />, backend);
  await screen.findByRole("button", { name: "Theme: Light" });
  return { backend, user: userEvent.setup() };
}

test("the header menu saves the setting and shows the current choice", async () => {
  const { backend, user } = await show();
  await user.click(screen.getByRole("button", { name: "Theme: Light" }));
  const chosen = await screen.findByRole("menuitemradio", { name: "Light" });
  expect(chosen.getAttribute("aria-checked")).toBe("true");
  await user.click(screen.getByRole("menuitemradio", { name: "Dark" }));
  await screen.findByRole("button", { name: "Theme: Dark" });
  expect(backend.callsOf("set_setting")).toEqual([{ key: "theme", value: '"dark"' }]);
});

test("each theme is an action with a shortcut", async () => {
  const { backend, user } = await show();
  const titles = availableActions().map((action) => action.title);
  expect(titles).toEqual(expect.arrayContaining(["Theme: System", "Theme: Light", "Theme: Dark"]));
  await user.keyboard("{Control>}l{/Control}a");
  await screen.findByRole("button", { name: "Theme: System" });
  expect(backend.callsOf("set_setting")).toEqual([{ key: "theme", value: '"auto"' }]);
  await waitFor(() => expect(backend.callsOf("start").length).toBeGreaterThan(1));
});
