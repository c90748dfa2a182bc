/** Where the focus goes when a dialog is gone: back to what held it before, or to the centre when that is gone too. The library does so only for dialogs that were drawn closed first. */
import { useEffect, useRef } from "react";

export function useFocusBack(isOpen = true): void {
  const held = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  // Asked while drawing: the dialog takes the focus as soon as it is there.
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
          // It is on its way out still, perhaps with the focus in it.
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
