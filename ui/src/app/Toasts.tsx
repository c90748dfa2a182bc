/** Shows the toasts. Screen readers announce failures at once, others when they pause. */
import { CloseButton } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconInfoCircle } from "@tabler/icons-react";
import { useStore } from "../lib/store";
import { closeToast, toasts } from "../lib/toast";
import { words } from "../words";
import styles from "./Toasts.module.css";

const icons = { good: IconCheck, bad: IconAlertTriangle, info: IconInfoCircle };

export function Toasts() {
  const list = useStore(toasts);
  return (
    <section className={styles.toasts} aria-label={words.app.toasts.label} aria-live="polite">
      {list.map((toast) => {
        const Icon = icons[toast.tone];
        return (
          <div
            key={toast.id}
            className={styles.toast}
            data-tone={toast.tone}
            role={toast.tone === "bad" ? "alert" : undefined}
          >
            <Icon size={18} className={styles.icon} aria-hidden />
            <div className={styles.text}>
              <p className={styles.title}>{toast.title}</p>
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
      })}
    </section>
  );
}
