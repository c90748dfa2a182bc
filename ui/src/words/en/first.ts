/** The first screen: the goal box with its requirements, the models found, the sample, and the recent folders. */
import { count } from "./count";

export const first = {
  title: "What do you want to do?",
  lead: "You get a plan file to review, edit and approve. Nothing else changes until you approve it.",
  folderErrorTitle: "Couldn’t open the folder",
  openFolder: "Open a folder",
  openAnotherFolder: "Open another folder",
  noModelTitle: "No model needed",
  noModelHint:
    "Templates plan common jobs, and commands run without a model. The rest is up to you or your own agent.",
  openingSample: "Opening the sample…",
  openSample: "Open the sample program",

  goal: {
    placeholder: "Add a --json flag to the report command and test it",
    makePlan: "Make a plan",
    talkAction: "Talk over the goal with the model",
    focusAction: "Enter a goal",
    talk: "Talk it over with the model instead",
    talkTooltip: "The model reads the folder, asks what it needs to know, and proposes a plan",
    agents: "Or have it written by",
    agentLabel: (agent: string) => `Have the plan written by ${agent}`,
    agentTooltip: "The agent reads the folder in its plan mode and proposes a plan",
    theModel: "the model",
    modelErrorTitle: "Couldn’t use the model",
    openModels: "Open Settings → Models",
    estimatesHint: "Enter a goal to see estimates.",
    noFolder: "Open a folder first",
    readOnly: "This folder is read-only, so plans can’t be saved in it",
    readOnlyHint: "Open another folder, or change this one’s permissions.",
    empty: "Enter a goal",
  },

  template: {
    chosen: (name: string) => `Template: ${name}`,
    remove: (name: string) => `Template: ${name}, remove`,
    without: "Don’t use the template",
    apply: (name: string) => `Use the template ${name}`,
    unused: "No template: one step for each requirement.",
  },

  requirements: {
    label: "Requirements",
    field: (n: number) => `Requirement ${n}`,
    edit: "Edit",
    remove: (n: number, text: string) => `Remove R${n} ${text}`,
    newField: "New requirement",
    add: "Add a requirement",
    edited: "edited by you",
    reset: "reset from your goal",
    fromGoal: "from your goal",
    none: "none found in your goal yet",
    questions: "Open questions",
  },

  models: {
    label: "Models found",
    found: "Models found",
    current: "Model",
    contextWindow: (tokens: string) => `window ${tokens}`,
    tooSmall: "Too small for planning.",
    tooSmallWithFix: "Too small for planning. For a larger window, run:",
    searching: "Looking for models on this machine…",
    searchAgain: "Scan again",
    none: "No model server found on this machine. Start one, or add an endpoint.",
    use: "Use",
    labelOfUse: (model: string, server: string) => `Use ${model} on ${server}`,
    more: (n: number) => `and ${n} more`,
    chooseAnother: "Choose another model",
    addEndpoint: "Add an endpoint",
  },

  recent: {
    label: "Recent folders",
    title: "Recent",
    remove: (folder: string) => `Remove ${folder} from this list`,
    missing: "folder not found",
    unreadable: "can’t be read",
    plans: (n: number, waiting: number) =>
      `${count(n, "plan")}${waiting > 0 ? `, ${waiting} waiting on you` : ""}`,
  },

  /** Toasts when a plan has been made. */
  made: {
    title: (plan: string) => `“${plan}” is ready`,
    open: "Open",
    refusedTitle: "This plan can’t be approved yet",
  },
};
