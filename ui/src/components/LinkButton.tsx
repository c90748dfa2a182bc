/** A button that looks like a link within small words: it does something, or leads to something, and asks for no room. */
import type { ComponentProps } from "react";
import styles from "./LinkButton.module.css";

/** All that a button takes but its look. */
type LinkButtonProps = Omit<ComponentProps<"button">, "type" | "className">;

export function LinkButton(props: LinkButtonProps) {
  return <button type="button" className={styles.link} {...props} />;
}
