/** Toasts: short messages at the edge of the window. Failures stay until closed; others disappear. */
import { createStore } from "./store";

export interface Toast {
  id: number;
  tone: "good" | "bad" | "info";
  title: string;
  message?: string;
  /** A button. */
  action?: { label: string; run: () => void };
}

const maxShown = 4;
const visibleMs = 6000;
let lastId = 0;

export const toasts = createStore<Toast[]>([]);

export function closeToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

export function showToast(toast: Omit<Toast, "id">): void {
  const same = toasts
    .get()
    .find((other) => other.title === toast.title && other.message === toast.message);
  if (same) return;
  lastId += 1;
  const id = lastId;
  toasts.set([...toasts.get(), { ...toast, id }].slice(-maxShown));
  if (toast.tone !== "bad" && !toast.action) window.setTimeout(() => closeToast(id), visibleMs);
}
