/** English strings of `header`: the header of the window. */
export const header = {
  noFolder: "Open folder",
  openFolder: "Open folder…",
  openPlan: "Open plan file…",
  newWindow: "New window",
  folderMissing: "Folder not found",
  untitled: "Untitled plan",
  planState: "State:",
  allActions: "All actions",
  effortHint: "Effort for the next plan.",
  model: {
    label: "Model",
    inUse: (model: string) => `Model: ${model}`,
    none: "No model",
    choose: "Choose a model…",
    hint: "For new plans and runs. A run keeps the model it started with.",
    noneFound: "No models found on this machine.",
    more: "More models and settings…",
  },
  theme: {
    label: "Theme",
    chosen: (title: string) => `Theme: ${title}`,
    auto: "System",
    light: "Light",
    dark: "Dark",
  },
};
