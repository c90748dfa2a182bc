/** Markdown that the backend rendered and sanitised: the only place where HTML is put into the page. A link is never followed by itself: the whole address is shown, and the person decides. A picture of the workspace is asked for by its path; others stay words. */
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { useOpenLink } from "../api/mutations";
import { loadPicture } from "../api/pictures";
import { usePlace } from "../app/place";
import { Code } from "./Code";
import { ConfirmDialog } from "./ConfirmDialog";
import styles from "./Rendered.module.css";

interface RenderedProps {
  /** From `intro_html`, `body_html` or `html` of a section; from nowhere else. */
  html: string;
  dim?: boolean;
}

export function Rendered({ html, dim = false }: RenderedProps) {
  const [address, setAddress] = useState<string | null>(null);
  const openLink = useOpenLink();
  const box = useRef<HTMLDivElement>(null);
  const { plan } = usePlace();

  // biome-ignore lint/correctness/useExhaustiveDependencies: other HTML has other pictures
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
      {/* biome-ignore lint/a11y/noStaticElementInteractions: catches the clicks of the links inside, which have keys of their own */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click */}
      <div
        ref={box}
        className={styles.rendered}
        data-dim={dim || undefined}
        dir="auto"
        onClick={stopLink}
        onAuxClick={stopLink}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the backend; the CSP allows no script and no remote content
        dangerouslySetInnerHTML={{ __html: html }}
      />
      <ConfirmDialog
        opened={address !== null}
        title="Open this address in the browser?"
        confirm="Open in browser"
        onClose={() => setAddress(null)}
        onConfirm={() => {
          if (address) openLink.mutate(address);
          setAddress(null);
        }}
      >
        <Code block label="The whole address">
          {address ?? ""}
        </Code>
      </ConfirmDialog>
    </>
  );
}

/** Puts the pictures that are there in place of their paths. */
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
      // Its path stays on screen, with the reason.
      (error: Error) => {
        if (!isGone) figure.title = error.message;
      },
    );
  }
  return () => {
    isGone = true;
  };
}
