/** Shows the toasts. Each disappears after a while, but not while one has focus or the pointer. Screen readers announce failures immediately, and other toasts when they are idle. */
import { CloseButton } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconInfoCircle } from "@tabler/icons-react";
import { type RefObject, useEffect, useRef } from "react";
import { useStore } from "../lib/store";
import { closeToast, shownMs, type Toast, toasts } from "../lib/toast";
import { words } from "../words";
import styles from "./Toasts.module.css";
import { isCrowded, useToastPlace } from "./toastPlace";

const icons = { good: IconCheck, bad: IconAlertTriangle, info: IconInfoCircle };

/** Minimum time that a toast stays after it had focus or the pointer. */
const afterUseMs = 3000;

export function Toasts() {
  const list = useStore(toasts);
  const section = useRef<HTMLElement>(null);
  useToastPlace(section, list.length);
  return (
    <section
      ref={section}
      className={styles.toasts}
      aria-label={words.app.toasts.label}
      aria-live="polite"
    >
      {list.map((toast) => (
        <ToastCard key={toast.id} toast={toast} section={section} />
      ))}
    </section>
  );
}

interface ToastCardProps {
  toast: Toast;
  section: RefObject<HTMLElement | null>;
}

function ToastCard({ toast, section }: ToastCardProps) {
  useEffect(() => {
    const end = () => {
      if (isInUse(section.current)) timer = window.setTimeout(end, afterUseMs);
      else closeToast(toast.id);
    };
    let timer = window.setTimeout(end, shownMs(toast));
    return () => window.clearTimeout(timer);
  }, [toast, section]);

  const Icon = icons[toast.tone];
  return (
    <div
      className={styles.toast}
      data-tone={toast.tone}
      role={toast.tone === "bad" ? "alert" : undefined}
    >
      <Icon size={18} className={styles.icon} aria-hidden />
      <div className="pw-fill">
        <p className="pw-break pw-bold">{toast.title}</p>
        {toast.message && <p className={styles.message}>{toast.message}</p>}
        {toast.action && (
          <button
            type="button"
            className={styles.action}
            onClick={() => {
              toast.action?.run();
              closeToast(toast.id);
            }}
          >
            {toast.action.label}
          </button>
        )}
      </div>
      <CloseButton
        size="sm"
        aria-label={words.app.toasts.close(toast.title)}
        onClick={() => closeToast(toast.id)}
      />
    </div>
  );
}

/** Whether the toasts have focus or the pointer, or are hidden. While this is true, none closes. */
function isInUse(section: HTMLElement | null): boolean {
  if (!section) return false;
  return (
    section.matches(":hover") || section.contains(document.activeElement) || isCrowded(section)
  );
}
