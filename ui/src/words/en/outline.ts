/** The outline: the plan's head and notices, the rows, the dialogs, and the actions on steps. */
import { count } from "./count";

export const outline = {
  loadingPlan: "Loading plan",
  loadFailed: "Couldn’t load the steps",
  noMatches: "No matching steps",
  showAll: "Show all steps",
  emptyTitle: "No steps yet",
  emptyHint: "A plan needs steps before it can run. Add the first one.",
  emptyHintReadOnly:
    "A plan needs steps before it can run. Make the file writable to add the first one.",
  addStep: "Add step",

  /** The plan's title, goal and introduction. */
  head: {
    untitled: "Untitled plan",
    undo: (edit: string) => `Undo: ${edit}`,
    redo: (edit: string) => `Redo: ${edit}`,
    open: "Edit title and introduction",
    close: "Close title and introduction",
    fields: "Title, goal and introduction",
    title: "Title",
    goal: "Goal",
    goalHint: "what the plan is checked against",
    introduction: "Introduction",
    introductionFailed: "Couldn’t load the introduction",
    loadingIntroduction: "Loading introduction",
    done: "Done",
  },

  /** The writer of the plan, and the alternatives. */
  origin: {
    rewriteWithoutTemplate: "Rewrite without the template",
    rewriteWithRules: "Rewrite with templates and rules",
    rewriteWithModel: (model: string) => `Rewrite with ${model}`,
    rewriting: "Rewriting…",
    rewritingWithModel: (model: string | undefined) =>
      `${model ?? "The model"} is rewriting the plan…`,
    cancel: "Cancel",
    rewrittenWithoutTemplate: (template: string) => `Rewritten without the template ${template}`,
    rewrittenWithRules: "Rewritten with templates and rules",
    rewrittenWithModel: (model: string) => `Rewritten with ${model}`,
    changedTitle: "The plan has changed",
    changedMessage: "Nothing was rewritten.",
  },

  requirements: {
    label: "Requirements",
    add: "Add requirement",
    coveredBy: (steps: string[]) => `covered by ${steps.join(", ") || "a step"}`,
    notCovered: "not covered by any step",
    isGone: (id: string) => `${id} is no longer in the plan.`,
    close: "Close",
  },

  requirementEditor: {
    newLabel: "New requirement",
    placeholder: "What the result must do",
    coveredBy: (steps: string[]) => `Covered by ${steps.join(", ")}.`,
    notCovered: "No step covers it yet.",
    emptyError: "Enter a requirement.",
    conflictError: "The requirements have changed. Add it again if it’s still needed.",
    done: "Done",
    add: "Add",
    cancel: "Cancel",
    delete: (id: string) => `Delete ${id}`,
    deleting: (id: string) => `Deleting ${id}`,
    deleted: (id: string) => `${id} deleted`,
  },

  /** Notices above the rows: the file is read-only, has problems, or has no steps yet. */
  notices: {
    problemsLabel: "Problems in the file",
    problems: (n: number) => `${count(n, "problem")} in this file`,
    problemLine: (line: number) => `line ${line}:`,
    readOnlyLabel: "About the file",
    readOnly: "This plan is read-only.",
    readOnlyHint: "To change it, make the file and its folder writable.",
    copyToWorkspace: "Copy to this workspace",
    noStepsLabel: "Create steps",
    noSteps: "No steps yet.",
    noStepsHint:
      "A step is a list item with a checkbox (- [ ]). Create steps from existing text; you’ll see every changed line first.",
    fromItems: (n: number) => `Create steps from ${count(n, "list item")}…`,
    fromHeadings: (n: number) => `Create steps from ${count(n, "heading")}…`,
  },

  filter: {
    label: "Filter steps",
    field: "Filter steps by text",
    placeholder: "Filter steps",
    only: "Only",
    mine: "Mine",
    mineHint: "Steps assigned to you",
    open: "Open",
    openHint: "Steps that are neither done nor skipped",
    withFindings: "With findings",
    withFindingsHint: "Steps with at least one finding",
    matches: (lines: number, steps: number) => `${lines} of ${count(steps, "step")}`,
    collapseAll: "Collapse all groups",
    expandAll: "Expand all groups",
  },

  /** The toolbar for several selected rows. */
  selected: {
    label: "Actions for the selected steps",
    count: (n: number) => `${count(n, "step")} selected`,
    merge: "Merge",
    mergeHint: (task: string, into: string) => `Merge ${task} into ${into}`,
    indent: "Indent",
    indentHint: "Make them sub-steps of the step above (Alt+→)",
    outdent: "Outdent",
    outdentHint: "Move them up one level (Alt+←)",
    assignToMe: "Assign to me",
    assignToMeHint: "You’ll do these steps",
    assignToAgent: "Assign to agent",
    assignToAgentHint: "An agent will do these steps",
    markDone: "Mark as done",
    markDoneHint: "Mark them as done manually",
    reopen: "Reopen",
    reopenHint: "Mark them as not done",
    delete: "Delete…",
    clear: "Clear selection",
  },

  rows: {
    label: "Steps",
    untitled: "Untitled",
    collapse: (task: string) => `Collapse ${task}`,
    expand: (task: string) => `Expand ${task}`,
    addedByRun: "added by the run",
    addedByRunHint: "The run added this step to the plan",
    skipped: (reason: string) => `Skipped: ${reason}`,
    options: "Options",
    findings: "Findings",
    findingCount: (n: number, task: string) => `${count(n, "finding")} on ${task}`,
    fix: "Fix",
    fixLabel: (fix: string) => `Fix: ${fix}`,
    preview: "Preview",
    previewLabel: (fix: string) => `Preview: ${fix}`,
    moreFindings: (n: number) => `${n} more`,
    dependsOn: "Depends on",
    dependsOnNothing: "nothing",
    files: "Files",
    checks: "Checks",
    covers: "Covers",
    yours: "yours",
    running: (seconds: string) => `running ${seconds} s`,
  },

  /** The icon of a row, for screen readers and as its tooltip. */
  states: {
    running: "running",
    done: "done",
    failed: "failed",
    skipped: "skipped",
    waiting: "waiting on you",
    interrupted: "interrupted",
    unverified: "finished, unverified",
    refused: "refused",
    undone: "undone",
    decision: "decision",
    decisionWaiting: "decision, waiting on you",
    checkpoint: "checkpoint",
    checkpointWaiting: "checkpoint, waiting on you",
    group: "group",
    yours: "yours, open",
    open: "open",
  },

  drag: {
    handle: (task: string) => `Move ${task}`,
    handleHint: "Drag to move, or press Space",
    instructions:
      "Press Space to pick up the step, the up and down arrows to choose its place, left and right to choose its level, Space to drop it, Escape to cancel.",
    toStart: "to the start",
    under: (task: string) => `under ${task}`,
    after: (task: string, level: number) => `after ${task}, level ${level}`,
    target: (task: string, place: string) => `${task}: ${place}`,
  },

  rowMenu: {
    label: (task: string) => `Actions for ${task}`,
    edit: "Edit",
    showFields: "Show all fields",
    addAfter: "Add step after",
    addUnder: "Add sub-step",
    moveUp: "Move up",
    moveDown: "Move down",
    indent: "Indent",
    outdent: "Outdent",
    split: "Split…",
    merge: "Merge with next",
    markDone: "Mark as done manually",
    reopen: "Reopen",
    copyLink: "Copy link",
    delete: "Delete…",
  },

  /** Actions in the row menu, the palette and the list of shortcuts. */
  changeKind: {
    task: "Change to step",
    checkpoint: "Change to checkpoint",
    decision: "Change to decision",
  },

  actions: {
    next: "Select next step",
    previous: "Select previous step",
    open: "Open step",
    close: "Close step",
    addAfter: "Add step after",
    addUnder: "Add sub-step",
    delete: "Delete step…",
    moveUp: "Move step up",
    moveDown: "Move step down",
    indent: "Indent step",
    outdent: "Outdent step",
    split: "Split step…",
    merge: "Merge with next step",
    toggleDone: "Mark step as done or reopen it",
    undo: "Undo",
    redo: "Redo",
    editHead: "Edit title, goal and introduction",
    showFindings: "Go to findings",
    convert: "Convert to Planwright format…",
    createSteps: "Create steps from list items or headings…",
    toggleSelected: "Select or deselect step",
    clearSelection: "Clear selection",
    filter: "Filter steps",
  },

  addTask: {
    atEnd: "at the end",
    after: (task: string) => `after ${task}`,
    under: (task: string) => `under ${task}`,
    label: (where: string) => `New step ${where}`,
    title: (where: string) => `Title of the new step ${where}`,
    kind: "Kind of the new step",
    task: "Step",
    checkpoint: "Checkpoint",
    decision: "Decision",
    add: "Add",
    cancel: "Cancel",
    hint: "Enter adds the step. Paste a Markdown list to add several.",
    pasted: (n: number, leftOut: number) =>
      `${count(n, "step")} added${leftOut > 0 ? `, ${count(leftOut, "other line")} ignored` : ""}`,
    emptyError: "Enter a title.",
    conflictError: "The steps around it have changed. Add it again if it still fits.",
    tooManyError: (most: number) =>
      `The list has more than ${most.toLocaleString("en")} steps. Paste it in parts.`,
    nestedError:
      "Steps in this plan have no IDs, so a nested list can’t be pasted. Paste one level at a time.",
  },

  /** The preview of an edit, in the dialogs below. */
  preview: {
    loading: "Loading preview",
    failed: "Couldn’t preview the changes",
    waiting: "Waiting for the preview",
    diff: "Changed lines",
  },

  deleteDialog: {
    title: (task: string) => `Delete ${task}?`,
    confirm: (task: string) => `Delete ${task}`,
    children: "These sub-steps are deleted too:",
    dependents: "These steps depend on it and will depend on its dependencies instead:",
    uncovered: "No longer covered by any step:",
    noDependents: "Nothing depends on it.",
  },

  deleteSelectedDialog: {
    title: (n: number) => `Delete ${count(n, "step")}?`,
    confirm: (n: number) => `Delete ${count(n, "step")}`,
    summary: (tasks: readonly string[]) =>
      `Deletes ${tasks.join(", ")} and their sub-steps; dependents are relinked.`,
  },

  /** The dialog that converts list items or headings to steps, or the file to Planwright's format. */
  convertDialog: {
    itemsTitle: "Create steps from the list items?",
    headingsTitle: "Create steps from the headings?",
    createSteps: "Create steps",
    creatingFromItems: "Creating steps from the list items",
    creatingFromHeadings: "Creating steps from the headings",
    stepsCreated: "Steps created",
    nativeTitle: "Convert to Planwright format?",
    convert: "Convert",
    converting: "Converting the plan",
    converted: "Plan converted",
    summary: (steps: number) =>
      `The plan will have ${count(steps, "step")}. Only these lines change.`,
  },

  splitDialog: {
    title: (task: string) => `Split ${task}`,
    failed: "Couldn’t load the step",
    loading: "Loading step",
    hint: (task: string) =>
      `Adds a step after ${task} that depends on it; whatever depends on ${task} will depend on the new step. Fields such as files and verify stay with ${task}.`,
    newTitle: "Title of the new step",
    notes: (task: string) => `Notes that stay with ${task}`,
    notesHint: "Text you remove here moves to the new step.",
    split: "Split",
    cancel: "Cancel",
  },

  conflictDialog: {
    title: "Edit conflict",
    message: (edit: string) =>
      `${edit} failed: the same lines have changed in the file. Nothing is lost. Compare both versions, then try again if you still want to.`,
    mine: "Your version",
    theirs: "In the file",
    empty: "(empty)",
    close: "Close",
  },

  /** Names of edits in progress, used as the subject of the conflict dialog's message. */
  edits: {
    delete: (steps: string) => `Deleting ${steps}`,
    move: (task: string) => `Moving ${task}`,
    indent: (steps: string) => `Indenting ${steps}`,
    outdent: (steps: string) => `Outdenting ${steps}`,
    change: (steps: string) => `Changing ${steps}`,
    markDone: (steps: string) => `Marking ${steps} as done`,
    reopen: (steps: string) => `Reopening ${steps}`,
    merge: (task: string, into: string) => `Merging ${task} into ${into}`,
    split: (task: string) => `Splitting ${task}`,
    mute: "Muting the finding",
    unmute: "Unmuting the finding",
    expand: "Adding the changes to the plan",
    answer: "Answering the question",
    undo: "Undoing the last edit",
    redo: "Redoing the edit",
    steps: (n: number) => count(n, "step"),
  },

  /** Toasts after an edit. */
  edited: {
    deleted: (steps: string) => `${steps} deleted`,
    merged: (task: string, into: string) => `${task} merged into ${into}`,
    undo: "Undo",
    notLatestTitle: "The plan changed after this edit",
    notLatestMessage: (edit: string) => `Undo the newer edit first: ${edit}.`,
    nothingToUndo: "Nothing left to undo.",
  },
};
