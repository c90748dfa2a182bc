/** Keeps the typed text of one plan: as a draft at once, in the file after a pause, on leaving, or when asked.
 *
 *  What is being typed is never overwritten. A change from outside is taken over while nothing is typed; otherwise the
 *  next save is merged by the backend, and what cannot be merged is shown with both sides. Knows no editor and no React. */
import type { EditOutcome } from "../../api/bindings";
import { isInternal } from "../../api/client";
import { createStore, type Store } from "../../lib/store";
import { type Side, together } from "./changes";

/** A pause in typing after which the text is saved. */
export const pauseMs = 800;
/** What is typed within this time is given to the draft at once. */
const gatherMs = 10;
/** The same for a text that is long enough for this to be felt. */
const gatherLongMs = 250;
const longText = 300_000;
/** How long an answer of before a save may still arrive behind it. */
const lateMs = 1500;

/** A revision and its text; `null` where the text was not needed yet. */
export interface Base {
  revision: string;
  text: string | null;
}

/** Both sides of lines that were changed here and elsewhere. */
export interface Clash {
  mine: string;
  theirs: string;
  /** What the file holds now. */
  file: { revision: string; text: string };
}

export interface Kept {
  /** The revision that the typed text was made from. */
  revision: string;
  /** The text is, or may be, another than the file's. */
  isDirty: boolean;
  isSaving: boolean;
  /** It was typed before this window was opened, and nothing was typed since. */
  isRestored: boolean;
  clash: Clash | null;
  error: string | null;
}

export interface KeeperPorts {
  /** The text as it stands in the editor. */
  read: () => string;
  /** Changes the editor's text by small replacements. `chosen`: by the person's click, so that it can be taken back. */
  put: (text: string, why: "outside" | "chosen") => void;
  save: (revision: string, text: string) => Promise<EditOutcome>;
  textOf: (revision: string) => Promise<string>;
  keepDraft: (text: string) => void;
  dropDraft: () => void;
  /** A text that could not be saved when its view was left: it is kept as a draft. */
  tellLeft: (message: string) => void;
  /** A mistake of the program itself. */
  reportFault: (cause: unknown) => void;
}

export class Keeper {
  readonly state: Store<Kept>;
  private base: Base;
  /** The newest that is known of the file. */
  private file: { revision: string; text: string };
  /** Revisions of before a save, whose answers may come behind it. */
  private late = new Set<string>();
  private ports: KeeperPorts;
  private hasLeft = false;
  private saveTimer = 0;
  private draftTimer = 0;
  private lateTimer = 0;

  /** @param draft what was typed before this window was opened, and the revision that was on screen then */
  constructor(
    ports: KeeperPorts,
    file: { revision: string; text: string },
    draft: { text: string; revision: string | null } | null,
  ) {
    this.ports = ports;
    this.file = file;
    const on = draft?.revision ?? file.revision;
    this.base = { revision: on, text: on === file.revision ? file.text : null };
    this.state = createStore<Kept>({
      revision: on,
      isDirty: draft !== null,
      isSaving: false,
      isRestored: draft !== null,
      clash: null,
      error: null,
    });
    if (draft && draft.text === file.text) this.settle(file);
  }

  /** The person changed the text. */
  typed(length: number): void {
    this.set({ isDirty: true, isRestored: false, error: null });
    if (!this.draftTimer) {
      const wait = length > longText ? gatherLongMs : gatherMs;
      this.draftTimer = window.setTimeout(() => this.keepNow(), wait);
    }
    this.saveAfter(pauseMs);
  }

  /** The file has this content now. */
  outside(revision: string, text: string): void {
    window.clearTimeout(this.lateTimer);
    if (revision === this.base.revision) {
      this.late.clear();
      this.file = { revision, text };
      this.base.text = text;
      return;
    }
    if (this.state.get().isSaving) {
      this.late.add(revision);
      return;
    }
    if (this.late.has(revision)) {
      this.hearAgain(revision, text);
      return;
    }
    this.file = { revision, text };
    if (this.hasLeft) return;
    if (!this.state.get().isDirty) {
      this.ports.put(text, "outside");
      this.rebase(revision, text);
    } else if (this.ports.read() === text) {
      this.settle(this.file);
    }
  }

  /** Saves what was typed; nothing if nothing was. */
  save(): void {
    window.clearTimeout(this.saveTimer);
    const { isDirty, isSaving, clash } = this.state.get();
    if (!isDirty || clash) return;
    if (isSaving) {
      this.saveAfter(pauseMs);
      return;
    }
    const text = this.ports.read();
    if (text === this.base.text) {
      this.dropDraft();
      this.set({ isDirty: false, isRestored: false, error: null });
      // While it was being typed the file may have gone on.
      this.outside(this.file.revision, this.file.text);
      return;
    }
    void this.send(text);
  }

  /** Waits until what was typed is in the file; answers the revision that has it, or `null` when it could not be put there. */
  settled(): Promise<string | null> {
    this.save();
    return new Promise((done) => {
      let stop = () => {};
      const look = () => {
        const { isDirty, isSaving, clash, error, revision } = this.state.get();
        const isStuck = clash !== null || error !== null;
        if (isSaving || (isDirty && !isStuck)) return;
        stop();
        done(isStuck ? null : revision);
      };
      stop = this.state.subscribe(look);
      look();
    });
  }

