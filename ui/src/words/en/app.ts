/** English strings of `app` and `lib`: the window, its regions, actions and keys. */
export const app = {
  /** Headings of the actions in the palette and the key list, by `ActionGroup`. */
  groups: {
    plan: "Plan",
    step: "Step",
    edit: "Edit",
    run: "Run",
    go: "Go to",
    window: "Window",
  },
  /** Views of a plan, by their id. */
  views: {
    label: "Plan views",
    outline: "Outline",
    graph: "Graph",
    source: "Source",
    history: "History",
    show: (title: string) => `Show ${title.toLowerCase()}`,
  },
  /** Tabs of the right panel, by their id. */
  panel: {
    label: "Panel",
    talk: "Talk",
    findings: "Findings",
    review: "Review",
    run: "Run",
    changes: "Changes",
    show: (title: string) => `Show ${title}`,
  },
  layout: {
    focusPlan: "Focus plan",
    focusList: "Focus plan list",
    focusPanel: "Focus right panel",
    skipToPlan: "Skip to plan",
    showPlans: "Show plans",
    showPanel: "Show panel",
    plans: "Plans",
    bar: "Plan state and actions",
    closeDrawer: "Close",
    resizePanel: "Resize panel",
    resizePanelHint: "Drag or use the arrow keys; double-click to reset",
  },
  window: {
    palette: "All actions",
    keys: "Keyboard shortcuts",
    close: "Close window",
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    zoomReset: "Reset zoom",
    newPlan: "New plan",
    showNeeded: "Show",
    planMoved: "Plan moved",
    targetNotOpened: "Couldn’t open the link",
    placeNotSaved: "Couldn’t save the window’s state",
    dataNotOpened: "Planwright can’t open its data",
  },
  centre: {
    loading: "Loading plan",
    folderGoneTitle: "Folder not found",
    folderGone:
      "The plan’s folder was moved or deleted, or its disk isn’t connected. Your drafts are kept until it’s back.",
    chooseFolder: "Choose another folder",
    planDeleted: "Plan file deleted",
    planUnusable: "Can’t show this plan",
    planUnreadable: "Couldn’t read the plan",
    restore: "Restore",
    backToStart: "Back to start",
  },
  closing: {
    title: (runs: number) => (runs === 1 ? "A run is active" : `${runs} runs are active`),
    body: (runs: number) =>
      `Running steps finish either way, and your approvals are kept. What should happen to ${runs === 1 ? "the run" : "the runs"}?`,
    stay: "Keep open",
    stop: "Stop after this step",
    tray: "Continue in tray",
    minimized: "Continue minimized",
  },
  fault: {
    title: "Something went wrong in Planwright",
    kept: "Your plan file wasn’t changed. Drafts, comments and unanswered questions are kept.",
    retry: "Retry",
    reload: "Reload window",
    copyDetails: "Copy details",
  },
  toasts: {
    label: "Notifications",
    close: (title: string) => `Close: ${title}`,
  },
  chord: {
    label: "Next keys",
    continuation: "then",
  },
  /** Labels of keys that have no symbol. */
  keys: {
    control: "Ctrl",
    shift: "Shift",
    alt: "Alt",
    escape: "Esc",
    delete: "Del",
    sequence: (strokes: string[]) => strokes.join(" then "),
  },
};
