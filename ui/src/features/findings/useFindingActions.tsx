/** Actions on findings, wherever they are listed: fixing, muting, unmuting, and opening their lines in an editor; with the dialogs that these need. */
import { lazy, type ReactNode, Suspense, useState } from "react";
import type { Outline, WindowFinding } from "../../api/bindings";
import { words } from "../../words";
import { useSend } from "../outline/useSend";
import { useOpenPlan } from "../share/useOpenPlan";
import type { FindingActions } from "./FindingRow";
import type { MuteTarget } from "./MuteDialog";
import { useFixing } from "./useFixing";

const MuteDialog = lazy(() =>
  import("./MuteDialog").then((found) => ({ default: found.MuteDialog })),
);

/** The actions that change the plan are absent if it is read-only. */
export function useFindingActions(outline: Outline): {
  actions: Omit<FindingActions, "onShow">;
  dialogs: ReactNode;
} {
  const { plan, revision, is_writable: isWritable } = outline;
  const send = useSend(plan);
  const { fix, dialog } = useFixing(outline);
  const openPlan = useOpenPlan(outline);
  const [muting, setMuting] = useState<MuteTarget | null>(null);
  const unmute = async (finding: WindowFinding) => {
    const outcome = await send.unmute(revision, finding.id);
    if (outcome?.outcome === "written") {
      send.offerUndo(words.findings.muteDialog.unmuted(finding.message), outcome.revision);
    }
  };
  const onOpen = openPlan ? ({ line }: WindowFinding) => openPlan.atLine(line) : undefined;
  return {
    actions: isWritable
      ? {
          onOpen,
          onFix: ({ id }, option, wantsPreview) => fix(id, option, wantsPreview),
          onMute: setMuting,
          onUnmute: (finding) => void unmute(finding),
        }
      : { onOpen },
    dialogs: (
      <>
        {dialog}
        {muting && (
          <Suspense fallback={null}>
            <MuteDialog outline={outline} muting={muting} onClose={() => setMuting(null)} />
          </Suspense>
        )}
      </>
    ),
  };
}
