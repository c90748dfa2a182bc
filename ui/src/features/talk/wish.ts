/** Counts the wishes to write a comment; each puts the caret into Talk's field. */
import { createStore } from "../../lib/store";

export const commentWishes = createStore(0);
