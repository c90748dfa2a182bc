/** One plan's text on screen: the editor, who keeps what is typed, and who checks it. They live as long as the view is open; what was typed and where one stood survive it. */
import { setDiagnostics } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Badge, Outline, SourceView, TextMark } from "../../api/bindings";
import { checkText, textFix } from "../../api/checkText";
import { useDraft } from "../../api/drafts";
import { reportFault } from "../../api/fault";
import { keys } from "../../api/keys";
import { findFiles, findTasks, knownCommands, readSource, saveText } from "../../api/sourceText";
import { getPlace } from "../../app/place";
import { createStore, useStore } from "../../lib/store";
import { showToast } from "../../lib/toast";
import { Checker } from "./checker";
import { type KeptEditor, keepEditor, openEditor, putText } from "./editor";
import { Keeper, type Kept } from "./keeper";
import { type MarkPorts, showMarks } from "./marks";
import { setTasks } from "./tasks";

/** What a check found, in the words of the status line. */
export interface Judged {
  badge: Badge | null;
  marks: number;
  /** Why it could not be checked. */
  problem: string | null;
}

export interface Desk {
  view: EditorView;
  keeper: Keeper;
  /** Whether the editor is as it was left when another view was opened, with this step selected. */
  cameBackWith: string | null | undefined;
}

export interface DeskCalls {
  /** The cursor came to stand elsewhere, by the person's doing. */
  moved: () => void;
  undoneAll: () => void;
  /** A finding is to be muted. */
  mute: (mark: TextMark) => void;
}

const draftKey = "source";
const atRest = createStore<Kept>({
  revision: "",
  isDirty: false,
  isSaving: false,
  isRestored: false,
  clash: null,
  error: null,
});

/** The editor of the plan that was left last: its undo, its folds, its cursor. */
let left: { plan: string; editor: KeptEditor; task: string | null } | null = null;

interface OnDesk {
  host: RefObject<HTMLDivElement | null>;
  desk: Desk | null;
  kept: Kept;
  /** `null` until the first check has answered. */
  judged: Judged | null;
  /** Whether what was typed before has been looked for. */
  isReady: boolean;
}

/**
 * @param first the text that the editor begins with
 * @param now the text of the newest revision, as soon as it is known
 */
export function useDesk(
  outline: Outline,
  first: SourceView,
  now: SourceView | null,
  calls: DeskCalls,
): OnDesk {
  const { plan } = outline;
  const cache = useQueryClient();
  const host = useRef<HTMLDivElement>(null);
  const [desk, setDesk] = useState<Desk | null>(null);
  const [judged, setJudged] = useState<Judged | null>(null);
  const kept = useStore(desk?.keeper.state ?? atRest);
  const draft = useDraft(plan, draftKey, "", kept.revision || first.revision);
  const isReady = draft.isReady;
  const latest = useRef({ outline, draft, calls });
  latest.current = { outline, draft, calls };

  // biome-ignore lint/correctness/useExhaustiveDependencies: opened once, with what was found then
  useLayoutEffect(() => {
    const parent = host.current;
    if (!parent || !isReady) return;
    const found = latest.current.draft;
    const restored =
      found.isDraft && first.is_writable ? { text: found.text, revision: found.revision } : null;
    let version = 0;
    const keptHere = left?.plan === plan ? left : null;
    left = null;

    const view = openEditor(
      parent,
      restored?.text ?? first.text,
      {
        isWritable: first.is_writable,
        knowledge: {
          files: (words) => findFiles(latest.current.outline.workspace, words),
          tasks: (words) => findTasks(plan, latest.current.outline.revision, words),
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
        typed: () => keeper.typed(view.state.doc.length),
        changed: () => {
          version += 1;
          checker.changed(view.state.doc.length);
        },
        moved: () => latest.current.calls.moved(),
        blurred: () => keeper.blurred(),
        undoneAll: () => latest.current.calls.undoneAll(),
      },
      keptHere?.editor ?? null,
    );

    const textOf = async (revision: string) => {
      const { text } = await cache.fetchQuery({
        queryKey: keys.source(plan, revision),
        queryFn: () => readSource(plan, revision),
      });
      return text;
    };
    const keeper = new Keeper(
      {
        read: () => view.state.doc.toString(),
        put: (text, why) => putText(view, text, why),
        save: async (revision, text) => {
          const outcome = await saveText(plan, revision, text);
          // What was sent is what the file holds: it need not be asked for.
          if (outcome.outcome === "written" && !outcome.merged) {
            cache.setQueryData<SourceView>(keys.source(plan, outcome.revision), {
              ...first,
              revision: outcome.revision,
              text,
            });
          }
          return outcome;
        },
        textOf,
        keepDraft: (text) => latest.current.draft.set(text),
        dropDraft: () => latest.current.draft.isDraft && latest.current.draft.drop(),
        tellLeft,
        reportFault: (cause) => reportFault(cause, "Saving the text"),
      },
      first,
      restored,
    );
    const ports: MarkPorts = {
      fix: (text, finding, option) => textFix(plan, text, finding, option),
      mute: (mark) => latest.current.calls.mute(mark),
      failed: (cause) =>
        showToast({
          tone: "bad",
          title: "The text was not mended",
          message: cause instanceof Error ? cause.message : String(cause),
        }),
    };
    const checker = new Checker({
      read: () => view.state.doc.toString(),
      version: () => version,
      check: (text) => checkText(plan, text),
      found: (report) => {
        showMarks(view, report.marks, [setTasks.of(report.tasks)], ports);
        setJudged({ badge: report.badge, marks: report.marks.length, problem: null });
      },
      failed: (cause) => {
        const problem = cause instanceof Error ? cause.message : String(cause);
        // Marks of an older text would point beside what they mean.
        view.dispatch(setDiagnostics(view.state, []));
        setJudged({ badge: null, marks: 0, problem });
      },
    });
    void checker.now();
    const flush = () => keeper.flush();
    window.addEventListener("pagehide", flush, { capture: true });
    setDesk({ view, keeper, cameBackWith: keptHere ? keptHere.task : undefined });

    return () => {
      window.removeEventListener("pagehide", flush, { capture: true });
      checker.stop();
      left = { plan, editor: keepEditor(view), task: getPlace().task };
      keeper.leave();
      view.destroy();
      setDesk(null);
    };
  }, [isReady]);

  const { isSaving } = kept;
  // biome-ignore lint/correctness/useExhaustiveDependencies: heard again when a save is over
  useEffect(() => {
    if (now && desk) desk.keeper.outside(now.revision, now.text);
  }, [now, desk, isSaving]);

  // Texts of before are large, and nobody asks for them again.
  const shown = now?.revision;
  useEffect(() => {
    if (!shown) return;
    return () => {
      const key = keys.source(plan, shown);
      window.setTimeout(() => cache.removeQueries({ queryKey: key, type: "inactive" }));
    };
  }, [cache, plan, shown]);

  return { host, desk, kept, judged, isReady };
}

function tellLeft(message: string): void {
  showToast({
    tone: "bad",
    title: "What you typed is not in the plan",
    message: `${message} It is kept: open the source again to see it.`,
  });
}
