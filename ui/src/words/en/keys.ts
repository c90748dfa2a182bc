/** English strings of `keys`: the list of keyboard shortcuts. */
export const keys = {
  title: "Keyboard shortcuts",
};
