/** The actions of the History view. */
import { useMemo, useRef } from "react";
import { type Action, useActions } from "../../app/keys";
import { words } from "../../words";

export interface HistoryHandlers {
  hasEntry: boolean;
  hasMore: boolean;
  canSwap: boolean;
  canRestore: boolean;
  canUndo: boolean;
  canRedo: boolean;
  step: (by: number) => void;
  mark: () => void;
  compareCurrent: () => void;
  comparePrevious: () => void;
  swap: () => void;
  toggleView: () => void;
  restore: () => void;
  more: () => void;
  undo: () => void;
  redo: () => void;
}

export function useHistoryActions(handlers: HistoryHandlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;

  useActions(
    useMemo<Action[]>(() => {
      const titles = words.history.actions;
      const hasEntry = () => latest.current.hasEntry;
      return [
        {
          id: "history.older",
          title: titles.older,
          group: "go",
          keys: "j",
          when: hasEntry,
          run: () => latest.current.step(1),
        },
        {
          id: "history.newer",
          title: titles.newer,
          group: "go",
          keys: "k",
          when: hasEntry,
          run: () => latest.current.step(-1),
        },
        {
          id: "history.mark",
          title: titles.mark,
          group: "plan",
          keys: "m",
          when: hasEntry,
          run: () => latest.current.mark(),
        },
        {
          id: "history.now",
          title: titles.compareCurrent,
          group: "plan",
          keys: "n",
          when: hasEntry,
          run: () => latest.current.compareCurrent(),
        },
        {
          id: "history.before",
          title: titles.comparePrevious,
          group: "plan",
          keys: "b",
          when: hasEntry,
          run: () => latest.current.comparePrevious(),
        },
        {
          id: "history.swap",
          title: titles.swap,
          group: "plan",
          keys: "x",
          when: () => latest.current.canSwap,
          run: () => latest.current.swap(),
        },
        {
          id: "history.shown",
          title: titles.toggleView,
          group: "plan",
          keys: "t",
          when: hasEntry,
          run: () => latest.current.toggleView(),
        },
        {
          id: "history.restore",
          title: titles.restore,
          group: "edit",
          keys: "shift+r",
          when: () => latest.current.canRestore,
          run: () => latest.current.restore(),
        },
        {
          id: "history.more",
          title: titles.more,
          group: "plan",
          keys: "o",
          when: () => latest.current.hasMore,
          run: () => latest.current.more(),
        },
        // These ids are the same as in the outline, which is never on screen together with the history.
        {
          id: "outline.undo",
          title: titles.undo,
          group: "edit",
          keys: "mod+z",
          when: () => latest.current.canUndo,
          run: () => latest.current.undo(),
        },
        {
          id: "outline.redo",
          title: titles.redo,
          group: "edit",
          keys: "mod+shift+z",
          when: () => latest.current.canRedo,
          run: () => latest.current.redo(),
        },
      ];
    }, []),
  );
}
