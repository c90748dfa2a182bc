/** A button that opens a menu; each item can have a one-line description. */
import { Menu } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";
import { Kbd } from "./Kbd";
import styles from "./MenuButton.module.css";

export interface MenuChoice {
  id: string;
  title: string;
  /** A one-line description of the effect. */
  consequence?: string;
  icon?: ReactNode;
  keys?: string;
  danger?: boolean;
  disabled?: boolean;
  onClick: () => void;
}

interface MenuButtonProps {
  /** The accessible name of the menu, if it isn't the button's name. */
  label?: string;
  choices: MenuChoice[];
  position?: "top-end" | "bottom-start" | "bottom-end";
  width?: number;
  /** The button, whose name also names the menu. It must accept a ref, as Mantine's buttons do. */
  children: ReactElement;
}

export function MenuButton({
  label,
  choices,
  position = "bottom-start",
  width = 300,
  children,
}: MenuButtonProps) {
  return (
    <Menu position={position} width={width} withInitialFocusPlaceholder={false}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown className={styles.dropdown} aria-label={label}>
        <MenuChoices choices={choices} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** The items of a menu. */
export function MenuChoices({ choices }: { choices: MenuChoice[] }) {
  return choices.map((choice) => (
    <Menu.Item
      key={choice.id}
      leftSection={choice.icon}
      rightSection={choice.keys ? <Kbd keys={choice.keys} small hidden /> : undefined}
      disabled={choice.disabled}
      data-danger={choice.danger || undefined}
      className={styles.item}
      onClick={choice.onClick}
    >
      <span className={styles.title}>{choice.title}</span>
      {choice.consequence && <span className={styles.line}>{choice.consequence}</span>}
    </Menu.Item>
  ));
}
