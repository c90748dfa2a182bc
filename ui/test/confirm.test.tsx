/** The confirmation dialog: never focuses the confirm button first, and ignores the second click of a double click. */
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ConfirmDialog, deafMs } from "../src/components/ConfirmDialog";
import { startBackend } from "./backend";

async function open(more: { blocked?: string } = {}) {
  const backend = await startBackend();
  const onConfirm = vi.fn();
  render(
    <ConfirmDialog
      opened
      title="Delete T3?"
      confirm="Delete T3"
      onConfirm={onConfirm}
      onClose={() => undefined}
      {...more}
    />,
    backend,
  );
  // No delay, so that the guard period doesn't depend on the machine's load.
  const button = screen.getByRole("button", { name: "Delete T3" });
  return { onConfirm, button, user: userEvent.setup() };
}

function heard(): Promise<void> {
  return new Promise((done) => setTimeout(done, deafMs + 50));
}

test("Enter right after the dialog opens confirms nothing", async () => {
  const { onConfirm, button } = await open();
  // Browsers report Enter on a button as a click with a count of 0.
  fireEvent.click(button, { detail: 0 });
  expect(onConfirm).not.toHaveBeenCalled();
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Cancel"));
});

test("a click just after opening confirms nothing; a later one confirms", async () => {
  const { onConfirm, button, user } = await open();
  fireEvent.click(button, { detail: 1 });
  expect(onConfirm).not.toHaveBeenCalled();
  await heard();
  await user.click(button);
  await waitFor(() => expect(onConfirm).toHaveBeenCalledTimes(1));
});

test("a double click confirms once", async () => {
  const { onConfirm, button, user } = await open();
  await heard();
  await user.dblClick(button);
  expect(onConfirm).toHaveBeenCalledTimes(1);
});

test("a blocked action says why and can't be confirmed", async () => {
  const { onConfirm, button, user } = await open({ blocked: "A reason is needed" });
  await heard();
  await user.click(button);
  expect(screen.getByText("A reason is needed")).toBeTruthy();
  expect(onConfirm).not.toHaveBeenCalled();
});
