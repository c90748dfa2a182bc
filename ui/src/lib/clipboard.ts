/** Writing to the clipboard: a promise that fails where the system refuses, never a thrown error. */
export async function writeClipboard(text: string): Promise<void> {
  // Absent in a page that the engine does not call secure.
  if (!navigator.clipboard) throw new Error("there is no clipboard here");
  await navigator.clipboard.writeText(text);
}
