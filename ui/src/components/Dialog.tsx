/** The frame of a dialog: title, close button, body, and action buttons at the bottom. Focus returns to where it was when the dialog closes. */
import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { useFocusBack } from "../lib/useFocusBack";
import { words } from "../words";
import styles from "./Dialog.module.css";

interface DialogProps {
  /** If omitted, the dialog is open while it is mounted. */
  opened?: boolean;
  title: string;
  /** Width in pixels, or one of Mantine's sizes. */
  size: number | string;
  onClose: () => void;
  /** Buttons at the bottom. */
  actions?: ReactNode;
  /** Name of the close button. */
  closeLabel?: string;
  /** `false` if another dialog follows and the caller returns focus. */
  givesFocusBack?: boolean;
  children?: ReactNode;
}

export function Dialog(props: DialogProps) {
  const { opened = true, title, size, onClose, actions, children } = props;
  const { closeLabel = words.components.close, givesFocusBack = true } = props;
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
