/** Copying text with a word about what came of it. */
import { showToast } from "../../lib/toast";

export function copyText(text: string, copied: string): Promise<void> {
  return navigator.clipboard
    .writeText(text)
    .then(() => showToast({ tone: "good", title: copied }))
    .catch(() =>
      showToast({
        tone: "bad",
        title: "The clipboard refused the text",
        message: "Select it on screen and copy it from there.",
      }),
    );
}
