/** `?`: the sheet of keys. */

import { Dialog } from "../../components/Dialog";
import { closeOverlay } from "../palette/palette";
import { KeyList } from "./KeyList";

export function KeySheet() {
  return (
    <Dialog onClose={closeOverlay} title="Keys" size={720}>
      <KeyList />
    </Dialog>
  );
}
