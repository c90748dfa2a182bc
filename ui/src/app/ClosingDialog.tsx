/** Asks what becomes of runs that go on when the last window is closed. */
import { Button } from "@mantine/core";
import { Dialog } from "../components/Dialog";

interface ClosingDialogProps {
  /** How many runs go on. */
  runs: number;
  hasTray: boolean;
  onAnswer: (choice: "tray" | "stop" | "cancel") => void;
}

export default function ClosingDialog({ runs, hasTray, onAnswer }: ClosingDialogProps) {
  const many = runs > 1;
  return (
    <Dialog
      onClose={() => onAnswer("cancel")}
      title={many ? `${runs} runs go on` : "A run goes on"}
      size="md"
      closeLabel="Stay"
      actions={
        <>
          <Button variant="default" data-autofocus onClick={() => onAnswer("cancel")}>
            Stay
          </Button>
          <Button variant="default" onClick={() => onAnswer("stop")}>
            Stop after this step
          </Button>
          <Button onClick={() => onAnswer("tray")}>
            {hasTray ? "Go on in the tray" : "Go on, minimised"}
          </Button>
        </>
      }
    >
      <p>
        Steps that were begun end in either case, and nothing that was approved is lost. What should
        happen to {many ? "them" : "it"}?
      </p>
    </Dialog>
  );
}
