/** Taking changes back beside the plan: the dialog's code is loaded when it is first asked for, and stays for what came of it. */
import { lazy, Suspense, useEffect, useState } from "react";
import { useStore } from "../../lib/store";
import { undoAsked } from "./undo";

const UndoDialog = lazy(() =>
  import("./UndoDialog").then((found) => ({ default: found.UndoDialog })),
);

export default function UndoPart() {
  const what = useStore(undoAsked);
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => {
    if (what) setNeeded(true);
  }, [what]);
  useEffect(() => () => undoAsked.set(null), []);
  if (!isNeeded) return null;
  return (
    <Suspense fallback={null}>
      <UndoDialog />
    </Suspense>
  );
}
