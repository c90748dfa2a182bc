/** What a screen shows when it has nothing to show: empty, failed, or not there yet. */
import { Button, Skeleton } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { writeClipboard } from "../lib/clipboard";
import styles from "./States.module.css";

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  /** What to do about it, or why it is fine. */
  children?: ReactNode;
}

export function EmptyState({ icon, title, children }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      {icon && (
        <span className={styles.icon} aria-hidden>
          {icon}
        </span>
      )}
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.text}>{children}</div>}
    </div>
  );
}

interface ErrorStateProps {
  title: string;
  /** The backend's message: it says what to do. */
  error: unknown;
  onRetry?: () => void;
  children?: ReactNode;
}

export function ErrorState({ title, error, onRetry, children }: ErrorStateProps) {
  const message = error instanceof Error ? error.message : String(error);
  const isOurs = error instanceof Error && "code" in error && error.code === "internal";
  const details = error instanceof Error ? (error.stack ?? message) : message;
  return (
    <div className={styles.state} role="alert">
      <span className={styles.bad} aria-hidden>
        <IconAlertTriangle size={24} />
      </span>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{message}</p>
      {isOurs && (
        <p className={styles.text}>
          This is a mistake of Planwright, not yours. Drafts, comments and waiting questions are
          kept.
        </p>
      )}
      <div className={styles.actions}>
        {onRetry && (
          <Button variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
        {isOurs && (
          <>
            <Button variant="default" onClick={() => window.location.reload()}>
              Reload the window
            </Button>
            <Button
              variant="default"
              onClick={() => void writeClipboard(details).catch(() => undefined)}
            >
              Copy details
            </Button>
          </>
        )}
        {children}
      </div>
    </div>
  );
}

/** Grey lines in the shape of what is coming. Shown by screens that wait longer than a frame. */
export function Loading({ lines = 4, label = "Loading" }: { lines?: number; label?: string }) {
  return (
    <div className={styles.loading} role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <Skeleton key={at} height={14} width={`${[62, 88, 74, 46][at % 4]}%`} radius="sm" />
      ))}
    </div>
  );
}
