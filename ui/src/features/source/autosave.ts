/** Saves the typed text of one plan: right away as a draft, and to the file after a pause, on blur, on close or on request.
 *
 *  Text being typed is never overwritten. If nothing is typed, changes on disk are shown right away; otherwise the backend
 *  merges the next save, and if it can't, both sides are shown. Independent of the editor and of React. */
import type { EditOutcome } from "../../api/bindings";
import { isInternal } from "../../api/client";
import { createStore, type Store } from "../../lib/store";
import { words } from "../../words";
import { merge, type Side } from "./changes";

/** Delay between typing and saving, in milliseconds. */
export const pauseMs = 800;
/** Milliseconds between updates of the draft. */
const draftMs = 10;
/** Milliseconds between updates for a long text, which takes longer to copy. */
const longDraftMs = 250;
const longText = 300_000;
/** How long after a save the text of an older revision may still arrive, in milliseconds. */
const staleMs = 1500;

/** A revision and its text, which is `null` until it is needed. */
export interface Base {
  revision: string;
  text: string | null;
}

/** Both versions of lines that were changed here and on disk. */
export interface Conflict {
  mine: string;
  theirs: string;
  /** The file's current text. */
  file: { revision: string; text: string };
}

export interface AutosaveState {
  /** The revision that the typed text is based on. */
  revision: string;
  /** Whether the text differs, or may differ, from the file's. */
  isDirty: boolean;
  isSaving: boolean;
  /** Whether the text is a restored draft and nothing has been typed since. */
  isRestored: boolean;
  conflict: Conflict | null;
  error: string | null;
}

export interface AutosavePorts {
  /** Reads the editor's text. */
  read: () => string;
  /** Replaces the editor's text. With `chosen`, the change is the person's choice and can be undone. */
  put: (text: string, why: "outside" | "chosen") => void;
  save: (revision: string, text: string) => Promise<EditOutcome>;
  textOf: (revision: string) => Promise<string>;
  keepDraft: (text: string) => void;
  dropDraft: () => void;
  /** Called when the person has resolved a conflict and the file contains the result. */
  decided: (side: Side, lines: { mine: string; theirs: string }) => void;
  /** Reports that the text couldn't be saved when the editor was closed. It is kept as a draft. */
  reportUnsaved: (reason: string) => void;
  /** Reports an internal error. */
  reportFault: (cause: unknown) => void;
}

export class Autosave {
  readonly state: Store<AutosaveState>;
  private base: Base;
  /** The file's latest known text. */
  private file: { revision: string; text: string };
  /** Revisions replaced by a save, whose texts may still arrive after it. */
  private stale = new Set<string>();
  private ports: AutosavePorts;
  private isClosed = false;
  private saveTimer = 0;
  private draftTimer = 0;
  private staleTimer = 0;

  /** @param draft text typed before this window was opened, with the revision on screen then */
  constructor(
    ports: AutosavePorts,
    file: { revision: string; text: string },
    draft: { text: string; revision: string | null } | null,
  ) {
    this.ports = ports;
    this.file = file;
    const base = draft?.revision ?? file.revision;
    this.base = { revision: base, text: base === file.revision ? file.text : null };
    this.state = createStore<AutosaveState>({
      revision: base,
      isDirty: draft !== null,
      isSaving: false,
      isRestored: draft !== null,
      conflict: null,
      error: null,
    });
    if (draft && draft.text === file.text) this.reset(file);
  }

  /** To be called when the person has changed the text. */
  typed(length: number): void {
    this.set({ isDirty: true, isRestored: false, error: null });
    if (!this.draftTimer) {
      const wait = length > longText ? longDraftMs : draftMs;
      this.draftTimer = window.setTimeout(() => this.keepDraftNow(), wait);
    }
    this.saveAfter(pauseMs);
  }

  /** To be called with the file's text whenever it may have changed. */
  fileChanged(revision: string, text: string): void {
    window.clearTimeout(this.staleTimer);
    if (revision === this.base.revision) {
      this.stale.clear();
      this.file = { revision, text };
      this.base.text = text;
      return;
    }
    if (this.state.get().isSaving) {
      this.stale.add(revision);
      return;
    }
    if (this.stale.has(revision)) {
      this.recheckLater(revision, text);
      return;
    }
    this.file = { revision, text };
    if (this.isClosed) return;
    if (!this.state.get().isDirty) {
      this.ports.put(text, "outside");
      this.rebase(revision, text);
    } else if (this.ports.read() === text) {
      this.reset(this.file);
    }
  }

  /** Saves the typed text, if any. */
  save(): void {
    window.clearTimeout(this.saveTimer);
    const { isDirty, isSaving, conflict } = this.state.get();
    if (!isDirty || conflict) return;
    if (isSaving) {
      this.saveAfter(pauseMs);
      return;
    }
    const text = this.ports.read();
    if (text === this.base.text) {
      this.dropDraft();
      this.set({ isDirty: false, isRestored: false, error: null });
      // The file may have changed while typing.
      this.fileChanged(this.file.revision, this.file.text);
      return;
    }
    void this.send(text);
  }

  /** Waits until the typed text is saved. Resolves to its revision, or `null` if it couldn't be saved. */
  settled(): Promise<string | null> {
    this.save();
    return new Promise((done) => {
      let stop = () => {};
      const check = () => {
        const { isDirty, isSaving, conflict, error, revision } = this.state.get();
        const isStuck = conflict !== null || error !== null;
        if (isSaving || (isDirty && !isStuck)) return;
        stop();
        done(isStuck ? null : revision);
      };
      stop = this.state.subscribe(check);
      check();
    });
  }

