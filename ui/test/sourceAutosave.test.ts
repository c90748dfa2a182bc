/** Autosave of a plan's text: saved as a draft at once and to the file after a pause; never overwritten or lost. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { EditOutcome } from "../src/api/bindings";
import { ApiError } from "../src/api/client";
import { Autosave, type AutosavePorts, pauseMs } from "../src/features/source/autosave";
import { words } from "../src/words";

/** Stands in for the backend and the editor: a file that answers saves, and a string as the typed text. */
class Desk {
  editor = "";
  file = { revision: "r1", text: "a\nb\nc\n" };
  texts: Record<string, string> = { r1: this.file.text };
  saves: { revision: string; text: string }[] = [];
  drafts: string[] = [];
  puts: { text: string; why: string }[] = [];
  told: string[] = [];
  decided: string[] = [];
  /** Handles the next save instead of the usual handler. */
  next: (() => EditOutcome) | null = null;
  /** Delays answers until it resolves. */
  hold: Promise<void> | null = null;
  autosave!: Autosave;

  open(draft: { text: string; revision: string | null } | null = null): Autosave {
    this.editor = draft?.text ?? this.file.text;
    const ports: AutosavePorts = {
      read: () => this.editor,
      put: (text, why) => {
        this.editor = text;
        this.puts.push({ text, why });
      },
      save: async (revision, text) => {
        this.saves.push({ revision, text });
        if (this.hold) await this.hold;
        if (this.next) {
          const answer = this.next;
          this.next = null;
          return answer();
        }
        if (revision !== this.file.revision) throw new Error("the test names no answer");
        return this.writes(text);
      },
      textOf: async (revision) => {
        const text = this.texts[revision];
        if (text === undefined) throw new ApiError("failed", `no revision ${revision}`);
        return text;
      },
      keepDraft: (text) => this.drafts.push(text),
      dropDraft: () => this.drafts.push(""),
      decided: (side, lines) => this.decided.push(`${side}: ${lines.mine}|${lines.theirs}`),
      reportUnsaved: (message) => this.told.push(message),
      reportFault: () => undefined,
    };
    this.autosave = new Autosave(ports, { ...this.file }, draft);
    return this.autosave;
  }

  writes(text: string, merged = false): EditOutcome {
    const revision = `r${Object.keys(this.texts).length + 1}`;
    this.file = { revision, text };
    this.texts[revision] = text;
    return { outcome: "written", revision, task: null, merged };
  }

  type(text: string): void {
    this.editor = text;
    this.autosave.typed(text.length);
  }

  /** Writes the file as another program would and notifies the autosave. */
  outside(text: string): void {
    this.writes(text);
    this.autosave.fileChanged(this.file.revision, this.file.text);
  }

