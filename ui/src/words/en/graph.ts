/** The graph: the canvas, the strip below it, and the dialogs that add and remove dependencies. */
import { count } from "./count";

export const graph = {
  untitled: "Untitled",
  loading: "Drawing graph",
  errorTitle: "Couldn’t draw the graph",
  emptyTitle: "No steps yet",
  emptyHint: "The graph shows which steps depend on which. Add the first step in the outline.",
  showOutline: "Show outline",

  canvas: {
    heading: (plan: string) => `${plan}: dependencies`,
    label: "Graph of the plan",
    help: "Arrow keys follow the lines: up to what a step depends on, down to what it unblocks, left and right to the steps beside it. Enter shows the step in the outline. N selects the next ready step, D makes another step depend on this one, X removes a dependency. Press the question mark for all keys.",
    map: "Minimap of the graph",
    arrowheads: "Arrowheads",
  },

  /** The text of a step for screen readers: "T2, Add a flag, depends on T1, ready, unblocks 5 steps". */
  node: {
    kinds: {
      group: "group",
      checkpoint: "checkpoint",
      decision: "decision",
    } as Record<string, string>,
    states: {
      done: "done",
      skipped: "skipped",
      ready: "ready",
      waiting: "waiting",
    } as Record<string, string>,
    yours: "yours",
    inGroup: (group: string) => `in ${group}`,
    dependsOn: (steps: string) => `depends on ${steps}`,
    noDependencies: "no direct dependencies",
    unblocks: (steps: number) => `unblocks ${count(steps, "step")}`,
    unblocksNothing: "unblocks nothing",
    findings: (n: number) => count(n, "finding"),
    andMore: (ids: string, more: number) => `${ids} and ${more} more`,
  },

  edge: {
    dependsOn: (step: string, on: string) => `${step} depends on ${on}`,
    byOrder: (step: string, on: string) => `${step} depends on ${on}, the previous step`,
    branch: (step: string, decision: string) => `${step} is a branch of ${decision}`,
    option: (step: string, decision: string, option: string) =>
      `${step} is the “${option}” branch of ${decision}`,
  },

  bar: {
    noneReady: "No steps ready",
    ready: "Ready:",
    select: (step: string, title: string) => `Select ${step}, ${title}`,
    moreReady: (n: number) => `and ${n} more`,
    cycle: "This would create a cycle:",
    notDrawn: (n: number) => `${count(n, "more step")} not drawn. The outline shows all steps.`,
    connect: "Make a step depend on this one",
    removeDependency: "Remove a dependency",
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    fit: "Zoom to fit",
  },

  actions: {
    down: "Select a step that this one unblocks",
    up: "Select a step that this one depends on",
    left: "Select the step to the left",
    right: "Select the step to the right",
    next: "Select next ready step",
    open: "Show step in outline",
    connectAfter: "Make another step depend on this one…",
    connectBefore: "Make this step depend on another…",
    removeDependency: "Remove dependency…",
    removeSelected: "Remove selected dependency",
    clear: "Deselect dependency and hide cycle",
    undo: "Undo",
    redo: "Redo",
  },

  menu: {
    label: (step: string) => `Actions for ${step}`,
  },

  /** A list to pick a step or a dependency from. */
  pick: {
    placeholder: "Filter by ID or title",
    noMatches: "No results",
    more: (n: number) => `${n} more. Type to narrow the list.`,
  },

  connect: {
    title: (step: string) => `Connect ${step}`,
    pickDependent: (step: string) => `Step that depends on ${step}`,
    pickDependency: (step: string) => `Step that ${step} depends on`,
    none: "No steps left to connect.",
    direction: "Direction",
    dependent: (step: string) => `… depends on ${step}`,
    dependency: (step: string) => `${step} depends on …`,
    createsCycle: "would create a cycle",
  },

  remove: {
    title: (step: string) => `Remove a dependency: ${step}`,
    label: (step: string) => `Dependencies of ${step}`,
    none: (step: string) => `${step} has no dependencies, and nothing depends on it.`,
    dependency: (step: string, title: string) => `${step} depends on it: ${title}`,
    dependent: (step: string, title: string) => `depends on ${step}: ${title}`,
    /** Reasons for a dependency that the plan doesn't list, by kind. */
    kinds: {
      order: "implied by order",
      branch: "decision option",
    } as Record<string, string>,
  },

  /** Names of the edits, in progress (as in "Removing T1 → T2 failed") and completed. */
  edits: {
    connecting: (from: string, to: string) => `Connecting ${from} and ${to}`,
    connected: (from: string, to: string) => `${to} depends on ${from}`,
    remove: (from: string, to: string) => `Remove ${from} → ${to}`,
    removing: (from: string, to: string) => `Removing ${from} → ${to}`,
    removed: (from: string, to: string) => `${to} no longer depends on ${from}`,
    rewire: (from: string, to: string) => `Make ${to} depend on ${from}`,
    rewiring: (step: string) => `Changing the dependencies of ${step}`,
    unchangedTitle: "No change needed",
    unchangedMessage: (state: string) => `${state}.`,
  },

  /** Confirms removing a dependency that only the order of the steps implies. */
  removeImplied: {
    title: (edit: string) => `${edit}?`,
    hint: (from: string, to: string) =>
      `${to} depends on ${from} only because ${from} comes before it in the plan. Removing it lists the other dependencies of ${to} explicitly.`,
    waiting: "Waiting for the preview",
    errorTitle: "Couldn’t preview the changes",
    loading: "Loading preview",
    diff: "Changed lines",
  },
};
