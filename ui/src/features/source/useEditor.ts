/** The editor of one plan with its autosave and checker, for as long as the view is open. Typed text, undo history and cursor are kept when it is closed. */
import { setDiagnostics } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Badge, Outline, SourceView, TextMark } from "../../api/bindings";
import { checkText, textFix } from "../../api/checkText";
import { useDraft } from "../../api/drafts";
import { reportFault } from "../../api/fault";
import { settleConflicts } from "../../api/fieldEdit";
import { keys } from "../../api/keys";
import { findFiles, findTasks, knownCommands, readSource, saveText } from "../../api/sourceText";
import { getPlace } from "../../app/place";
import { createStore, useStore } from "../../lib/store";
import { showToast } from "../../lib/toast";
import { words } from "../../words";
import { Autosave, type AutosaveState } from "./autosave";
import { Checker } from "./checker";
import { openEditor, putText, type SavedEditor, saveEditor } from "./editor";
import { type MarkPorts, showMarks } from "./marks";
import { setTasks } from "./tasks";

const text = words.source.toasts;

/** The result of a check, for the status line. */
export interface CheckResult {
  badge: Badge | null;
  marks: number;
  /** Why the text couldn't be checked. */
  problem: string | null;
}

export interface OpenEditor {
  view: EditorView;
  autosave: Autosave;
  /** The step that was selected when the editor was closed; `undefined` if the editor wasn't restored. */
  restoredTask: string | null | undefined;
}

export interface EditorHandlers {
  /** Called when the person moves the cursor. */
  cursorMoved: () => void;
  undoneAll: () => void;
  /** Called when the person wants to mute a finding. */
  mute: (mark: TextMark) => void;
}

const draftKey = "source";
const idle = createStore<AutosaveState>({
  revision: "",
  isDirty: false,
  isSaving: false,
  isRestored: false,
  conflict: null,
  error: null,
});

/** The editor that was closed last, with its undo history, folds and cursor. */
let lastClosed: { plan: string; editor: SavedEditor; task: string | null } | null = null;

interface EditorState {
  host: RefObject<HTMLDivElement | null>;
  editor: OpenEditor | null;
  saving: AutosaveState;
  /** `null` until the first check is done. */
  checked: CheckResult | null;
  /** Whether the search for a draft is complete. */
  isReady: boolean;
}

/**
 * @param first the text that the editor opens with
 * @param now the text of the latest revision, once it is loaded
 */
