/** A button for an action that can't be undone. It only reacts to a press that starts after the button has been on screen for a moment, so the second click of a double click or a held key doesn't press it. Give it a new `key` when it confirms something else. */
import { Button, type ButtonProps } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useRef } from "react";

/** Time on screen before the button reacts, in milliseconds. */
export const armedAfterMs = 500;

interface ArmedButtonProps extends Omit<ButtonProps, "onClick" | "disabled"> {
  /** Whether it can't be pressed now. It stays in the tab order. */
  blocked?: boolean;
  /** Whether the action is running. */
  busy?: boolean;
  "aria-label"?: string;
  "aria-describedby"?: string;
  onPress: () => void;
  children: ReactNode;
}

export function ArmedButton({ blocked = false, busy = false, onPress, ...rest }: ArmedButtonProps) {
  const shownAt = useRef(Number.POSITIVE_INFINITY);
  const pressedAt = useRef<number | null>(null);
  // A layout effect, because on a busy page an effect may run long after the button is visible.
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
        // A held key is not a second press.
        if (event.repeat) event.preventDefault();
      }}
      onClick={(event) => {
        // Keys and assistive tools click without a pointer, with a `detail` of 0.
        const isByKey = event.detail === 0;
        const wasBegunHere = isByKey ? isArmed() : pressedAt.current !== null && event.detail < 2;
        pressedAt.current = null;
        if (wasBegunHere && !blocked && !busy) onPress();
      }}
    />
  );
}
