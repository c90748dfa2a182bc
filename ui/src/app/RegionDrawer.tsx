/** A region of the window as a drawer, for windows too narrow for its column. */
import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import { words } from "../words";
import styles from "./Layout.module.css";

interface RegionDrawerProps {
  title: string;
  side: "left" | "right";
  size: number | string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

export default function RegionDrawer({
  title,
  side,
  size,
  isOpen,
  onClose,
  children,
}: RegionDrawerProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position={side}
      size={size}
      title={title}
      padding={0}
      classNames={{ header: styles.drawerHeader, body: styles.drawerBody }}
      closeButtonProps={{ "aria-label": words.app.layout.closeDrawer }}
    >
      {children}
    </Drawer>
  );
}
