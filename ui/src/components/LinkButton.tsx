/** A button that looks like a link in small text. */
import type { ComponentProps } from "react";
import styles from "./LinkButton.module.css";

/** A button's props, except those that LinkButton sets. */
type LinkButtonProps = Omit<ComponentProps<"button">, "type" | "className">;

export function LinkButton(props: LinkButtonProps) {
  return <button type="button" className={styles.link} {...props} />;
}
