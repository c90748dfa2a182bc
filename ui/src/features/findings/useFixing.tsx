/** Fixes findings: a small change is made at once, with an undo; a larger one is previewed first; any fix can be previewed on request. */
import { type ReactNode, useCallback, useRef, useState } from "react";
import type { FixPreview, Outline } from "../../api/bindings";
import { useReadFixPreview } from "../../api/fixes";
import { words } from "../../words";
import { useSend } from "../outline/useSend";
import { FixDialog } from "./FixDialog";

/** A fix that adds and removes more lines than this in total is previewed first. */
export const maxQuietLines = 6;

function isSmall({ diff }: FixPreview): boolean {
  return diff.filter(({ kind }) => kind === "added" || kind === "removed").length <= maxQuietLines;
}

export interface Fixing {
  /** @param option an index into the finding's fixes; 0 is the recommended one */
  fix: (finding: string, option: number, wantsPreview: boolean) => void;
  dialog: ReactNode;
}

export function useFixing(outline: Outline): Fixing {
  const { plan, revision } = outline;
  const send = useSend(plan);
  const readPreview = useReadFixPreview();
  const [previewed, setPreviewed] = useState<{ id: string; option: number } | null>(null);
  const close = useCallback(() => setPreviewed(null), []);
  const isBusy = useRef(false);

  const fixNow = useCallback(
    async (id: string, option: number) => {
      const preview = await readPreview(plan, revision, id, option);
      if (!preview || !isSmall(preview)) {
        setPreviewed({ id, option });
        return;
      }
      const outcome = await send.fix(preview.revision, id, option, preview.label);
      if (outcome?.outcome === "written") {
        send.offerUndo(words.findings.fixDialog.applied(preview.label), outcome.revision);
      }
    },
    [plan, revision, readPreview, send],
  );

  const fix = useCallback(
    (id: string, option: number, wantsPreview: boolean) => {
      if (wantsPreview) {
        setPreviewed({ id, option });
        return;
      }
      // Ignores the second click of a double click.
      if (isBusy.current) return;
      isBusy.current = true;
      void fixNow(id, option).finally(() => {
        isBusy.current = false;
      });
    },
    [fixNow],
  );

  return {
    fix,
    dialog: (
      <FixDialog
        outline={outline}
        finding={previewed?.id ?? null}
        option={previewed?.option}
        onClose={close}
      />
    ),
  };
}
