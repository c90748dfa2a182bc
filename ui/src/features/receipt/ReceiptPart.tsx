/** The receipt beside the plan: its code is loaded when it is asked for. */
import { lazy, Suspense, useEffect } from "react";
import { useStore } from "../../lib/store";
import { receiptOf } from "./open";

const ReceiptDialog = lazy(() =>
  import("./ReceiptDialog").then((found) => ({ default: found.ReceiptDialog })),
);

export default function ReceiptPart() {
  const run = useStore(receiptOf);
  useEffect(() => () => receiptOf.set(null), []);
  if (run === null) return null;
  return (
    <Suspense fallback={null}>
      <ReceiptDialog run={run} />
    </Suspense>
  );
}
