/** Copying text with a word about what came of it. Text that is asked for first is promised to the clipboard at once: it takes nothing from a page that the person's key or click no longer stands behind. */
import { showToast } from "../../lib/toast";

export function copyText(text: string | Promise<string>, copied: string): Promise<void> {
  return write(text)
    .then(() => showToast({ tone: "good", title: copied }))
    .catch(async () => {
      // A text that there is not is its asker's to tell.
      await text;
      showToast({
        tone: "bad",
        title: "The clipboard refused the text",
        message: "Select it on screen and copy it from there.",
      });
    });
}

async function write(text: string | Promise<string>): Promise<void> {
  if (typeof text === "string") return navigator.clipboard.writeText(text);
  if (typeof ClipboardItem === "undefined") return navigator.clipboard.writeText(await text);
  const type = "text/plain";
  const blob = text.then((words) => new Blob([words], { type }));
  return navigator.clipboard.write([new ClipboardItem({ [type]: blob })]);
}