  /** Notifies the autosave of the file's current content. */
  hears(): void {
    this.autosave.fileChanged(this.file.revision, this.file.text);
  }
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const rest = (ms = pauseMs) => vi.advanceTimersByTimeAsync(ms);

test("typed text is saved as a draft at once, and to the file once after a pause", async () => {
  const desk = new Desk();
  const autosave = desk.open();
  desk.type("a!\nb\nc\n");
  desk.type("a!!\nb\nc\n");
  await rest(50);
  expect(desk.drafts).toEqual(["a!!\nb\nc\n"]);
  expect(desk.saves).toEqual([]);
  await rest();
  expect(desk.saves).toEqual([{ revision: "r1", text: "a!!\nb\nc\n" }]);
  expect(desk.drafts.at(-1)).toBe("");
  expect(autosave.state.get()).toMatchObject({ isDirty: false, isSaving: false, revision: "r2" });
});

test("continuous typing isn't saved in between, and a later pause saves everything", async () => {
  const desk = new Desk();
  desk.open();
  for (let at = 0; at < 10; at += 1) {
    desk.type(`${"x".repeat(at + 1)}\n`);
    await rest(pauseMs / 2);
  }
  expect(desk.saves).toEqual([]);
  await rest();
  expect(desk.saves.map((save) => save.text)).toEqual([`${"x".repeat(10)}\n`]);
});

test("Ctrl+S and leaving the view save at once", async () => {
  const desk = new Desk();
  const autosave = desk.open();
  desk.type("A\nb\nc\n");
  autosave.save();
  await rest(0);
  expect(desk.saves).toHaveLength(1);
  desk.type("A\nB\nc\n");
  autosave.blurred();
  await rest(0);
  expect(desk.saves.at(-1)).toEqual({ revision: "r2", text: "A\nB\nc\n" });
});

test("text typed back to the file's content isn't saved", async () => {
  const desk = new Desk();
  const autosave = desk.open();
  desk.type("x");
  desk.type("a\nb\nc\n");
  await rest();
  expect(desk.saves).toEqual([]);
  expect(autosave.state.get().isDirty).toBe(false);
});

test("an external change is adopted while nothing has been typed", () => {
  const desk = new Desk();
  const autosave = desk.open();
  desk.outside("a\nb outside\nc\n");
  expect(desk.editor).toBe("a\nb outside\nc\n");
  expect(desk.puts).toEqual([{ text: "a\nb outside\nc\n", why: "outside" }]);
  expect(autosave.state.get()).toMatchObject({ isDirty: false, revision: "r2" });
});

test("an external change leaves typed text alone; saving merges both", async () => {
  const desk = new Desk();
  const autosave = desk.open();
  desk.type("a mine\nb\nc\n");
  desk.outside("a\nb\nc outside\n");
  expect(desk.editor).toBe("a mine\nb\nc\n");
  desk.next = () => desk.writes("a mine\nb\nc outside\n", true);
  await rest();
  // The save is based on the revision being edited.
  expect(desk.saves).toEqual([{ revision: "r1", text: "a mine\nb\nc\n" }]);
  expect(desk.editor).toBe("a mine\nb\nc outside\n");
  expect(autosave.state.get()).toMatchObject({ isDirty: false, revision: "r3", conflict: null });
});

test("text typed during a merged save is kept next to the merged changes", async () => {
  const desk = new Desk();
  desk.open();
  let letGo = () => {};
  desk.hold = new Promise((done) => {
    letGo = done;
  });
  desk.type("a mine\nb\nc\n");
  desk.writes("a\nb\nc outside\n");
  desk.next = () => desk.writes("a mine\nb\nc outside\n", true);
  await rest();
  desk.type("a mine, more\nb\nc\n");
  letGo();
  desk.hold = null;
  await rest(0);
  expect(desk.editor).toBe("a mine, more\nb\nc outside\n");
  await rest();
  expect(desk.saves.at(-1)).toEqual({ revision: "r3", text: "a mine, more\nb\nc outside\n" });
  expect(desk.file.text).toBe("a mine, more\nb\nc outside\n");
});

test("an outdated file event doesn't restore the old text", async () => {
  const desk = new Desk();
  desk.open();
  desk.type("A\nb\nc\n");
  await rest();
  desk.autosave.fileChanged("r1", "a\nb\nc\n");
  expect(desk.editor).toBe("A\nb\nc\n");
  desk.hears();
  await rest(5000);
  expect(desk.editor).toBe("A\nb\nc\n");
});

test("when the file really is reverted, the text follows after a delay", async () => {
  const desk = new Desk();
  desk.open();
  desk.type("A\nb\nc\n");
  await rest();
  desk.file = { revision: "r1", text: "a\nb\nc\n" };
  desk.hears();
  await rest(5000);
  expect(desk.editor).toBe("a\nb\nc\n");
});

/** A conflict: the user changed lines a and c, another program lines a and e. */
async function conflict(): Promise<Desk> {
  const desk = new Desk();
  desk.file.text = "a\nb\nc\nd\ne\n";
  desk.texts.r1 = desk.file.text;
  desk.open();
  desk.type("a mine\nb\nc mine\nd\ne\n");
  desk.outside("a theirs\nb\nc\nd\ne theirs\n");
  desk.next = () => ({
    outcome: "conflict",
    revision: "r2",
    mine: "a mine\n",
    theirs: "a theirs\n",
  });
  await rest();
  return desk;
}

test("a conflict shows both sides, saves nothing, and keeps the typed text as a draft", async () => {
  const desk = await conflict();
  expect(desk.autosave.state.get().conflict).toMatchObject({
    mine: "a mine\n",
    theirs: "a theirs\n",
  });
  expect(desk.editor).toBe("a mine\nb\nc mine\nd\ne\n");
  expect(desk.drafts).not.toContain("");
  await rest(5000);
  expect(desk.saves).toHaveLength(1);
});

test.each([
  ["mine", "a mine\nb\nc mine\nd\ne theirs\n"],
  ["theirs", "a theirs\nb\nc mine\nd\ne theirs\n"],
  ["both", "a mine\na theirs\nb\nc mine\nd\ne theirs\n"],
] as const)("a conflict resolved as %s keeps the other lines of both sides", async (side, text) => {
  const desk = await conflict();
  await desk.autosave.resolve(side);
  await rest(0);
  expect(desk.editor).toBe(text);
  // The change is put in the editor as the user's, so that undo reverts it.
  expect(desk.puts.at(-1)?.why).toBe("chosen");
  expect(desk.saves.at(-1)).toEqual({ revision: "r2", text });
  expect(desk.file.text).toBe(text);
  expect(desk.autosave.state.get()).toMatchObject({ conflict: null, isDirty: false });
  await rest(0);
  expect(desk.decided).toEqual([`${side}: a mine\n|a theirs\n`]);
});

test("text restored from the last session is saved only on request, based on its own revision", async () => {
  const desk = new Desk();
  desk.texts.r0 = "a\n";
  const autosave = desk.open({ text: "a typed\n", revision: "r0" });
  expect(autosave.state.get()).toMatchObject({ isRestored: true, isDirty: true, revision: "r0" });
  autosave.blurred();
  desk.hears();
  await rest(5000);
  expect(desk.saves).toEqual([]);
  expect(desk.editor).toBe("a typed\n");
  desk.next = () => desk.writes("a typed\nb\nc\n", true);
  autosave.save();
  await rest(0);
  expect(desk.saves).toEqual([{ revision: "r0", text: "a typed\n" }]);
  expect(desk.editor).toBe("a typed\nb\nc\n");
  expect(desk.drafts.at(-1)).toBe("");
});

test("discarding restored text shows the file", () => {
  const desk = new Desk();
  const autosave = desk.open({ text: "old words\n", revision: "r1" });
  autosave.discard();
  expect(desk.editor).toBe("a\nb\nc\n");
  expect(desk.puts.at(-1)?.why).toBe("chosen");
  expect(autosave.state.get()).toMatchObject({ isDirty: false, isRestored: false });
  expect(desk.drafts.at(-1)).toBe("");
});

test("a draft equal to the file is ignored", () => {
  const desk = new Desk();
  const autosave = desk.open({ text: "a\nb\nc\n", revision: "r0" });
  expect(autosave.state.get()).toMatchObject({ isDirty: false, isRestored: false, revision: "r1" });
});

test("a failed save says why, keeps the text and draft, and can be retried", async () => {
  const desk = new Desk();
  const autosave = desk.open();
  desk.next = () => {
    throw new ApiError("failed", "The disk is full. Free some space.");
  };
  desk.type("A\nb\nc\n");
  await rest();
  expect(autosave.state.get()).toMatchObject({
    error: "The disk is full. Free some space.",
    isDirty: true,
    isSaving: false,
  });
  expect(desk.drafts).not.toContain("");
  autosave.save();
  await rest(0);
  expect(desk.file.text).toBe("A\nb\nc\n");
  expect(autosave.state.get()).toMatchObject({ error: null, isDirty: false });
});

test("leaving the view saves the text; if that fails, it stays a draft and a message is shown", async () => {
  const desk = new Desk();
  const autosave = desk.open();
  desk.type("A\nb\nc\n");
  autosave.close();
  desk.editor = "the editor is gone";
  await rest(0);
  expect(desk.saves).toEqual([{ revision: "r1", text: "A\nb\nc\n" }]);
  expect(desk.told).toEqual([]);

  const other = new Desk();
  const left = other.open();
  other.next = () => ({ outcome: "conflict", revision: "r2", mine: "A", theirs: "B" });
  other.type("A\nb\nc\n");
  left.close();
  await rest(0);
  expect(other.drafts).toEqual(["A\nb\nc\n"]);
  expect(other.told).toEqual([words.source.toasts.leftConflict]);
});
