/** Numbers with their noun, in English. */

/** `1 step`, `2 steps`, `1,200 steps`; `plural` for a noun that doesn't take an s. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${n.toLocaleString("en")} ${n === 1 ? noun : plural}`;
}
