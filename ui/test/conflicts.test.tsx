/** Conflicts: the banner, both sides with their differences, the kept text, and that an extra key press loses nothing. */
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PlanConflict } from "../src/api/bindings";
import { useOutline } from "../src/api/queries";
import { listenForKeys } from "../src/app/keys";
import { nowhere, restorePlace } from "../src/app/place";
import { ConflictBanner } from "../src/features/conflicts/ConflictBanner";
import { closeConflicts } from "../src/features/conflicts/conflicts";
import { wordsBetween } from "../src/features/conflicts/wordDiff";
import { toasts } from "../src/lib/toast";
import { type Answers, outline, planPath, startBackend, workspacePath } from "./backend";

const t2: PlanConflict = {
  id: 7,
  task: "T2",
  title: "Add a --json flag",
  base: "- [ ] T2: Add a flag\n",
  mine: "- [ ] T2: Add a --json flag\n",
  mine_by: "person",
  theirs: "- [ ] T2: Add an --xml flag\n",
  at_ms: Date.now(),
};
const goal: PlanConflict = {
  ...t2,
  id: 9,
  task: null,
  title: "Goal",
  base: "Print it.\n",
  mine: "",
  theirs: "Print it as JSON.\n",
};

let stop = () => {};

beforeEach(() => {
  stop = listenForKeys();
  restorePlace({ ...nowhere, workspace: workspacePath, plan: planPath, screen: "plan" }, () => {});
});

afterEach(() => {
  stop();
  act(() => {
    closeConflicts();
    toasts.set([]);
  });
  vi.restoreAllMocks();
});

function Banner() {
  const data = useOutline(planPath).data;
  return data ? <ConflictBanner outline={data} /> : null;
}

async function show(list: PlanConflict[] = [t2, goal], more: Answers = {}) {
  const waiting = [...list];
  const backend = await startBackend({
    outline: () => ({
      ...outline,
      conflicts: waiting.length,
      own_conflicts: waiting.filter((one) => one.mine_by === "person").length,
    }),
    conflicts: () => [...waiting],
    resolve_conflict: ({ id, choice }) => {
      const at = waiting.findIndex((one) => one.id === id);
      waiting.splice(at, 1);
      return choice === "theirs"
        ? { outcome: "unchanged", revision: outline.revision }
        : { outcome: "written", revision: outline.revision, task: null, merged: false };
    },
    ...more,
  });
  render(<Banner />, backend);
  return { backend, user: userEvent.setup() };
}

async function open(...given: Parameters<typeof show>) {
  const shown = await show(...given);
  await shown.user.click(await screen.findByRole("button", { name: "Resolve…" }));
  const dialog = await screen.findByRole("dialog", {
    name: "Resolve conflicts",
  });
  await within(dialog).findByRole("heading", { name: /T2/ });
  return { ...shown, dialog };
}

/** Skips the period in which a new conflict ignores keys. */
function later() {
  const now = performance.now();
  vi.spyOn(performance, "now").mockReturnValue(now + 10_000);
}

test("the word diff marks only the changed words, and each side can be rebuilt from it", () => {
  expect(wordsBetween("Add a flag", "Add a --json flag")).toEqual([
    { kind: "same", text: "Add a " },
    { kind: "added", text: "--json " },
    { kind: "same", text: "flag" },
  ]);
  const one = "a b c\nd e\nf".repeat(30);
  const two = "a x c\nd f\nf g".repeat(31);
  for (const [before, after] of [
    [one, two],
    ["", two],
    [one, ""],
    [`${one}\n`.repeat(200), `${two}\n`.repeat(200)],
    ["x ".repeat(40_000), "y ".repeat(40_000)],
  ] as const) {
    const runs = wordsBetween(before, after);
    const side = (left: string) =>
      runs
        .filter((run) => run.kind !== left)
        .map((run) => run.text)
        .join("");
    expect(side("added")).toBe(before);
    expect(side("removed")).toBe(after);
  }
  expect(wordsBetween("same", "same")).toEqual([{ kind: "same", text: "same" }]);
});

test("the banner is shown only while there are conflicts", async () => {
  const { backend } = await show();
  expect(await screen.findByText(/2 of your edits conflict with changes on disk/)).toBeDefined();
  backend.answers.outline = () => ({ ...outline, conflicts: 0 });
  await act(() => backend.send({ kind: "review", plan: planPath }));
  await waitFor(() => expect(screen.queryByRole("region", { name: "Conflicts" })).toBeNull());
});

