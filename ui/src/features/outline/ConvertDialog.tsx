/** Confirms converting the file (list items or headings to steps, or the file to Planwright's format) with a diff of every change. */
import { memo } from "react";
import type { Edit, Outline } from "../../api/bindings";
import { usePreviewEdit } from "../../api/queries";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Diff } from "../../components/Diff";
import { ErrorState, Loading } from "../../components/States";
import { createStore, useStore } from "../../lib/store";
import { words } from "../../words";
import type { Send } from "./useSend";

export type Conversion = "items" | "headings" | "native";

/** The requested conversion; the dialog is closed while it is `null`. */
const requested = createStore<Conversion | null>(null);

export function requestConversion(conversion: Conversion): void {
  requested.set(conversion);
}

const t = words.outline.convertDialog;

const texts: Record<Conversion, { title: string; confirm: string; doing: string; done: string }> = {
  items: {
    title: t.itemsTitle,
    confirm: t.createSteps,
    doing: t.creatingFromItems,
    done: t.stepsCreated,
  },
  headings: {
    title: t.headingsTitle,
    confirm: t.createSteps,
    doing: t.creatingFromHeadings,
    done: t.stepsCreated,
  },
  native: {
    title: t.nativeTitle,
    confirm: t.convert,
    doing: t.converting,
    done: t.converted,
  },
};

function editOf(conversion: Conversion): Edit {
  return conversion === "native" ? { edit: "convert" } : { edit: "make_tasks", from: conversion };
}

export const ConvertDialog = memo(function ConvertDialog({
  outline,
  send,
}: {
  outline: Outline;
  send: Send;
}) {
  const conversion = useStore(requested);
  const preview = usePreviewEdit(outline.plan, outline.revision, conversion && editOf(conversion));
  const close = () => requested.set(null);
  const shown = preview.data;
  const text = texts[conversion ?? "items"];
  const labels = words.outline.preview;
  return (
    <ConfirmDialog
      opened={conversion !== null}
      title={text.title}
      confirm={text.confirm}
      size="xl"
      blocked={shown ? null : labels.waiting}
      onClose={close}
      onConfirm={() => {
        if (!conversion) return;
        close();
        void send.edit(outline.revision, editOf(conversion), text.doing).then((outcome) => {
          if (outcome?.outcome === "written") send.offerUndo(text.done, outcome.revision);
        });
      }}
    >
      {preview.isError ? (
        <ErrorState title={labels.failed} error={preview.error} />
      ) : !shown ? (
        <Loading lines={4} label={labels.loading} />
      ) : (
        <div className="pw-column pw-gap-12 pw-break">
          <p>{t.summary(shown.tasks)}</p>
          <div className="pw-frame pw-clip">
            <Diff lines={shown.diff} label={labels.diff} height={22} />
          </div>
        </div>
      )}
    </ConfirmDialog>
  );
});
