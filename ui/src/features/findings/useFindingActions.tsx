/** Fixing, muting and unmuting findings, wherever they are listed, with the dialogs for it. */
import { lazy, type ReactNode, Suspense, useCallback, useState } from "react";
import type { Outline, WindowFinding } from "../../api/bindings";
import { words } from "../../words";
import { useSend } from "../outline/useSend";
import type { FindingActions } from "./FindingRow";
import { FixDialog } from "./FixDialog";
import type { MuteTarget } from "./MuteDialog";

const MuteDialog = lazy(() =>
  import("./MuteDialog").then((found) => ({ default: found.MuteDialog })),
);

/** The actions are absent if the plan is read-only. */
export function useFindingActions(outline: Outline): {
  actions: Omit<FindingActions, "onShow">;
  dialogs: ReactNode;
} {
  const { plan, revision, is_writable: isWritable } = outline;
  const send = useSend(plan);
  const [fixing, setFixing] = useState<{ id: string; option: number } | null>(null);
  const [muting, setMuting] = useState<MuteTarget | null>(null);
  const closeFix = useCallback(() => setFixing(null), []);
  const unmute = async (finding: WindowFinding) => {
    const outcome = await send.unmute(revision, finding.id);
    if (outcome?.outcome === "written") {
      send.offerUndo(words.findings.muteDialog.unmuted(finding.message), outcome.revision);
    }
  };
  return {
    actions: isWritable
      ? {
          onFix: ({ id }, option) => setFixing({ id, option }),
          onMute: setMuting,
          onUnmute: (finding) => void unmute(finding),
        }
      : {},
    dialogs: (
      <>
        <FixDialog
          outline={outline}
          finding={fixing?.id ?? null}
          option={fixing?.option}
          onClose={closeFix}
        />
        {muting && (
          <Suspense fallback={null}>
            <MuteDialog outline={outline} muting={muting} onClose={() => setMuting(null)} />
          </Suspense>
        )}
      </>
    ),
  };
}
