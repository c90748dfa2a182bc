/** Prints the open plan. Renders all of it for the printer, because the outline on screen contains only the rows in view. */
import { useEffect, useMemo, useRef, useState } from "react";
import { createPortal } from "react-dom";
import type { Outline, Row } from "../../api/bindings";
import { useOutline } from "../../api/queries";
import { type RowReader, useRowReader } from "../../api/rowReader";
import { type Action, useActions } from "../../app/keys";
import { usePlace } from "../../app/place";
import { showToast } from "../../lib/toast";
import { words } from "../../words";
import { PrintedPlan } from "./PrintedPlan";

export default function PrintPart() {
  const { plan } = usePlace();
  const outline = useOutline(plan).data;
  const reader = useRowReader(plan ?? "", outline?.revision ?? "");
  const [printed, setPrinted] = useState<{ outline: Outline; rows: Row[] } | null>(null);
  const latest = useRef({ outline, reader });
  latest.current = { outline, reader };
  const isThere = outline !== undefined;

  useActions(
    useMemo<Action[]>(
      () => [
        {
          id: "plan.print",
          title: words.print.action,
          group: "plan",
          keys: "mod+p",
          inFields: true,
          when: () => isThere,
          run: () => {
            const { outline: shown, reader: read } = latest.current;
            if (!shown) return;
            allRows(read, shown.rows).then(
              (rows) => setPrinted({ outline: shown, rows }),
              (error: Error) =>
                showToast({ tone: "bad", title: words.print.failed, message: error.message }),
            );
          },
        },
      ],
      [isThere],
    ),
  );

  useEffect(() => {
    if (!printed) return;
    const done = () => setPrinted(null);
    window.addEventListener("afterprint", done, { once: true });
    // Prints after the frame in which the plan was rendered.
    const frame = requestAnimationFrame(() => window.print());
    return () => {
      cancelAnimationFrame(frame);
      window.removeEventListener("afterprint", done);
    };
  }, [printed]);

  return printed && createPortal(<PrintedPlan {...printed} />, document.body);
}

async function allRows(reader: RowReader, count: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (let at = 0; at < count; at += 1) {
    // Reading the first row of a page fetches it, again if it was evicted from the cache.
    const row = await reader.read(at);
    if (row) rows.push(row);
  }
  return rows;
}
