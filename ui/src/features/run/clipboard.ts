/** Copies text and reports the result in a toast. Text that has yet to be fetched is passed to the clipboard as a promise, because browsers only allow writing in direct response to a key or click. */
import { showToast } from "../../lib/toast";
import { words } from "../../words";

/** Rejects only if `text` does; the caller then reports why. */
export function copyText(text: string | Promise<string>, copied: string): Promise<void> {
  return write(text)
    .then(() => showToast({ tone: "good", title: copied }))
    .catch(async () => {
      await text;
      showToast({
        tone: "bad",
        title: words.run.clipboard.errorTitle,
        message: words.run.clipboard.errorMessage,
      });
    });
}

async function write(text: string | Promise<string>): Promise<void> {
  if (typeof text === "string") return navigator.clipboard.writeText(text);
  if (typeof ClipboardItem === "undefined") return navigator.clipboard.writeText(await text);
  const type = "text/plain";
  const blob = text.then((content) => new Blob([content], { type }));
  return navigator.clipboard.write([new ClipboardItem({ [type]: blob })]);
}
