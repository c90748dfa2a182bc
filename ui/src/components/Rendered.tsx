/** Markdown that the backend rendered and sanitized: the only place where HTML is inserted into the page. A link shows its full address and asks before it opens. Pictures are loaded only from the workspace; others are shown as text. */
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { useOpenLink } from "../api/mutations";
import { loadPicture } from "../api/pictures";
import { usePlace } from "../app/place";
import { words } from "../words";
import { Code } from "./Code";
import { ConfirmDialog } from "./ConfirmDialog";
import styles from "./Rendered.module.css";

interface RenderedProps {
  /** Sanitized HTML: only `intro_html`, `body_html`, or a section's `html`. */
  html: string;
  dim?: boolean;
}

export function Rendered({ html, dim = false }: RenderedProps) {
  const [address, setAddress] = useState<string | null>(null);
  const openLink = useOpenLink();
  const box = useRef<HTMLDivElement>(null);
  const { plan } = usePlace();

  // biome-ignore lint/correctness/useExhaustiveDependencies: new HTML has new pictures
  useEffect(() => {
    return plan && box.current ? showPictures(box.current, plan) : undefined;
  }, [html, plan]);

  const stopLink = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link) return;
    event.preventDefault();
    const href = link.getAttribute("href") ?? "";
    if (/^(https?|mailto):/i.test(href)) setAddress(href);
  };

  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: catches clicks on the links inside, which handle keys themselves */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click */}
      <div
        ref={box}
        className={styles.rendered}
        data-dim={dim || undefined}
        dir="auto"
        onClick={stopLink}
        onAuxClick={stopLink}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitized by the backend; the CSP allows no scripts and no remote content
        dangerouslySetInnerHTML={{ __html: html }}
      />
      <ConfirmDialog
        opened={address !== null}
        title={words.components.link.title}
        confirm={words.components.link.confirm}
        onClose={() => setAddress(null)}
        onConfirm={() => {
          if (address) openLink.mutate(address);
          setAddress(null);
        }}
      >
        <Code block label={words.components.link.address}>
          {address ?? ""}
        </Code>
      </ConfirmDialog>
    </>
  );
}

/** Replaces the paths of pictures with the pictures, as they are loaded. Returns a function that stops this. */
function showPictures(box: HTMLElement, plan: string): () => void {
  let isGone = false;
  for (const figure of box.querySelectorAll<HTMLElement>("figure[title]")) {
    const path = figure.title;
    loadPicture(plan, path).then(
      (data) => {
        if (isGone) return;
        const picture = document.createElement("img");
        const said = figure.previousElementSibling;
        picture.alt = said?.textContent?.trim() || path;
        picture.src = data;
        figure.replaceChildren(picture);
      },
      // The path stays visible, with the error as its tooltip.
      (error: Error) => {
        if (!isGone) figure.title = error.message;
      },
    );
  }
  return () => {
    isGone = true;
  };
}
