/** English strings of `palette`: finding actions and plans by name. */
export const palette = {
  title: "All actions",
  field: "Search actions and plans",
  list: "Actions",
  plans: "Plans",
  noResults: "No results",
};
