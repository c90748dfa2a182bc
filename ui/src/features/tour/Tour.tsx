/** The cards of the tour, each beside the element it explains. It isn't modal: everything else stays usable. */
import { Button } from "@mantine/core";
import {
  type CSSProperties,
  type KeyboardEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { words } from "../../words";
import styles from "./Tour.module.css";
import { endTour, type OpenTour, showCard } from "./tour";

const text = words.tour;

/** The ids of the elements that the cards explain. One may be missing: in a small window, the panel
 *  is a closed drawer. */
const anchors = ["centre-tab-outline", "panel-tab-findings", "bar", "all-actions"] as const;

/** A card's width, and its distance from its element and from the window's edge, in pixels. */
const size = { width: 320, gap: 10, edge: 12 };
/** How often the anchor's position is checked, in milliseconds. */
const checkMs = 300;

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

function boxOf(id: string | undefined): Box | null {
  const found = id ? document.getElementById(id)?.getBoundingClientRect() : undefined;
  if (!found || found.width === 0) return null;
  const { left, top, width, height } = found;
  return { left, top, width, height };
}

/** Follows the anchor, which may appear or move at any time. */
function useAnchor(id: string | undefined): Box | null {
  const [box, setBox] = useState<Box | null>(null);
  useLayoutEffect(() => {
    const measure = () =>
      setBox((before) => {
        const now = boxOf(id);
        return JSON.stringify(now) === JSON.stringify(before) ? before : now;
      });
    measure();
    const timer = window.setInterval(measure, checkMs);
    window.addEventListener("resize", measure);
    return () => {
      window.clearInterval(timer);
      window.removeEventListener("resize", measure);
    };
  }, [id]);
  return box;
}

export function Tour({ open }: { open: OpenTour }) {
  const { card, takesFocus } = open;
  const { title, body } = text.cards[card] ?? text.cards[0];
  const anchor = useAnchor(anchors[card]);
  const frame = useRef<HTMLElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  const isLast = card === text.cards.length - 1;

  useEffect(() => {
    if (takesFocus) next.current?.focus();
  }, [takesFocus]);

  const end = () => {
    const hadFocus = frame.current?.contains(document.activeElement);
    endTour();
    if (hadFocus) document.getElementById("centre")?.focus({ preventScroll: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    end();
  };

  return createPortal(
    <>
      {anchor && <div className={styles.ring} style={{ ...anchor }} aria-hidden />}
      <section
        ref={frame}
        className={styles.card}
        style={placeOf(anchor)}
        aria-label={text.label}
        onKeyDown={onKeyDown}
      >
        <div aria-live="polite">
          <h2 className={styles.title}>{title}</h2>
          <p className={styles.body}>{body}</p>
        </div>
        <div className={styles.foot}>
          <span className="pw-hint pw-grow">{text.count(card + 1, text.cards.length)}</span>
          <Button size="compact-xs" variant="subtle" onClick={end}>
            {isLast ? text.close : text.skip}
          </Button>
          {card > 0 && (
            <Button size="compact-xs" variant="default" onClick={() => showCard(card - 1)}>
              {text.back}
            </Button>
          )}
          <Button
            ref={next}
            size="compact-xs"
            onClick={() => (isLast ? end() : showCard(card + 1))}
          >
            {isLast ? text.done : text.next}
          </Button>
        </div>
      </section>
    </>,
    document.body,
  );
}

/** Places the card below its anchor if that is in the upper half of the window, above it if it is in the lower half, and in the corner if there is no anchor. */
function placeOf(anchor: Box | null): CSSProperties {
  const { width, gap, edge } = size;
  if (!anchor) return { width, right: edge, bottom: edge + 60 };
  const left = Math.max(edge, Math.min(anchor.left, window.innerWidth - width - edge));
  const isHigh = anchor.top + anchor.height / 2 < window.innerHeight / 2;
  return isHigh
    ? { width, left, top: anchor.top + anchor.height + gap }
    : { width, left, bottom: window.innerHeight - anchor.top + gap };
}
