/** The keys of the History view, in palette and `?` sheet too. */
import { useMemo, useRef } from "react";
import { type Action, useActions } from "../../app/keys";

export interface HistoryDoing {
  hasEntry: boolean;
  hasMore: boolean;
  canSwap: boolean;
  canRestore: boolean;
  canUndo: boolean;
  canRedo: boolean;
  step: (by: number) => void;
  mark: () => void;
  withNow: () => void;
  withBefore: () => void;
  swap: () => void;
  turn: () => void;
  restore: () => void;
  more: () => void;
  undo: () => void;
  redo: () => void;
}

export function useHistoryActions(doing: HistoryDoing): void {
  const now = useRef(doing);
  now.current = doing;

  useActions(
    useMemo<Action[]>(() => {
      const hasEntry = () => now.current.hasEntry;
      return [
        {
          id: "history.older",
          title: "Choose the version before",
          group: "Go to",
          keys: "j",
          when: hasEntry,
          run: () => now.current.step(1),
        },
        {
          id: "history.newer",
          title: "Choose the version after",
          group: "Go to",
          keys: "k",
          when: hasEntry,
          run: () => now.current.step(-1),
        },
        {
          id: "history.mark",
          title: "Mark the chosen version, to compare others with it",
          group: "Plan",
          keys: "m",
          when: hasEntry,
          run: () => now.current.mark(),
        },
        {
          id: "history.now",
          title: "Compare the chosen version with now",
          group: "Plan",
          keys: "n",
          when: hasEntry,
          run: () => now.current.withNow(),
        },
        {
          id: "history.before",
          title: "Compare the chosen version with the one before it",
          group: "Plan",
          keys: "b",
          when: hasEntry,
          run: () => now.current.withBefore(),
        },
        {
          id: "history.swap",
          title: "Turn the comparison round",
          group: "Plan",
          keys: "x",
          when: () => now.current.canSwap,
          run: () => now.current.swap(),
        },
        {
          id: "history.shown",
          title: "Compare as tasks or as text",
          group: "Plan",
          keys: "t",
          when: hasEntry,
          run: () => now.current.turn(),
        },
        {
          id: "history.restore",
          title: "Restore a version…",
          group: "Edit",
          keys: "shift+r",
          when: () => now.current.canRestore,
          run: () => now.current.restore(),
        },
        {
          id: "history.more",
          title: "Show older versions",
          group: "Plan",
          keys: "o",
          when: () => now.current.hasMore,
          run: () => now.current.more(),
        },
        // The outline's own, which is not on screen beside the history.
        {
          id: "outline.undo",
          title: "Take the last edit back",
          group: "Edit",
          keys: "mod+z",
          when: () => now.current.canUndo,
          run: () => now.current.undo(),
        },
        {
          id: "outline.redo",
          title: "Make the edit again that was taken back",
          group: "Edit",
          keys: "mod+shift+z",
          when: () => now.current.canRedo,
          run: () => now.current.redo(),
        },
      ];
    }, []),
  );
}
