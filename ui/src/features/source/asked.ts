/** That the text of the selected step is to be shown, asked from anywhere; counted, so that the same step can be asked for again. */
import { createStore } from "../../lib/store";

export const sourceAsked = createStore(0);
