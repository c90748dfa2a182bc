/** Marks the page while the person moves with Tab. A dialog moves the focus itself, and after a click WebKit then never counts it as visible; the mark lets the style sheet draw it all the same. */

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
