/** Toasts: short messages at the edge of the window. All of them disappear; failures and those with a button stay longer. */
import { createStore } from "./store";

export interface Toast {
  id: number;
  tone: "good" | "bad" | "info";
  title: string;
  message?: string;
  /** Identifies what the toast is about; a later toast with the same subject replaces it. */
  about?: string;
  /** A button in the toast, such as Undo. */
  action?: { label: string; run: () => void };
}

const maxShown = 4;
let lastId = 0;

export const toasts = createStore<Toast[]>([]);

/** How long a toast is shown, in milliseconds. */
export function shownMs({ tone, action }: Toast): number {
  if (tone === "bad") return 30_000;
  return action ? 20_000 : 8000;
}

export function closeToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

export function showToast(toast: Omit<Toast, "id">): void {
  const same = toasts
    .get()
    .find((other) => other.title === toast.title && other.message === toast.message);
  if (same) return;
  const earlier = toast.about && toasts.get().find((other) => other.about === toast.about);
  if (earlier) {
    const changed = (other: Toast) => (other === earlier ? { ...toast, id: other.id } : other);
    toasts.set(toasts.get().map(changed));
    return;
  }
  lastId += 1;
  toasts.set([...toasts.get(), { ...toast, id: lastId }].slice(-maxShown));
}
