/** Marks the page while it is used by keyboard. The style sheets use this mark, because WebKit doesn't apply `:focus-visible` when a dialog moves focus after a click. */

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
