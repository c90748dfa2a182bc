/** A button that lets something happen which cannot be called back. It hears only what was begun on itself after it had been on screen for a while: neither the second click of a double click that brought it up, nor a key that was still held, presses it. Give it a new `key` when what it confirms becomes something else. */
import { Button, type ButtonProps } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useRef } from "react";

/** How long it has to be on screen before it listens, in milliseconds. */
export const armedAfterMs = 500;

interface ArmedButtonProps extends Omit<ButtonProps, "onClick" | "disabled"> {
  /** Why it cannot be pressed now; it stays in the tab order and says so. */
  blocked?: boolean;
  /** Work under way. */
  busy?: boolean;
  "aria-label"?: string;
  "aria-describedby"?: string;
  onPress: () => void;
  children: ReactNode;
}

export function ArmedButton({ blocked = false, busy = false, onPress, ...rest }: ArmedButtonProps) {
  const shownAt = useRef(Number.POSITIVE_INFINITY);
  const pressedAt = useRef<number | null>(null);
  // With the button itself: on a busy page an effect may come long after it can be seen.
  useLayoutEffect(() => {
    shownAt.current = performance.now();
  }, []);
  const isArmed = () => performance.now() - shownAt.current >= armedAfterMs;

  return (
    <Button
      {...rest}
      loading={busy}
      aria-disabled={blocked || busy}
      data-disabled={blocked || undefined}
      onPointerDown={() => {
        pressedAt.current = isArmed() ? performance.now() : null;
      }}
      onKeyDown={(event) => {
        // A held key is not a second decision.
        if (event.repeat) event.preventDefault();
      }}
      onClick={(event) => {
        // Keys and assistive tools click without a pointer: `detail` is 0 then.
        const isByKey = event.detail === 0;
        const wasBegunHere = isByKey ? isArmed() : pressedAt.current !== null && event.detail < 2;
        pressedAt.current = null;
        if (wasBegunHere && !blocked && !busy) onPress();
      }}
    />
  );
}
