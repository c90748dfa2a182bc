/** The receipt dialog, loaded when it is first opened. */
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
