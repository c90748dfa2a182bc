/** Says that an edit was not written because the same lines were changed meanwhile, with both sides. */

import { Button } from "@mantine/core";
import { memo } from "react";
import { Code } from "../../components/Code";
import { Dialog } from "../../components/Dialog";
import { useStore } from "../../lib/store";
import styles from "./Dialogs.module.css";
import { conflict } from "./useSend";

export const ConflictDialog = memo(function ConflictDialog() {
  const told = useStore(conflict);
  const close = () => conflict.set(null);
  return (
    <Dialog
      opened={told !== null}
      onClose={close}
      title="Changed meanwhile"
      size="lg"
      actions={
        <Button onClick={close} data-autofocus>
          Close
        </Button>
      }
    >
      <div className={styles.body}>
        <p>
          {told?.doing} was not written: the same lines have been changed by somebody else. Nothing
          is lost; look at both and do it again if it is still wanted.
        </p>
        <section>
          <p className={styles.label}>As it would have been</p>
          <Code block lines={10} label="As it would have been">
            {told?.mine || "(nothing)"}
          </Code>
        </section>
        <section>
          <p className={styles.label}>In the file now</p>
          <Code block lines={10} label="In the file now">
            {told?.theirs || "(nothing)"}
          </Code>
        </section>
      </div>
    </Dialog>
  );
});
