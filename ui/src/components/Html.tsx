/** Markdown as the backend rendered and sanitised it. Nothing else may be drawn this way; the page itself never turns text into HTML. */
import styles from "./Html.module.css";

export function Html({ html }: { html: string }) {
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the backend, see the head of this file
    <div className={styles.html} dangerouslySetInnerHTML={{ __html: html }} />
  );
}
