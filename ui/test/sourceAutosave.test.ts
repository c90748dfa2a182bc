/** The typed text of a plan: a draft at once, in the file after a pause, never overwritten, never lost. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { EditOutcome } from "../src/api/bindings";
import { ApiError } from "../src/api/client";
import { Autosave, type AutosavePorts, pauseMs } from "../src/features/source/autosave";
import { words } from "../src/words";

/** A file that answers saves as the backend does, and an editor that is a string. */
class Desk {
  editor = "";
  file = { revision: "r1", text: "a\nb\nc\n" };
  texts: Record<string, string> = { r1: this.file.text };
  saves: { revision: string; text: string }[] = [];
  drafts: string[] = [];
  puts: { text: string; why: string }[] = [];
  told: string[] = [];
  decided: string[] = [];
  /** Answers instead of the file, once. */
  next: (() => EditOutcome) | null = null;
  /** Holds answers back until it is called. */
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

  /** Another program writes the file, and the window hears of it. */
  outside(text: string): void {
    this.writes(text);
    this.autosave.fileChanged(this.file.revision, this.file.text);
  }

  /** The window hears of what the file holds. */
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

test("what is typed is given to the draft at once and saved once after a pause", async () => {
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

test("typing goes on without a save between, and a later pause saves it all", async () => {
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

test("Ctrl+S and leaving save without waiting", async () => {
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

test("a text that is typed back to what the file holds is not written", async () => {
  const desk = new Desk();
  const autosave = desk.open();
  desk.type("x");
  desk.type("a\nb\nc\n");
  await rest();
  expect(desk.saves).toEqual([]);
  expect(autosave.state.get().isDirty).toBe(false);
});

test("a change from outside is taken over while nothing is typed", () => {
  const desk = new Desk();
  const autosave = desk.open();
  desk.outside("a\nb outside\nc\n");
  expect(desk.editor).toBe("a\nb outside\nc\n");
  expect(desk.puts).toEqual([{ text: "a\nb outside\nc\n", why: "outside" }]);
  expect(autosave.state.get()).toMatchObject({ isDirty: false, revision: "r2" });
});

test("a change from outside leaves what is typed alone; the save is merged and both are there", async () => {
  const desk = new Desk();
  const autosave = desk.open();
  desk.type("a mine\nb\nc\n");
  desk.outside("a\nb\nc outside\n");
  expect(desk.editor).toBe("a mine\nb\nc\n");
  desk.next = () => desk.writes("a mine\nb\nc outside\n", true);
  await rest();
  // It was made from the revision on which it was typed.
  expect(desk.saves).toEqual([{ revision: "r1", text: "a mine\nb\nc\n" }]);
  expect(desk.editor).toBe("a mine\nb\nc outside\n");
  expect(autosave.state.get()).toMatchObject({ isDirty: false, revision: "r3", conflict: null });
});

test("what is typed while a merged save is under way stays, beside what was merged", async () => {
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

test("an answer of before a save does not put the old text back", async () => {
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

test("when the file does go back to what it was, the text follows a moment later", async () => {
  const desk = new Desk();
  desk.open();
  desk.type("A\nb\nc\n");
  await rest();
  desk.file = { revision: "r1", text: "a\nb\nc\n" };
  desk.hears();
  await rest(5000);
  expect(desk.editor).toBe("a\nb\nc\n");
});

/** Both changed line a; the person also line c, the other program also line e. */
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

test("a conflict shows both sides, saves nothing, and what is typed stays as a draft", async () => {
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
] as const)("a conflict settled as %s keeps the other lines of both sides", async (side, text) => {
  const desk = await conflict();
  await desk.autosave.resolve(side);
  await rest(0);
  expect(desk.editor).toBe(text);
  // By a click, so that the editor's undo takes it back.
  expect(desk.puts.at(-1)?.why).toBe("chosen");
  expect(desk.saves.at(-1)).toEqual({ revision: "r2", text });
  expect(desk.file.text).toBe(text);
  expect(desk.autosave.state.get()).toMatchObject({ conflict: null, isDirty: false });
  await rest(0);
  expect(desk.decided).toEqual([`${side}: a mine\n|a theirs\n`]);
});

test("what was typed before the window's end is shown, waits for the person, and is saved from where it was typed", async () => {
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

test("what was typed before and given up makes room for the file", () => {
  const desk = new Desk();
  const autosave = desk.open({ text: "old words\n", revision: "r1" });
  autosave.discard();
  expect(desk.editor).toBe("a\nb\nc\n");
  expect(desk.puts.at(-1)?.why).toBe("chosen");
  expect(autosave.state.get()).toMatchObject({ isDirty: false, isRestored: false });
  expect(desk.drafts.at(-1)).toBe("");
});

test("a draft that says what the file says is none", () => {
  const desk = new Desk();
  const autosave = desk.open({ text: "a\nb\nc\n", revision: "r0" });
  expect(autosave.state.get()).toMatchObject({ isDirty: false, isRestored: false, revision: "r1" });
});

test("a save that fails says why, keeps the text and its draft, and is tried again", async () => {
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

test("leaving the view saves what was typed; what cannot be saved stays a draft and is said", async () => {
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
