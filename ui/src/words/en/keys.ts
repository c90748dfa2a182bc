/** The list of keyboard shortcuts. */
export const keys = {
  title: "Keyboard shortcuts",
};
