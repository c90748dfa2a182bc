/** The dialog before something happens: no first focus on its confirm button, deaf to the tail of a double click. */
import { render, screen, waitFor } from "@testing-library/react";
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
  const button = await screen.findByRole("button", { name: "Delete T3" });
  return { onConfirm, button, user: userEvent.setup() };
}

function heard(): Promise<void> {
  return new Promise((done) => setTimeout(done, deafMs + 50));
}

test("Enter right behind opening confirms nothing", async () => {
  const { onConfirm, button, user } = await open();
  expect(document.activeElement).not.toBe(button);
  await user.keyboard("{Enter}");
  button.focus();
  await user.keyboard("{Enter}");
  expect(onConfirm).not.toHaveBeenCalled();
});

test("a click in the first moments confirms nothing, a later one does", async () => {
  const { onConfirm, button, user } = await open();
  await user.click(button);
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

test("what is blocked says why and confirms nothing", async () => {
  const { onConfirm, button, user } = await open({ blocked: "A reason is needed" });
  await heard();
  await user.click(button);
  expect(screen.getByText("A reason is needed")).toBeTruthy();
  expect(onConfirm).not.toHaveBeenCalled();
});
