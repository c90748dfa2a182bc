/** The frame of a dialog: its title, a way to close it, what it shows, and the buttons at its foot. The focus goes back to what held it when the dialog is gone. */
import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useFocusBack } from "../lib/useFocusBack";
import styles from "./Dialog.module.css";

interface DialogProps {
  /** Left out: it is open for as long as it is drawn. */
  opened?: boolean;
  title: string;
  /** Its width: in pixels, or a size of the library. */
  size: number | string;
  onClose: () => void;
  /** The buttons at its foot. */
  actions?: ReactNode;
  /** What the cross at its head says it does. */
  closeLabel?: string;
  /** Left to the caller where one dialog follows another: what held the focus is then behind both. */
  givesFocusBack?: boolean;
  children?: ReactNode;
}

export function Dialog(props: DialogProps) {
  const { opened = true, title, size, onClose, actions, children } = props;
  const { closeLabel = "Close", givesFocusBack = true } = props;
  useFocusBack(opened && givesFocusBack);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={size}
      closeButtonProps={{ "aria-label": closeLabel }}
    >
      {children}
      {actions && <div className={styles.actions}>{actions}</div>}
    </Modal>
  );
}
