/** Writes to the clipboard. Rejects if the system refuses. */
export async function writeClipboard(text: string): Promise<void> {
  // `navigator.clipboard` is missing in pages that the engine doesn't consider secure.
  if (!navigator.clipboard) throw new Error("no clipboard");
  await navigator.clipboard.writeText(text);
}