export function useEditor(
  outline: Outline,
  first: SourceView,
  now: SourceView | null,
  handlers: EditorHandlers,
): EditorState {
  const { plan } = outline;
  const cache = useQueryClient();
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<OpenEditor | null>(null);
  const [checked, setChecked] = useState<CheckResult | null>(null);
  const saving = useStore(editor?.autosave.state ?? idle);
  const draft = useDraft(plan, draftKey, "", saving.revision || first.revision);
  const isReady = draft.isReady;
  const latest = useRef({ outline, draft, handlers });
  latest.current = { outline, draft, handlers };

  // biome-ignore lint/correctness/useExhaustiveDependencies: opened once, with the draft found then
  useLayoutEffect(() => {
    const parent = host.current;
    if (!parent || !isReady) return;
    const saved = latest.current.draft;
    const restored =
      saved.isDraft && first.is_writable ? { text: saved.text, revision: saved.revision } : null;
    let version = 0;
    const reopened = lastClosed?.plan === plan ? lastClosed : null;
    lastClosed = null;

    const view = openEditor(
      parent,
      restored?.text ?? first.text,
      {
        isWritable: first.is_writable,
        completions: {
          files: (typed) => findFiles(latest.current.outline.workspace, typed),
          tasks: (typed) => findTasks(plan, latest.current.outline.revision, typed),
          commands: () => {
            const { workspace } = latest.current.outline;
            return cache.fetchQuery({
              queryKey: keys.knownCommands(workspace),
              queryFn: () => knownCommands(workspace),
              staleTime: 60_000,
            });
          },
          requirements: () => latest.current.outline.requirements,
        },
        typed: () => autosave.typed(view.state.doc.length),
        changed: () => {
          version += 1;
          checker.changed(view.state.doc.length);
        },
        moved: () => latest.current.handlers.cursorMoved(),
        blurred: () => autosave.blurred(),
        undoneAll: () => latest.current.handlers.undoneAll(),
      },
      reopened?.editor ?? null,
    );

    const textOf = async (revision: string) => {
      const source = await cache.fetchQuery({
        queryKey: keys.source(plan, revision),
        queryFn: () => readSource(plan, revision),
      });
      return source.text;
    };
    const autosave = new Autosave(
      {
        read: () => view.state.doc.toString(),
        put: (doc, why) => putText(view, doc, why),
        save: async (revision, doc) => {
          const outcome = await saveText(plan, revision, doc);
          // The file now has exactly this text, so it needn't be loaded.
          if (outcome.outcome === "written" && !outcome.merged) {
            cache.setQueryData<SourceView>(keys.source(plan, outcome.revision), {
              ...first,
              revision: outcome.revision,
              text: doc,
            });
          }
          return outcome;
        },
        textOf,
        keepDraft: (doc) => latest.current.draft.set(doc),
        dropDraft: () => latest.current.draft.isDraft && latest.current.draft.drop(),
        decided: (side, lines) => void settleConflicts(plan, side, { of: "text", ...lines }),
        reportUnsaved,
        reportFault: (cause) => reportFault(cause, words.source.faults.saving),
      },
      first,
      restored,
    );
    const ports: MarkPorts = {
      fix: (doc, finding, option) => textFix(plan, doc, finding, option),
      mute: (mark) => latest.current.handlers.mute(mark),
      failed: (cause) =>
        showToast({
          tone: "bad",
          title: text.fixFailed,
          message: cause instanceof Error ? cause.message : String(cause),
        }),
    };
    const checker = new Checker({
      read: () => view.state.doc.toString(),
      version: () => version,
      check: (doc) => checkText(plan, doc),
      found: (report) => {
        showMarks(view, report.marks, [setTasks.of(report.tasks)], ports);
        setChecked({ badge: report.badge, marks: report.marks.length, problem: null });
      },
      failed: (cause) => {
        const problem = cause instanceof Error ? cause.message : String(cause);
        // Removes the marks: they belong to older text and would be in the wrong places.
        view.dispatch(setDiagnostics(view.state, []));
        setChecked({ badge: null, marks: 0, problem });
      },
    });
    void checker.now();
    const flush = () => autosave.flush();
    window.addEventListener("pagehide", flush, { capture: true });
    setEditor({ view, autosave, restoredTask: reopened ? reopened.task : undefined });

    return () => {
      window.removeEventListener("pagehide", flush, { capture: true });
      checker.stop();
      lastClosed = { plan, editor: saveEditor(view), task: getPlace().task };
      autosave.close();
      view.destroy();
      setEditor(null);
    };
  }, [isReady]);

  const { isSaving } = saving;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when a save is done
  useEffect(() => {
    if (now && editor) editor.autosave.fileChanged(now.revision, now.text);
  }, [now, editor, isSaving]);

  // Removes the texts of old revisions from the cache: they are large and not needed again.
  const shown = now?.revision;
  useEffect(() => {
    if (!shown) return;
    return () => {
      const key = keys.source(plan, shown);
      window.setTimeout(() => cache.removeQueries({ queryKey: key, type: "inactive" }));
    };
  }, [cache, plan, shown]);

  return { host, editor, saving, checked, isReady };
}

function reportUnsaved(reason: string): void {
  showToast({
    tone: "bad",
    title: text.leftUnsaved,
    message: text.leftUnsavedMessage(reason),
  });
}
