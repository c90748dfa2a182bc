/** Asks what to do with active runs when the last window closes. */
import { Button } from "@mantine/core";
import { Dialog } from "../components/Dialog";
import { words } from "../words";

const { closing } = words.app;

interface ClosingDialogProps {
  /** Number of active runs. */
  runs: number;
  hasTray: boolean;
  onAnswer: (choice: "tray" | "stop" | "cancel") => void;
}

export default function ClosingDialog({ runs, hasTray, onAnswer }: ClosingDialogProps) {
  return (
    <Dialog
      onClose={() => onAnswer("cancel")}
      title={closing.title(runs)}
      size="md"
      closeLabel={closing.stay}
      actions={
        <>
          <Button variant="default" data-autofocus onClick={() => onAnswer("cancel")}>
            {closing.stay}
          </Button>
          <Button variant="default" onClick={() => onAnswer("stop")}>
            {closing.stop}
          </Button>
          <Button onClick={() => onAnswer("tray")}>
            {hasTray ? closing.tray : closing.minimized}
          </Button>
        </>
      }
    >
      <p>{closing.body(runs)}</p>
    </Dialog>
  );
}
