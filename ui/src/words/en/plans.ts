/** English strings of `plans`: the list of plans and the links under it. */
export const plans = {
  heading: "Plans",
  newPlan: "New plan",
  next: "Next plan",
  previous: "Previous plan",
  backToPlan: "Back to the plan",
  search: "Search all plans",
  inbox: "Inbox",
  insights: "Insights",
  templates: "Templates",
  settings: "Settings",
  models: "Models",
  waiting: (n: number) => `${n} waiting`,
  list: {
    loading: "Loading plans",
    failed: "Couldn't list the plans",
    noFolder: "Open a folder to see its plans.",
    emptyTitle: "No plans yet",
    empty: "Enter a goal to create one.",
    elsewhere: "Elsewhere in this folder",
    unreadable: "unreadable",
  },
  /** By the run's state; others aren't shown. */
  runStates: {
    running: "running",
    waiting: "waiting on you",
    paused: "paused",
    failed: "failed",
    interrupted: "interrupted",
  } as Record<string, string>,
};
