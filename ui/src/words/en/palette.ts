/** The palette: every action and every plan, found by name. */
export const palette = {
  title: "All actions",
  field: "Search actions and plans",
  list: "Actions",
  plans: "Plans",
  noResults: "No results",
};
