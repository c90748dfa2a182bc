/** Asks for confirmation. The confirm button doesn't have focus at first and briefly ignores presses, so that a double click or an Enter meant for the window underneath confirms nothing. */
import { Button } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { words } from "../words";
import styles from "./ConfirmDialog.module.css";
import { Dialog } from "./Dialog";

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  /** The confirm button's label: a verb such as "Delete T3", never "OK". */
  confirm: string;
  cancel?: string;
  danger?: boolean;
  /** Whether the action is running. */
  busy?: boolean;
  /** Why the action can't be confirmed yet; shown beside the buttons. */
  blocked?: string | null;
  size?: string | number;
  onConfirm: () => void;
  onClose: () => void;
  children?: ReactNode;
}

/** How long the confirm button ignores presses after the dialog opens, in milliseconds. */
export const deafMs = 400;

export function ConfirmDialog({
  opened,
  title,
  confirm,
  cancel = words.components.cancel,
  danger = false,
  busy = false,
  blocked = null,
  size = "md",
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const [listens, setListens] = useState(false);
  useEffect(() => {
    setListens(false);
    if (!opened) return;
    const timer = window.setTimeout(() => setListens(true), deafMs);
    return () => window.clearTimeout(timer);
  }, [opened]);

  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={size}>
      <div className={styles.body}>{children}</div>
      <div className={styles.actions}>
        {blocked && <p className={styles.blocked}>{blocked}</p>}
        <Button variant="default" onClick={onClose} data-autofocus>
          {cancel}
        </Button>
        <Button
          color={danger ? "red.8" : undefined}
          aria-disabled={!listens || busy || blocked !== null}
          data-quiet={blocked !== null || undefined}
          className={styles.confirm}
          loading={busy}
          onClick={(event) => {
            // `detail` counts the clicks of one gesture: 2 is the second of a double click.
            if (listens && !busy && blocked === null && event.detail < 2) onConfirm();
          }}
        >
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
