/** Undoes changes: asks first, then shows the result with all conflicts in full. */
import { Button } from "@mantine/core";
import { useState } from "react";
import type { UndoView } from "../../api/bindings";
import { useUndoChanges } from "../../api/mutations";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Dialog } from "../../components/Dialog";
import { Exact } from "../../components/Exact";
import { useStore } from "../../lib/store";
import { useFocusBack } from "../../lib/useFocusBack";
import { words } from "../../words";
import styles from "./Changes.module.css";
import { type UndoRequest, undoRequest } from "./undo";

const { undo: texts, result: resultTexts } = words.changes;

function titleOf({ path, task }: UndoRequest): string {
  if (path) return texts.fileTitle(path);
  return task ? texts.stepTitle(task) : texts.runTitle;
}

function confirmOf({ path, task }: UndoRequest): string {
  if (path) return texts.file;
  return task ? texts.step(task) : texts.run;
}

export function UndoDialog() {
  const what = useStore(undoRequest);
  const undo = useUndoChanges();
  const [result, setResult] = useState<UndoView | null>(null);
  const close = () => undoRequest.set(null);
  useFocusBack(what !== null || result !== null);
  return (
    <>
      <ConfirmDialog
        opened={what !== null}
        title={what ? titleOf(what) : ""}
        confirm={what ? confirmOf(what) : texts.run}
        danger
        busy={undo.isPending}
        onClose={close}
        onConfirm={() =>
          what &&
          undo.mutate(what, {
            onSuccess: (undone) => {
              close();
              setResult(undone);
            },
          })
        }
      >
        <p>
          {what?.path ? texts.restoresFile(what.task) : texts.restoresFiles(what?.task ?? null)}{" "}
          {texts.rest}
        </p>
      </ConfirmDialog>
      <Dialog
        opened={result !== null}
        onClose={() => setResult(null)}
        title={resultTexts.title}
        size="lg"
        givesFocusBack={false}
        actions={
          <Button variant="default" data-autofocus onClick={() => setResult(null)}>
            {resultTexts.close}
          </Button>
        }
      >
        {result && <Result result={result} />}
      </Dialog>
    </>
  );
}

function Result({ result }: { result: UndoView }) {
  const { restored, merged, not_held: notHeld, ignored, conflicts } = result;
  const isNothing =
    restored.length + merged.length + notHeld.length + ignored.length + conflicts.length === 0;
  return (
    <div className={styles.result}>
      {isNothing && <p>{resultTexts.nothing}</p>}
      <Paths title={resultTexts.restored} paths={restored} />
      <Paths title={resultTexts.merged} paths={merged} />
      <Paths title={resultTexts.notHeld} paths={notHeld} />
      <Paths title={resultTexts.ignored} paths={ignored} />
      {conflicts.map((conflict) => (
        <section key={conflict.path} className={styles.conflict}>
          <p className={styles.resultTitle}>
            {resultTexts.conflict} <Exact>{conflict.path}</Exact>
          </p>
          <Exact block lines={20} label={resultTexts.bothSides(conflict.path)}>
            {conflict.text}
          </Exact>
        </section>
      ))}
    </div>
  );
}

function Paths({ title, paths }: { title: string; paths: string[] }) {
  if (paths.length === 0) return null;
  return (
    <section>
      <p className={styles.resultTitle}>{resultTexts.group(title, paths.length)}</p>
      <ul className={styles.paths}>
        {paths.map((path) => (
          <li key={path}>
            <Exact>{path}</Exact>
          </li>
        ))}
      </ul>
    </section>
  );
}
