/**
 * The catalogue: every string that the page shows or reads aloud, by feature. Plain strings are constants; strings
 * with a number or a name in them are functions. Text from the backend (findings, errors, questions) comes in its
 * answers and isn't here.
 */
import { en } from "./en";

/** The type of the strings that every language has to provide. */
export type Words = typeof en;

export const words: Words = en;