  /** To be called when the editor loses focus. Typed text is saved; a restored draft isn't. */
  blurred(): void {
    if (!this.state.get().isRestored) this.save();
  }

  /** Updates the draft right away, because the page is closing. */
  flush(): void {
    if (this.draftTimer) this.keepDraftNow();
  }

  /** To be called when the editor closes. Typed text is saved, or kept as a draft if that fails. */
  close(): void {
    this.flush();
    const text = this.ports.read();
    this.isClosed = true;
    window.clearTimeout(this.staleTimer);
    this.ports = { ...this.ports, read: () => text, put: () => undefined };
    if (!this.state.get().isRestored) this.save();
  }

  /** Replaces the typed text with the file's text. The editor's undo restores it. */
  discard(): void {
    const file = this.state.get().conflict?.file ?? this.file;
    this.ports.put(file.text, "chosen");
    this.reset(file);
  }

  /** Resolves a conflict. Lines that only one side changed are kept either way. */
  async resolve(side: Side): Promise<void> {
    const { conflict } = this.state.get();
    if (!conflict) return;
    try {
      const base = await this.baseText();
      const { text } = merge(base, this.ports.read(), conflict.file.text, side);
      this.ports.put(text, "chosen");
      this.rebase(conflict.file.revision, conflict.file.text);
      this.set({ conflict: null, isDirty: true, isRestored: false });
      this.keepDraftNow();
      const { mine, theirs } = conflict;
      void this.settled().then((revision) => {
        if (revision !== null) this.ports.decided(side, { mine, theirs });
      });
    } catch (cause) {
      this.fail(cause);
    }
  }

  private async send(text: string): Promise<void> {
    const base = this.base.revision;
    this.set({ isSaving: true, error: null });
    try {
      const outcome = await this.ports.save(base, text);
      switch (outcome.outcome) {
        case "conflict":
          await this.showConflict(outcome);
          break;
        case "written":
          await this.saved(base, outcome.revision, text, outcome.merged);
          break;
        case "unchanged":
          await this.saved(base, outcome.revision, text, outcome.revision !== base);
          break;
      }
    } catch (cause) {
      this.fail(cause);
    } finally {
      this.set({ isSaving: false });
    }
  }

  /** Handles a completed save: `sent` is in the file, perhaps merged with other changes. */
  private async saved(
    base: string,
    revision: string,
    sent: string,
    isMerged: boolean,
  ): Promise<void> {
    const text = isMerged ? await this.ports.textOf(revision) : sent;
    if (base !== revision) this.stale.add(base);
    this.stale.delete(revision);
    const now = this.ports.read();
    const merged = now === sent ? { text, conflicts: 0 } : merge(sent, now, text, "mine");
    if (merged.conflicts > 0) {
      // A line that was edited during the save was also changed on disk, so the next save uses the same base.
      this.saveAfter(pauseMs);
      return;
    }
    if (merged.text !== now) this.ports.put(merged.text, "outside");
    this.rebase(revision, text);
    if (merged.text === text) {
      this.dropDraft();
      this.set({ isDirty: false, isRestored: false });
    } else {
      this.saveAfter(pauseMs);
    }
  }

  private async showConflict(outcome: {
    revision: string;
    mine: string;
    theirs: string;
  }): Promise<void> {
    if (this.isClosed) {
      this.ports.reportUnsaved(words.source.toasts.leftConflict);
      return;
    }
    const text = await this.ports.textOf(outcome.revision);
    this.file = { revision: outcome.revision, text };
    this.set({ conflict: { mine: outcome.mine, theirs: outcome.theirs, file: this.file } });
  }

  private fail(cause: unknown): void {
    const message = cause instanceof Error ? cause.message : String(cause);
    this.set({ error: message });
    if (isInternal(cause)) this.ports.reportFault(cause);
    else if (this.isClosed) this.ports.reportUnsaved(message);
  }

  private async baseText(): Promise<string> {
    this.base.text ??= await this.ports.textOf(this.base.revision);
    return this.base.text;
  }

  /** Marks the text as unchanged: the editor shows the file's text. */
  private reset(file: { revision: string; text: string }): void {
    window.clearTimeout(this.saveTimer);
    this.dropDraft();
    this.rebase(file.revision, file.text);
    this.set({ isDirty: false, isRestored: false, conflict: null, error: null });
  }

  private rebase(revision: string, text: string): void {
    this.base = { revision, text };
    this.file = { revision, text };
    this.set({ revision });
  }

  /** Handles the text of a replaced revision. If no newer one follows soon, the file was really reverted to it. */
  private recheckLater(revision: string, text: string): void {
    window.clearTimeout(this.staleTimer);
    this.staleTimer = window.setTimeout(() => {
      this.stale.clear();
      this.fileChanged(revision, text);
    }, staleMs);
  }

  private keepDraftNow(): void {
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

  private set(change: Partial<AutosaveState>): void {
    const now = this.state.get();
    const keys = Object.keys(change) as (keyof AutosaveState)[];
    if (keys.some((key) => now[key] !== change[key])) this.state.set({ ...now, ...change });
  }
}
