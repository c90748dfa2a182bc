/** The undo dialog of an open plan. Its code is loaded on the first request, and it stays mounted to show the result. */
import { lazy, Suspense, useEffect, useState } from "react";
import { useStore } from "../../lib/store";
import { undoRequest } from "./undo";

const UndoDialog = lazy(() =>
  import("./UndoDialog").then((found) => ({ default: found.UndoDialog })),
);

export default function UndoPart() {
  const what = useStore(undoRequest);
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => {
    if (what) setNeeded(true);
  }, [what]);
  useEffect(() => () => undoRequest.set(null), []);
  if (!isNeeded) return null;
  return (
    <Suspense fallback={null}>
      <UndoDialog />
    </Suspense>
  );
}
