/** Whether the system's own context menu is needed: in a text field or over selected text, to copy and paste. */
export function wantsNativeMenu(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('input,textarea,select,[contenteditable]:not([contenteditable="false"])'))
    return true;
  const selection = window.getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(target, true);
}
