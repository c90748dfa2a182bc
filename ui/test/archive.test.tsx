/** Plans are put away into a folded group and come back, from the menu and by key. */
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

/** Three plans, of which the last is archived, with `open` open. */
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

test("archived plans are in a folded group at the end, with their number", async () => {
  await show("One");
  expect(group().open).toBe(false);
  expect(group().querySelector("summary")?.textContent).toBe("Archived1");
  expect([inGroup(/^Old$/), inGroup(/^One$/), inGroup(/^Two$/)]).toEqual([true, false, false]);
});

test("the group is unfolded while the open plan is in it", async () => {
  await show("Old");
  expect(group().open).toBe(true);
});

test("the menu archives a plan and restores it, with an undo", async () => {
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

test("the open plan is archived by key; the keys for the next plan skip archived ones", async () => {
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
