/** The panel's width: set by pointer or keys, kept in bounds, and remembered. */
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Layout } from "../src/app/Layout";
import { startBackend } from "./backend";

const usual = window.innerWidth;

function resize(width: number): void {
  const page = window as unknown as { happyDOM: { setViewport: (to: { width: number }) => void } };
  page.happyDOM.setViewport({ width });
}

beforeEach(() => {
  localStorage.clear();
  resize(1400);
});
afterEach(() => resize(usual));

async function show() {
  const backend = await startBackend();
  render(<Layout at="x" header={null} list={null} centre={null} panel={<p>Body</p>} />, backend);
  return screen.findByRole("separator", { name: "Resize panel" });
}

const panel = () => screen.getByRole("complementary").style.width;

test("arrow keys, Home and End move the edge, within bounds", async () => {
  const user = userEvent.setup();
  const edge = await show();
  expect(edge.getAttribute("aria-valuenow")).toBe("360");
  expect(panel()).toBe("360px");
  edge.focus();
  await user.keyboard("{ArrowLeft}{ArrowLeft}{ArrowRight}");
  expect(panel()).toBe("380px");
  await user.keyboard("{Home}{ArrowRight}");
  expect(panel()).toBe("300px");
  await user.keyboard("{End}");
  expect(edge.getAttribute("aria-valuenow")).toBe(edge.getAttribute("aria-valuemax"));
  expect(panel()).toBe("728px");
  fireEvent.doubleClick(edge);
  expect(panel()).toBe("360px");
});

test("the edge is dragged by pointer, the width is remembered, and a narrower window keeps the plan readable", async () => {
  const edge = await show();
  fireEvent.pointerDown(edge, { pointerId: 1, button: 0, clientX: 1040 });
  fireEvent.pointerMove(edge, { pointerId: 1, clientX: 900 });
  fireEvent.pointerUp(edge, { pointerId: 1, clientX: 900 });
  fireEvent.pointerMove(edge, { pointerId: 1, clientX: 500 });
  expect(panel()).toBe("500px");
  expect(localStorage.getItem("planwright.panel")).toBe("500");
  cleanup();
  resize(1120);
  await show();
  expect(panel()).toBe("448px");
  resize(1400);
  fireEvent(window, new Event("resize"));
  expect(panel()).toBe("500px");
  // A new window starts with the saved width.
  vi.resetModules();
  const { PanelEdge } = await import("../src/app/PanelEdge");
  cleanup();
  render(<PanelEdge />);
  expect(screen.getByRole("separator").getAttribute("aria-valuenow")).toBe("500");
});

test("dragging selects no text, and the edge has the focus", async () => {
  const edge = await show();
  expect(fireEvent.mouseDown(edge)).toBe(false);
  expect(document.activeElement).toBe(edge);
});
