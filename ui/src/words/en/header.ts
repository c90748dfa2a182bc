/** The header of the window. */
export const header = {
  noFolder: "Open folder",
  openFolder: "Open folder…",
  openPlan: "Open plan file…",
  newWindow: "New window",
  folderMissing: "Folder not found",
  untitled: "Untitled plan",
  allActions: "All actions",
  effortHint: "Effort for the next plan.",
};
