/** Toasts: each closes by itself, but not while one has focus or the pointer; they don't cover dialogs or menus. */
import { MantineProvider } from "@mantine/core";
import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Toasts } from "../src/app/Toasts";
import { showToast, toasts } from "../src/lib/toast";

const titles = () => toasts.get().map((toast) => toast.title);
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const run = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  toasts.set([]);
  render(<Toasts />, { wrapper: ({ children }) => <MantineProvider>{children}</MantineProvider> });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  toasts.set([]);
});

test("every toast closes by itself; failures and toasts with a button stay longer", async () => {
  act(() => {
    showToast({ tone: "good", title: "Plan copied" });
    showToast({ tone: "good", title: "T2 deleted", action: { label: "Undo", run } });
    showToast({ tone: "bad", title: "Couldn't write the plan" });
  });
  await pass(9000);
  expect(titles()).toEqual(["T2 deleted", "Couldn't write the plan"]);
  await pass(12_000);
  expect(titles()).toEqual(["Couldn't write the plan"]);
  await pass(10_000);
  expect(titles()).toEqual([]);
});

test("news about a lost server updates a single toast", async () => {
  const news = (title: string, about?: string) => showToast({ tone: "info", title, about });
  act(() => {
    news("T2: attempt 1 of 3 failed", "model-server/r1");
    news("Another notice");
    news("T2: attempt 2 of 3 failed", "model-server/r1");
  });
  await pass(6000);
  act(() => news("T2 is waiting for the model server", "model-server/r1"));
  expect(titles()).toEqual(["T2 is waiting for the model server", "Another notice"]);
  // An updated toast stays as long as a new one.
  await pass(6000);
  expect(titles()).toEqual(["T2 is waiting for the model server"]);
  act(() => news("T2: the model server is back", "model-server/r1"));
  expect(screen.getAllByText(/T2/)).toHaveLength(1);
});

test("no toast closes while one has the focus or pointer", async () => {
  act(() => {
    showToast({ tone: "good", title: "Plan copied" });
    showToast({ tone: "good", title: "T2 deleted", action: { label: "Undo", run } });
  });
  screen.getByRole("button", { name: "Undo" }).focus();
  await pass(60_000);
  expect(titles()).toEqual(["Plan copied", "T2 deleted"]);
  (document.activeElement as HTMLElement).blur();
  const section = screen.getByRole("region", { name: "Notifications" });
  const hover = vi.spyOn(section, "matches").mockReturnValue(true);
  await pass(60_000);
  expect(titles()).toEqual(["Plan copied", "T2 deleted"]);
  hover.mockReturnValue(false);
  await pass(3000);
  expect(titles()).toEqual([]);
});

/** Simulates the layout of a 1000 × 800 window: toasts in their corner, and overlays as in their `data-at`. */
function layOut(): void {
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function (this: Element) {
    const { corner, at } = (this as HTMLElement).dataset;
    if (at) return new DOMRect(...(at.split(" ").map(Number) as [number, number, number, number]));
    if (!corner) return new DOMRect();
    return new DOMRect(
      corner.endsWith("left") ? 16 : 624,
      corner.startsWith("top") ? 60 : 600,
      360,
      100,
    );
  });
}

async function overlay(role: string, at: string): Promise<HTMLElement> {
  const element = document.createElement("div");
  element.setAttribute("role", role);
  element.dataset.at = at;
  document.body.append(element);
  await pass(400);
  return element;
}

test("toasts move away from an opened menu or dialog, and back", async () => {
  layOut();
  act(() => showToast({ tone: "good", title: "T2 deleted", action: { label: "Undo", run } }));
  const section = screen.getByRole("region", { name: "Notifications" });
  expect(section.dataset.corner).toBe("bottom-right");
  const menu = await overlay("menu", "700 500 300 300");
  expect(section.dataset.corner).toBe("top-right");
  const drawer = await overlay("dialog", "620 0 380 800");
  expect(section.dataset.corner).toBe("bottom-left");
  menu.remove();
  drawer.remove();
  await pass(400);
  expect(section.dataset.corner).toBe("bottom-right");
});

test("where a dialog leaves no room, a failure is still shown, and other toasts wait for it to close", async () => {
  layOut();
  act(() => showToast({ tone: "good", title: "Plan copied" }));
  const section = screen.getByRole("region", { name: "Notifications" });
  const dialog = await overlay("dialog", "0 70 1000 730");
  expect([section.dataset.crowded, section.dataset.corner]).toEqual(["", "top-right"]);
  await pass(60_000);
  expect(titles()).toEqual(["Plan copied"]);
  dialog.remove();
  await pass(400);
  expect(section.dataset.crowded).toBeUndefined();
  await pass(3000);
  expect(titles()).toEqual([]);
});