test("both sides are shown next to the original, with their changes marked", async () => {
  const { dialog } = await open();
  const side = (name: RegExp) => within(dialog).getByRole("region", { name });
  expect(side(/Original/).textContent).toContain("T2: Add a flag");
  expect(side(/^Mine/).querySelector("ins")?.textContent).toContain("--json");
  expect(side(/In the file/).querySelector("del")?.textContent).toContain("a");
  expect(side(/In the file/).querySelector("ins")?.textContent).toContain("an --xml");
});

test("keeping mine resolves the conflict, offers Undo, and shows the next one", async () => {
  const { backend, dialog, user } = await open();
  await user.click(within(dialog).getByRole("button", { name: "Keep mine" }));
  await waitFor(() =>
    expect(backend.callsOf("resolve_conflict")).toEqual([
      { plan: planPath, id: 7, choice: "mine" },
    ]),
  );
  expect(await within(dialog).findByRole("heading", { name: "Goal" })).toBeDefined();
  expect(within(dialog).getByText("The lines were deleted.")).toBeDefined();
  expect(toasts.get().at(-1)).toMatchObject({
    title: "Kept your version in T2",
    action: { label: "Undo" },
  });
});

test("keeping theirs writes nothing and offers to copy my lines", async () => {
  const written: string[] = [];
  const { dialog, user } = await open();
  Object.defineProperty(navigator, "clipboard", {
    configurable: true,
    value: { writeText: async (text: string) => void written.push(text) },
  });
  await user.click(within(dialog).getByRole("button", { name: "Keep the file’s" }));
  await waitFor(() => expect(toasts.get().at(-1)?.title).toBe("Kept the file’s version in T2"));
  act(() => toasts.get().at(-1)?.action?.run());
  expect(written).toEqual([t2.mine]);
});

test("keys navigate and resolve; a key pressed too early resolves nothing", async () => {
  const { backend, dialog } = await open();
  fireEvent.keyDown(dialog, { key: "b" });
  expect(backend.callsOf("resolve_conflict")).toEqual([]);
  fireEvent.keyDown(dialog, { key: "j" });
  expect(await within(dialog).findByRole("heading", { name: "Goal" })).toBeDefined();
  fireEvent.keyDown(dialog, { key: "k" });
  expect(await within(dialog).findByRole("heading", { name: /T2/ })).toBeDefined();
  later();
  fireEvent.keyDown(dialog, { key: "b" });
  await waitFor(() =>
    expect(backend.callsOf("resolve_conflict")).toEqual([
      { plan: planPath, id: 7, choice: "both" },
    ]),
  );
});

test("lines that changed again in the meantime aren't overwritten", async () => {
  const { dialog, user } = await open([t2], {
    resolve_conflict: () => ({ outcome: "conflict", revision: "r", mine: "a", theirs: "b" }),
  });
  await user.click(within(dialog).getByRole("button", { name: "Keep mine" }));
  expect((await within(dialog).findByRole("alert")).textContent).toContain("nothing was written");
  expect(toasts.get()).toEqual([]);
});

test("the dialog says when all conflicts are resolved", async () => {
  const { dialog, user } = await open([t2]);
  await user.click(within(dialog).getByRole("button", { name: "Keep both" }));
  expect(await within(dialog).findByText("All conflicts resolved")).toBeDefined();
});

test("in a read-only plan only the file's side can be kept", async () => {
  const { dialog } = await open([t2], {
    outline: () => ({ ...outline, conflicts: 1, is_writable: false }),
  });
  const button = (name: string) => within(dialog).getByRole<HTMLButtonElement>("button", { name });
  expect(button("Keep mine").disabled).toBe(true);
  expect(button("Keep the file’s").disabled).toBe(false);
});

test("another program's change isn't labeled as the user's", async () => {
  const { dialog } = await open([
    { ...t2, mine_by: "outside" },
    { ...t2, id: 8, mine_by: "model" },
  ]);
  expect(screen.getByText(/Other programs overwrote 2 changes they hadn’t seen\./)).toBeDefined();
  expect(within(dialog).getByText(/^Two other programs changed the same lines/)).toBeDefined();
  expect(within(dialog).getByRole("region", { name: "Earlier" })).toBeDefined();
  expect(within(dialog).getByRole("button", { name: "Keep earlier" })).toBeDefined();
  expect(within(dialog).queryByText(/\b(mine|yours?)\b/i)).toBeNull();
  fireEvent.keyDown(dialog, { key: "j" });
  expect(await within(dialog).findByRole("region", { name: "The agent’s" })).toBeDefined();
});
