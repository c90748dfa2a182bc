/** Whether the system's own context menu is wanted: in a text field, and over selected text, where it copies and pastes. */
export function wantsNativeMenu(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('input,textarea,select,[contenteditable]:not([contenteditable="false"])'))
    return true;
  const selection = window.getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(target, true);
}
