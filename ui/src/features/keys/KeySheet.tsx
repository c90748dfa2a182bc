/** `?`: the dialog of keyboard shortcuts. */

import { Dialog } from "../../components/Dialog";
import { words } from "../../words";
import { closeOverlay } from "../palette/palette";
import { KeyList } from "./KeyList";

export function KeySheet() {
  return (
    <Dialog onClose={closeOverlay} title={words.keys.title} size={720}>
      <KeyList />
    </Dialog>
  );
}
