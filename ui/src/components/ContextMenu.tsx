/** The context menu of the element under the pointer (right click) or with focus (Shift+F10, Menu key). */
import { Menu } from "@mantine/core";
import { type KeyboardEvent, type MouseEvent, type ReactNode, useState } from "react";
import { wantsNativeMenu } from "../lib/nativeMenu";
import styles from "./ContextMenu.module.css";
import { type MenuChoice, MenuChoices } from "./MenuButton";

export interface ContextMenuOf {
  /** The accessible name of the menu. */
  label: string;
  choices: MenuChoice[];
  /** The element that the menu belongs to, and where it appears when opened by a key. Defaults to the event's target. */
  anchor?: Element | null;
}

interface ContextMenu {
  onContextMenu: (event: MouseEvent) => void;
  /** Returns whether the key opened the menu. */
  onMenuKey: (event: KeyboardEvent) => boolean;
  /** The menu element; render it once, anywhere. */
  menu: ReactNode;
}

/** @param menuOf returns the menu of an element, or `null` if it has none; may also select its row or step */
export function useContextMenu(menuOf: (target: Element) => ContextMenuOf | null): ContextMenu {
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState<(ContextMenuOf & { x: number; y: number }) | null>(null);

  const open = (event: MouseEvent | KeyboardEvent, at: { x: number; y: number } | null) => {
    if (!(event.target instanceof Element) || wantsNativeMenu(event.target)) return false;
    const found = menuOf(event.target);
    if (!found || found.choices.length === 0) return false;
    event.preventDefault();
    setShown({ ...found, ...(at ?? middleOf(found.anchor ?? event.target)) });
    setOpen(true);
    return true;
  };

  return {
    onContextMenu: (event) => {
      // An event without a position comes from the keyboard.
      const isByPointer = event.clientX !== 0 || event.clientY !== 0;
      open(event, isByPointer ? { x: event.clientX, y: event.clientY } : null);
    },
    onMenuKey: (event) =>
      (event.key === "ContextMenu" || (event.shiftKey && event.key === "F10")) && open(event, null),
    menu: (
      <Menu
        opened={isOpen}
        onChange={setOpen}
        position="bottom-start"
        offset={2}
        width={250}
        withInitialFocusPlaceholder={false}
      >
        <Menu.Target>
          {/* Invisible; its text is the accessible name of the menu. */}
          <span className={styles.point} style={{ left: shown?.x, top: shown?.y }} aria-hidden>
            {shown?.label}
          </span>
        </Menu.Target>
        <Menu.Dropdown className={styles.dropdown}>
          <MenuChoices choices={shown?.choices ?? []} />
        </Menu.Dropdown>
      </Menu>
    ),
  };
}

/** Where a menu opened by a key appears: near the start of the element, so that the menu doesn't cover all of it. */
function middleOf(element: Element): { x: number; y: number } {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + Math.min(48, width / 2), y: top + Math.min(32, height / 2) };
}
