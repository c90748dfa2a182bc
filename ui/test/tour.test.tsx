/** The tour: four cards, shown once without taking focus, and again from the palette. */
import { act, cleanup, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listenForKeys } from "../src/app/keys";
import { nowhere, restorePlace } from "../src/app/place";
import TourPart, { tourDelayMs } from "../src/features/tour/TourPart";
import { tour } from "../src/features/tour/tour";
import { outline, planPath, startBackend, workspacePath } from "./backend";

let stop = () => {};

beforeEach(() => {
  localStorage.clear();
  tour.set(null);
  vi.spyOn(navigator, "webdriver", "get").mockReturnValue(false);
  restorePlace({ ...nowhere, workspace: workspacePath, plan: planPath, screen: "plan" }, () => {});
  stop = listenForKeys();
});
afterEach(() => {
  stop();
  vi.restoreAllMocks();
});

async function show() {
  const backend = await startBackend({ outline: () => outline });
  render(
    <>
      <main id="centre" tabIndex={-1} />
      <input aria-label="field" />
      <TourPart />
    </>,
    backend,
  );
  return userEvent.setup();
}

const wait = (ms: number) => act(() => new Promise((done) => setTimeout(done, ms)));
const card = () => screen.findByRole("region", { name: "Tour" });

test("the first plan shows four cards, which don't take the focus and don't come back", async () => {
  const user = await show();
  screen.getByRole("textbox", { name: "field" }).focus();
  const shown = await card();
  expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "field" }));
  for (const at of [1, 2, 3]) {
    expect(within(shown).getByText(`${at} of 4`)).toBeTruthy();
    await user.click(within(shown).getByRole("button", { name: "Next" }));
  }
  expect(within(shown).getByText("Everything has a shortcut")).toBeTruthy();
  await user.click(within(shown).getByRole("button", { name: "Back" }));
  expect(within(shown).getByText("Nothing runs until you approve")).toBeTruthy();
  await user.click(within(shown).getByRole("button", { name: "Next" }));
  await user.click(within(shown).getByRole("button", { name: "Done" }));
  expect(screen.queryByRole("region", { name: "Tour" })).toBeNull();
  expect(document.activeElement?.id).toBe("centre");
  cleanup();
  await show();
  await wait(tourDelayMs + 200);
  expect(screen.queryByRole("region", { name: "Tour" })).toBeNull();
});

test("the tour can be skipped and restarted by key, then with focus and Escape", async () => {
  const user = await show();
  await user.click(within(await card()).getByRole("button", { name: "Skip tour" }));
  expect(screen.queryByRole("region", { name: "Tour" })).toBeNull();
  expect(localStorage.getItem("planwright.tour")).toBe("seen");
  await user.keyboard("gh");
  const again = await card();
  await waitFor(() =>
    expect(document.activeElement).toBe(within(again).getByRole("button", { name: "Next" })),
  );
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("region", { name: "Tour" })).toBeNull();
});

test("an automated browser isn't shown the tour", async () => {
  vi.spyOn(navigator, "webdriver", "get").mockReturnValue(true);
  await show();
  await wait(tourDelayMs + 200);
  expect(screen.queryByRole("region", { name: "Tour" })).toBeNull();
});
