/**
 * The catalogue: every string that the page shows or reads aloud, by feature. Plain strings are constants; strings
 * with a number or a name in them are functions. What the backend says (findings, errors, questions) comes in its
 * answers and isn't here.
 */
import { en } from "./en";

/** What a language has to offer. */
export type Words = typeof en;

export const words: Words = en;
