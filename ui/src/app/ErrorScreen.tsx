/** What the person sees after a fault of the program: what happened, that nothing typed is lost, and what can be done. Shown by the error boundaries and for the backend's code `internal`. */
import { Button } from "@mantine/core";
import { IconBug } from "@tabler/icons-react";
import { Component, type ErrorInfo, type ReactNode } from "react";
import { type Fault, logFault, toFault } from "../api/fault";
import { writeClipboard } from "../lib/clipboard";
import styles from "./ErrorScreen.module.css";

interface ErrorScreenProps {
  fault: Fault;
  /** Goes on where the person was. */
  onRetry: () => void;
}

export function ErrorScreen({ fault, onRetry }: ErrorScreenProps) {
  return (
    <div className={styles.screen} role="alert">
      <IconBug size={28} className={styles.icon} aria-hidden />
      <h1 className={styles.title}>Planwright made a mistake</h1>
      {fault.doing && <p className={styles.doing}>{fault.doing}.</p>}
      <p className={styles.message}>{fault.message}</p>
      <p>
        Your plan is a file and was not touched by this. Drafts, comments and waiting questions are
        kept.
      </p>
      <div className={styles.actions}>
        <Button onClick={onRetry}>Try again</Button>
        <Button variant="default" onClick={() => window.location.reload()}>
          Reload the window
        </Button>
        <Button
          variant="default"
          onClick={() =>
            void writeClipboard(
              `${fault.doing ?? ""}\n${fault.message}\n${fault.details}`.trim(),
            ).catch(() => undefined)
          }
        >
          Copy details
        </Button>
      </div>
    </div>
  );
}

interface BoundaryProps {
  children: ReactNode;
  /** Another place: a fault of the last one is over. */
  at?: string;
  /** Called before the children are drawn again. */
  onReset?: () => void;
}

/** Catches what its children throw, so that a fault in one region leaves the others alone. */
export class ErrorBoundary extends Component<BoundaryProps, { fault: Fault | null }> {
  override state: { fault: Fault | null } = { fault: null };

  static getDerivedStateFromError(error: unknown): { fault: Fault } {
    return { fault: toFault(error) };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    logFault({ ...toFault(error), doing: info.componentStack?.trim().split("\n")[0] });
  }

  override componentDidUpdate(before: BoundaryProps): void {
    if (this.state.fault && before.at !== this.props.at) this.retry();
  }

  retry = (): void => {
    this.props.onReset?.();
    this.setState({ fault: null });
  };

  override render(): ReactNode {
    if (!this.state.fault) return this.props.children;
    return <ErrorScreen fault={this.state.fault} onRetry={this.retry} />;
  }
}
