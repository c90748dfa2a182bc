/** Components loaded on first use: no delay beyond the download, no placeholder once loaded, and a retry after a failure. */
import { act, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { ErrorBoundary } from "../src/app/ErrorScreen";
import { later } from "../src/components/later";
import { startBackend } from "./backend";

const Words = ({ words }: { words: string }) => <p>{words}</p>;

test("the component is rendered as soon as its code is loaded", async () => {
  vi.useFakeTimers();
  const { wrapper } = await startBackend();
  let arrive = (_found: { default: typeof Words }) => {};
  const Part = later<{ words: string }>(() => new Promise((done) => (arrive = done)), 2);
  render(<Part words="first" />, { wrapper });
  expect(screen.queryByText("first")).toBeNull();
  // The fake clock doesn't advance, so the text appears only if no timer delays it.
  await act(async () => arrive({ default: Words }));
  expect(screen.getByText("first")).toBeDefined();
  vi.useRealTimers();
});

test("a preloaded component is rendered at once and loaded only once", async () => {
  const { wrapper } = await startBackend();
  const fetch = vi.fn(async () => ({ default: Words }));
  const Part = later(fetch);
  await Part.load();
  render(<Part words="at once" />, { wrapper });
  expect(screen.getByText("at once")).toBeDefined();
  expect(fetch).toHaveBeenCalledTimes(1);
});

test("a loading error is shown, and Retry loads again", async () => {
  const { wrapper } = await startBackend({ report_fault: () => null });
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  let isBroken = true;
  const Part = later<{ words: string }>(async () => {
    if (isBroken) throw new Error("the page is gone");
    return { default: Words };
  });
  const drawn = (
    <ErrorBoundary>
      <Part words="here again" />
    </ErrorBoundary>
  );
  render(drawn, { wrapper });
  await screen.findByText(/the page is gone/);
  isBroken = false;
  act(() => screen.getByRole("button", { name: "Retry" }).click());
  expect(await screen.findByText("here again")).toBeDefined();
});
