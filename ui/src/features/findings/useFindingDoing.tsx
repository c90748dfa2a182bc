/** What is done about findings, wherever they are shown: fixes with their preview, muting with a reason, hearing of one again; and the dialogs that this takes. */
import { lazy, type ReactNode, Suspense, useCallback, useState } from "react";
import type { Outline, WindowFinding } from "../../api/bindings";
import { useSend } from "../outline/useSend";
import type { FindingDoing } from "./FindingRow";
import { FixDialog } from "./FixDialog";
import type { Muting } from "./MuteDialog";

const MuteDialog = lazy(() =>
  import("./MuteDialog").then((found) => ({ default: found.MuteDialog })),
);

/** Verbs are absent where the plan cannot be written. */
export function useFindingDoing(outline: Outline): {
  doing: Omit<FindingDoing, "onShow">;
  dialogs: ReactNode;
} {
  const { plan, revision, is_writable: isWritable } = outline;
  const send = useSend(plan);
  const [fixing, setFixing] = useState<{ id: string; option: number } | null>(null);
  const [muting, setMuting] = useState<Muting | null>(null);
  const closeFix = useCallback(() => setFixing(null), []);
  const unmute = async (finding: WindowFinding) => {
    const outcome = await send.unmute(revision, finding.id);
    if (outcome?.outcome === "written") {
      send.offerUndo(`Heard of again: ${finding.message}`, outcome.revision);
    }
  };
  return {
    doing: isWritable
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
