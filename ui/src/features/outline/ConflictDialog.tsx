/** Shows both versions when an edit was not written because the same lines have changed in the file. */

import { Button } from "@mantine/core";
import { memo } from "react";
import { Code } from "../../components/Code";
import { Dialog } from "../../components/Dialog";
import { useStore } from "../../lib/store";
import { words } from "../../words";
import styles from "./Dialogs.module.css";
import { conflict } from "./useSend";

export const ConflictDialog = memo(function ConflictDialog() {
  const found = useStore(conflict);
  const t = words.outline.conflictDialog;
  const close = () => conflict.set(null);
  return (
    <Dialog
      opened={found !== null}
      onClose={close}
      title={t.title}
      size="lg"
      actions={
        <Button onClick={close} data-autofocus>
          {t.close}
        </Button>
      }
    >
      <div className="pw-column pw-gap-12 pw-break">
        <p>{found && t.message(found.doing)}</p>
        <section>
          <p className={styles.label}>{t.mine}</p>
          <Code block lines={10} label={t.mine}>
            {found?.mine || t.empty}
          </Code>
        </section>
        <section>
          <p className={styles.label}>{t.theirs}</p>
          <Code block lines={10} label={t.theirs}>
            {found?.theirs || t.empty}
          </Code>
        </section>
      </div>
    </Dialog>
  );
});
