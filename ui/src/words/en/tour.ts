/** The tour of an open plan, in four cards. */
export const tour = {
  start: "Take the tour",
  label: "Tour",
  count: (card: number, all: number) => `${card} of ${all}`,
  skip: "Skip tour",
  close: "Close",
  back: "Back",
  next: "Next",
  done: "Done",
  cards: [
    {
      title: "A plan is a file of steps",
      body: "Click a step to select it, double-click to edit it. Graph, Source and History show the same plan, and every edit can be undone.",
    },
    {
      title: "Findings show what’s missing",
      body: "Vague steps, missing checks, steps in the wrong order. Most findings can be fixed in one click.",
    },
    {
      title: "Nothing runs until you approve",
      body: "Approve one revision of the plan and choose how often to be asked. You see every command and file before it starts.",
    },
    {
      title: "Everything has a shortcut",
      body: "All actions lists everything you can do, with its shortcut. You can take this tour again from there. Press ? for all shortcuts.",
    },
  ],
} as const;
