/** English strings of `inbox`. */

/** Titles of inbox items, by the backend's name for their kind. */
const titles: Record<string, string> = {
  approval: "A proposal is waiting for approval",
  agent_review: "An agent proposed a plan",
  interrupted: "A run was interrupted",
  paused: "A run is paused",
  failed: "A run failed",
  waiting: "A run is waiting on you",
  not_covered: "A run stopped: the plan changed after its approval",
  unverified: "A run finished with unverified steps",
  incomplete: "A run finished, but is incomplete",
  talk_waiting: "The model has a question",
  talk_interrupted: "A conversation was interrupted",
};

export const inbox = {
  title: "Inbox",
  errorTitle: "Couldn’t load the Inbox",
  emptyTitle: "Nothing is waiting on you",
  emptyText:
    "Approvals, checkpoints, decisions, questions and unknown outcomes from all plans appear here.",
  untitledPlan: "Untitled plan",
  open: "Open",
  openPlan: (title: string) => `Open ${title}`,

  item: {
    since: (time: string) => `Waiting since ${time}`,
    titles,
    otherTitle: "Waiting on you",
    resume: "Resume",
  },
};
