/** Plans can be archived and restored, from the menu and by key. */
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listenForKeys } from "../src/app/keys";
import { getPlace, nowhere, restorePlace } from "../src/app/place";
import { PlanList, usePlanListKeys } from "../src/features/plans/PlanList";
import { toasts } from "../src/lib/toast";
import { startBackend, summary, workspacePath } from "./backend";

const fileOf = (name: string) => `${workspacePath}/plans/${name}.md`;

let stopKeys = () => {};

beforeEach(() => {
  stopKeys = listenForKeys();
});

afterEach(() => {
  stopKeys();
  act(() => toasts.set([]));
});

function List() {
  usePlanListKeys();
  return <PlanList />;
}

/** Shows a list of three plans, the last of which is archived. `open` is the open plan. */
async function show(open: string | null) {
  const archived = new Set([fileOf("Old")]);
  const backend = await startBackend({
    plans: () => ({
      plans: ["One", "Two", "Old"].map((title) => ({
        ...summary,
        title,
        plan: fileOf(title),
        is_archived: archived.has(fileOf(title)),
      })),
      left_out: [],
    }),
    inbox: () => [],
    archive_plan: ({ plan, archived: is }) => {
      if (is) archived.add(String(plan));
      else archived.delete(String(plan));
      void backend.send({ kind: "plans", workspace: workspacePath });
      return null;
    },
  });
  const place = { ...nowhere, workspace: workspacePath, screen: "plan" as const };
  restorePlace({ ...place, plan: open && fileOf(open) }, () => undefined);
  render(<List />, backend);
  await screen.findByText("Archived");
  return { backend, user: userEvent.setup() };
}

const group = () => screen.getByText("Archived").closest("details") as HTMLDetailsElement;
const inGroup = (title: RegExp) => within(group()).queryByText(title) !== null;

test("archived plans are in a collapsed group at the end, with their count", async () => {
  await show("One");
  expect(group().open).toBe(false);
  expect(group().querySelector("summary")?.textContent).toBe("Archived1");
  expect([inGroup(/^Old$/), inGroup(/^One$/), inGroup(/^Two$/)]).toEqual([true, false, false]);
});

test("the group is expanded while it contains the open plan", async () => {
  await show("Old");
  expect(group().open).toBe(true);
});

test("the menu archives and restores a plan, with Undo", async () => {
  const { backend, user } = await show("One");
  fireEvent.contextMenu(screen.getByText("Two"), { clientX: 9, clientY: 9 });
  await user.click(await screen.findByRole("menuitem", { name: "Archive" }));
  await waitFor(() => expect(inGroup(/^Two$/)).toBe(true));
  expect(toasts.get().at(-1)?.title).toBe("Archived “Two”");
  act(() => toasts.get().at(-1)?.action?.run());
  await waitFor(() => expect(inGroup(/^Two$/)).toBe(false));
  fireEvent.contextMenu(within(group()).getByText("Old"), { clientX: 9, clientY: 9 });
  await user.click(await screen.findByRole("menuitem", { name: "Restore" }));
  await waitFor(() => expect(screen.queryByText("Archived")).toBeNull());
  expect(backend.callsOf("archive_plan")).toEqual([
    { plan: fileOf("Two"), archived: true },
    { plan: fileOf("Two"), archived: false },
    { plan: fileOf("Old"), archived: false },
  ]);
});

test("a shortcut archives the open plan; next and previous skip archived plans", async () => {
  const { backend, user } = await show("One");
  await user.keyboard("]");
  expect(getPlace().plan).toBe(fileOf("Two"));
  await user.keyboard("]");
  expect(getPlace().plan).toBe(fileOf("One"));
  await user.keyboard("pz");
  await waitFor(() =>
    expect(backend.callsOf("archive_plan")).toEqual([{ plan: fileOf("One"), archived: true }]),
  );
});
