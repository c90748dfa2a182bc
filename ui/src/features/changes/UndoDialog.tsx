/** Taking changes back: asks first, then says what came of it, conflicts whole. */
import { Button } from "@mantine/core";
import { useState } from "react";
import type { UndoView } from "../../api/bindings";
import { useUndoChanges } from "../../api/mutations";
import { ConfirmDialog } from "../../components/ConfirmDialog";
import { Dialog } from "../../components/Dialog";
import { Exact } from "../../components/Exact";
import { useStore } from "../../lib/store";
import { useFocusBack } from "../../lib/useFocusBack";
import { count } from "../run/words";
import styles from "./Changes.module.css";
import { type UndoAsked, undoAsked } from "./undo";

function titleOf(what: UndoAsked): string {
  if (what.path) return `Undo the changes of ${what.path}?`;
  return what.task ? `Undo ${what.task}?` : "Undo the whole run?";
}

export function UndoDialog() {
  const what = useStore(undoAsked);
  const undo = useUndoChanges();
  const [result, setResult] = useState<UndoView | null>(null);
  const close = () => undoAsked.set(null);
  useFocusBack(what !== null || result !== null);
  return (
    <>
      <ConfirmDialog
        opened={what !== null}
        title={what ? titleOf(what) : ""}
        confirm={what?.path ? "Undo this file" : what?.task ? `Undo ${what.task}` : "Undo the run"}
        danger
        busy={undo.isPending}
        onClose={close}
        onConfirm={() =>
          what &&
          undo.mutate(what, {
            onSuccess: (came) => {
              close();
              setResult(came);
            },
          })
        }
      >
        <p>
          {what?.path
            ? "The file gets the content back that it had before"
            : "Files get the content back that they had before"}{" "}
          {what?.task ? `${what.task} changed ${what.path ? "it" : "them"}` : "the run"}. Later
          changes to other lines are kept; where the same lines changed later, the file is left
          alone and both sides are shown. Outputs that Git ignores are not put back.
        </p>
      </ConfirmDialog>
      <Dialog
        opened={result !== null}
        onClose={() => setResult(null)}
        title="What was put back"
        size="lg"
        givesFocusBack={false}
        actions={
          <Button variant="default" data-autofocus onClick={() => setResult(null)}>
            Close
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
      {isNothing && <p>Nothing had to be put back.</p>}
      <Paths title="Put back" paths={restored} />
      <Paths title="Put back, later changes to other lines kept" paths={merged} />
      <Paths title="Not put back: the earlier content is not held" paths={notHeld} />
      <Paths title="Not put back: Git ignores these outputs" paths={ignored} />
      {conflicts.map((conflict) => (
        <section key={conflict.path} className={styles.conflict}>
          <p className={styles.resultTitle}>
            Left alone: later changes touch the same lines of <Exact>{conflict.path}</Exact>
          </p>
          <Exact block lines={20} label={`Both sides of ${conflict.path}`}>
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
      <p className={styles.resultTitle}>
        {title} · {count(paths.length, "file")}
      </p>
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
