/** Numbers of tokens in short form: `940`, `3.2k`, `128k`. */
export function shortTokens(count: number): string {
  if (count < 1000) return String(count);
  // Many context windows are powers of two, and 131,072 is known as 128k.
  const thousands = Number.isInteger(Math.log2(count)) ? count / 1024 : count / 1000;
  return `${thousands < 10 ? thousands.toFixed(1).replace(/\.0$/, "") : Math.round(thousands)}k`;
}
