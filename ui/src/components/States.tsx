/** Screens without content: empty, failed, or loading. */
import { Button, Skeleton } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { writeClipboard } from "../lib/clipboard";
import { words } from "../words";
import styles from "./States.module.css";

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  /** Text that says what to do, or why nothing is needed. */
  children?: ReactNode;
}

export function EmptyState({ icon, title, children }: EmptyStateProps) {
  return (
    <div className={styles.state}>
      {icon && (
        <span className="pw-dim" aria-hidden>
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
  /** The error, whose message says what to do. */
  error: unknown;
  onRetry?: () => void;
  children?: ReactNode;
}

export function ErrorState({ title, error, onRetry, children }: ErrorStateProps) {
  const message = error instanceof Error ? error.message : String(error);
  const isInternal = error instanceof Error && "code" in error && error.code === "internal";
  const details = error instanceof Error ? (error.stack ?? message) : message;
  return (
    <div className={styles.state} role="alert">
      <span className={styles.bad} aria-hidden>
        <IconAlertTriangle size={24} />
      </span>
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{message}</p>
      {isInternal && <p className={styles.text}>{words.components.internalError.explanation}</p>}
      <div className={styles.actions}>
        {onRetry && (
          <Button variant="default" onClick={onRetry}>
            {words.components.retry}
          </Button>
        )}
        {isInternal && (
          <>
            <Button variant="default" onClick={() => window.location.reload()}>
              {words.components.internalError.reload}
            </Button>
            <Button
              variant="default"
              onClick={() => void writeClipboard(details).catch(() => undefined)}
            >
              {words.components.internalError.copyDetails}
            </Button>
          </>
        )}
        {children}
      </div>
    </div>
  );
}

/** Gray placeholder lines. */
export function Loading({
  lines = 4,
  label = words.components.loading,
}: {
  lines?: number;
  label?: string;
}) {
  return (
    <div className={styles.loading} role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same
        <Skeleton key={at} height={14} width={`${[62, 88, 74, 46][at % 4]}%`} radius="sm" />
      ))}
    </div>
  );
}