  /** Leaves the editor with the focus: what was typed goes into the file; what was only found again waits. */
  blurred(): void {
    if (!this.state.get().isRestored) this.save();
  }

  /** Gives what waits to the draft: the page goes away. */
  flush(): void {
    if (this.draftTimer) this.keepNow();
  }

  /** The editor goes away. What was typed is saved, or stays as a draft. */
  leave(): void {
    this.flush();
    const text = this.ports.read();
    this.hasLeft = true;
    window.clearTimeout(this.lateTimer);
    this.ports = { ...this.ports, read: () => text, put: () => undefined };
    if (!this.state.get().isRestored) this.save();
  }

  /** Gives up what was typed for what the file holds. It can be typed back with the editor's own undo. */
  giveUp(): void {
    const file = this.state.get().clash?.file ?? this.file;
    this.ports.put(file.text, "chosen");
    this.settle(file);
  }

  /** Settles lines that were changed on both sides; the other lines of both stay as they are. */
  async choose(side: Side): Promise<void> {
    const { clash } = this.state.get();
    if (!clash) return;
    try {
      const base = await this.baseText();
      const { text } = together(base, this.ports.read(), clash.file.text, side);
      this.ports.put(text, "chosen");
      this.rebase(clash.file.revision, clash.file.text);
      this.set({ clash: null, isDirty: true, isRestored: false });
      this.keepNow();
      this.save();
    } catch (cause) {
      this.fail(cause);
    }
  }

  private async send(text: string): Promise<void> {
    const on = this.base.revision;
    this.set({ isSaving: true, error: null });
    try {
      const outcome = await this.ports.save(on, text);
      switch (outcome.outcome) {
        case "conflict":
          await this.meet(outcome);
          break;
        case "written":
          await this.saved(on, outcome.revision, text, outcome.merged);
          break;
        case "unchanged":
          await this.saved(on, outcome.revision, text, outcome.revision !== on);
          break;
      }
    } catch (cause) {
      this.fail(cause);
    } finally {
      this.set({ isSaving: false });
    }
  }

  /** `sent` is in the file, perhaps beside what others wrote. */
  private async saved(on: string, revision: string, sent: string, hasMore: boolean): Promise<void> {
    const text = hasMore ? await this.ports.textOf(revision) : sent;
    if (on !== revision) this.late.add(on);
    this.late.delete(revision);
    const now = this.ports.read();
    const met = now === sent ? { text, clashes: 0 } : together(sent, now, text, "mine");
    if (met.clashes > 0) {
      // Typed meanwhile in a line that somebody else changed: the next save is compared from where this one was.
      this.saveAfter(pauseMs);
      return;
    }
    if (met.text !== now) this.ports.put(met.text, "outside");
    this.rebase(revision, text);
    if (met.text === text) {
      this.dropDraft();
      this.set({ isDirty: false, isRestored: false });
    } else {
      this.saveAfter(pauseMs);
    }
  }

  private async meet(told: { revision: string; mine: string; theirs: string }): Promise<void> {
    if (this.hasLeft) {
      this.ports.tellLeft("Somebody else changed the same lines.");
      return;
    }
    const text = await this.ports.textOf(told.revision);
    this.file = { revision: told.revision, text };
    this.set({ clash: { mine: told.mine, theirs: told.theirs, file: this.file } });
  }

  private fail(cause: unknown): void {
    const message = cause instanceof Error ? cause.message : String(cause);
    this.set({ error: message });
    if (isInternal(cause)) this.ports.reportFault(cause);
    else if (this.hasLeft) this.ports.tellLeft(message);
  }

  private async baseText(): Promise<string> {
    this.base.text ??= await this.ports.textOf(this.base.revision);
    return this.base.text;
  }

  /** Nothing is typed: the editor shows this content. */
  private settle(file: { revision: string; text: string }): void {
    window.clearTimeout(this.saveTimer);
    this.dropDraft();
    this.rebase(file.revision, file.text);
    this.set({ isDirty: false, isRestored: false, clash: null, error: null });
  }

  private rebase(revision: string, text: string): void {
    this.base = { revision, text };
    this.file = { revision, text };
    this.set({ revision });
  }

  /** An answer of before a save came behind it. If no other follows, the file did go back to it. */
  private hearAgain(revision: string, text: string): void {
    window.clearTimeout(this.lateTimer);
    this.lateTimer = window.setTimeout(() => {
      this.late.clear();
      this.outside(revision, text);
    }, lateMs);
  }

  private keepNow(): void {
    window.clearTimeout(this.draftTimer);
    this.draftTimer = 0;
    this.ports.keepDraft(this.ports.read());
  }

  private dropDraft(): void {
    window.clearTimeout(this.draftTimer);
    this.draftTimer = 0;
    this.ports.dropDraft();
  }

  private saveAfter(ms: number): void {
    window.clearTimeout(this.saveTimer);
    this.saveTimer = window.setTimeout(() => this.save(), ms);
  }

  private set(change: Partial<Kept>): void {
    const now = this.state.get();
    const keys = Object.keys(change) as (keyof Kept)[];
    if (keys.some((key) => now[key] !== change[key])) this.state.set({ ...now, ...change });
  }
}
