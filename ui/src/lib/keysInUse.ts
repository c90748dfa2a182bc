/** Marks the page while it is used by keyboard. When a dialog moves focus after a click, WebKit doesn't apply `:focus-visible`; the style sheet uses this mark instead. */

export function markKeysInUse(): () => void {
  const root = document.documentElement;
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Tab") root.dataset.by = "keys";
  };
  const onPointer = () => {
    delete root.dataset.by;
  };
  document.addEventListener("keydown", onKey, true);
  document.addEventListener("pointerdown", onPointer, true);
  return () => {
    document.removeEventListener("keydown", onKey, true);
    document.removeEventListener("pointerdown", onPointer, true);
  };
}
