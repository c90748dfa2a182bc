/** The screen for an internal error, from an error boundary or the backend: what happened, that drafts are kept, and what to do. */
import { Button } from "@mantine/core";
import { IconBug } from "@tabler/icons-react";
import { Component, type ErrorInfo, type ReactNode } from "react";
import { type Fault, logFault, toFault } from "../api/fault";
import { writeClipboard } from "../lib/clipboard";
import { words } from "../words";
import styles from "./ErrorScreen.module.css";

interface ErrorScreenProps {
  fault: Fault;
  /** Renders the same screen again. */
  onRetry: () => void;
}

export function ErrorScreen({ fault, onRetry }: ErrorScreenProps) {
  return (
    <div className={styles.screen} role="alert">
      <IconBug size={28} className={styles.icon} aria-hidden />
      <h1 className="pw-heading">{words.app.fault.title}</h1>
      {fault.doing && <p className={styles.doing}>{fault.doing}.</p>}
      <p className={styles.message}>{fault.message}</p>
      <p>{words.app.fault.kept}</p>
      <div className={styles.actions}>
        <Button onClick={onRetry}>{words.app.fault.retry}</Button>
        <Button variant="default" onClick={() => window.location.reload()}>
          {words.app.fault.reload}
        </Button>
        <Button
          variant="default"
          onClick={() =>
            void writeClipboard(
              `${fault.doing ?? ""}\n${fault.message}\n${fault.details}`.trim(),
            ).catch(() => undefined)
          }
        >
          {words.app.fault.copyDetails}
        </Button>
      </div>
    </div>
  );
}

interface BoundaryProps {
  children: ReactNode;
  /** Identifies the place shown. When it changes after an error, the children are rendered again. */
  at?: string;
  /** Called before the children are rendered again. */
  onReset?: () => void;
}

/** Catches errors of its children, so that a fault in one region doesn't affect the others. */
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
