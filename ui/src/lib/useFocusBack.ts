/** Returns focus when a dialog closes: to the element that had it, or to the center if that is gone. Mantine only does this for dialogs that are mounted before they open. */
import { useEffect, useRef } from "react";

export function useFocusBack(isOpen = true): void {
  const held = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  // Read during render, because the dialog takes focus when it mounts.
  if (isOpen && !wasOpen.current) held.current = document.activeElement;
  wasOpen.current = isOpen;
  useEffect(() => {
    if (!isOpen) return;
    return () => {
      let tries = 20;
      const giveBack = () => {
        const now = document.activeElement;
        const isLost = now === document.body || now?.closest('[role="dialog"]');
        if (!isLost || tries-- === 0) return;
        if (document.querySelector('[role="dialog"]')) {
          // The dialog is still closing and may contain the focus.
          window.setTimeout(giveBack, 50);
          return;
        }
        const before = held.current;
        const back =
          before instanceof HTMLElement && before.isConnected && before !== document.body
            ? before
            : document.getElementById("centre");
        back?.focus({ preventScroll: true });
      };
      window.setTimeout(giveBack);
    };
  }, [isOpen]);
}
