/** The edge between center and panel: drag it, or move it with the arrow keys. Its position is remembered on this machine. */
import { type KeyboardEvent, type PointerEvent, useRef, useSyncExternalStore } from "react";
import { createStore, useStore } from "../lib/store";
import { words } from "../words";
import styles from "./Layout.module.css";

const storageKey = "planwright.panel";

/** Widths of the panel in pixels; `normal` matches `--pw-panel`. */
export const panelWidths = { min: 300, normal: 360, max: 760, step: 20 };

/** Minimum width of the list and the center together, in pixels. */
const kept = 232 + 440;

const width = createStore<number>(stored());

function stored(): number {
  const found = Number(localStorage.getItem(storageKey));
  return found >= panelWidths.min && found <= panelWidths.max ? found : panelWidths.normal;
}

function setWidth(wanted: number): void {
  const next = Math.round(Math.min(Math.max(wanted, panelWidths.min), maxWidth()));
  width.set(next);
  if (next === panelWidths.normal) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, String(next));
}

/** The maximum width of the panel. A narrow window limits it; the remembered width stays the same. */
function maxWidth(): number {
  return Math.max(panelWidths.min, Math.min(panelWidths.max, window.innerWidth - kept));
}

function onResize(heard: () => void): () => void {
  window.addEventListener("resize", heard);
  return () => window.removeEventListener("resize", heard);
}

export function usePanelWidth(): { width: number; max: number } {
  const max = useSyncExternalStore(onResize, maxWidth, () => panelWidths.max);
  return { width: Math.min(useStore(width), max), max };
}

export function PanelEdge() {
  const { width: now, max } = usePanelWidth();
  const from = useRef<{ x: number; width: number } | null>(null);

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture?.(event.pointerId);
    from.current = { x: event.clientX, width: now };
  };
  const onPointerMove = ({ clientX }: PointerEvent<HTMLDivElement>) => {
    if (from.current) setWidth(from.current.width + from.current.x - clientX);
  };
  const stop = () => {
    from.current = null;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const wanted = {
      ArrowLeft: now + panelWidths.step,
      ArrowRight: now - panelWidths.step,
      Home: panelWidths.min,
      End: max,
    }[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    setWidth(wanted);
  };

  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={words.app.layout.resizePanel}
      aria-controls="panel"
      aria-valuenow={now}
      aria-valuemin={panelWidths.min}
      aria-valuemax={max}
      title={words.app.layout.resizePanelHint}
      tabIndex={0}
      className={styles.edge}
      onMouseDown={(event) => {
        // Dragging would select the page's text; focus has to be set by hand then.
        event.preventDefault();
        event.currentTarget.focus();
      }}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={stop}
      onPointerCancel={stop}
      onDoubleClick={() => setWidth(panelWidths.normal)}
      onKeyDown={onKeyDown}
    />
  );
}
