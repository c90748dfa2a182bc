/** `?`: the sheet of keys. */
import { Modal } from "@mantine/core";
import { useFocusBack } from "../../lib/useFocusBack";
import { closeOverlay } from "../palette/palette";
import { KeyList } from "./KeyList";

export function KeySheet() {
  useFocusBack();
  return (
    <Modal
      opened
      onClose={closeOverlay}
      title="Keys"
      size={720}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <KeyList />
    </Modal>
  );
}
