/** The Settings screen: models, agents, all settings, executors, permission rules and the sandbox. */
import { count } from "./count";

export const settings = {
  title: "Settings",
  loading: "Loading settings",
  loadFailed: "Couldn’t load settings",
  userFile: "Your settings:",
  workspaceFile: "Workspace settings, which can make yours stricter:",
  fileChanges: "Changes to a settings file take effect immediately.",
  problems: "Problems in settings",
  /** A problem with a setting; shown after the setting's key. */
  problem: (file: string, message: string) => `in ${file}: ${message}`,

  sections: {
    models: "Models",
    agents: "Agents",
    all: "All settings",
    executors: "Executors",
    rules: "Permission rules",
    sandbox: "Sandbox",
    keys: "Keyboard shortcuts",
  },

  /** Headings of the groups, in the order shown. */
  groups: {
    general: "General",
    runs: "Approval and runs",
    permissions: "Permissions and sandbox",
    checks: "Checks",
    adequacy: "Plan quality",
    expansion: "Plan expansion",
    growth: "Plans that grow during a run",
    routes: "Planning routes",
  },

  search: {
    label: "Search settings",
    placeholder: "Search",
    found: (n: number) => count(n, "setting"),
    none: "No matching settings",
  },

  /** The row of a setting. */
  row: {
    setByWorkspace:
      "Set by this workspace’s settings file. Your choice here applies in other workspaces.",
    reset: "Reset to default",
    resetLabel: (setting: string, value: string) => `Reset to default: ${setting}, ${value}`,
    listPlaceholder: "One per line",
    notANumber: "Enter a number",
    notJson: "Invalid JSON",
  },

  /** Origins of a setting's value. */
  origins: {
    default: "default",
    user: "yours",
    workspace: "this workspace",
    environment: "environment",
  } as Record<string, string>,

  executors: {
    none: "None. A command in the executors setting, such as another coding agent, can carry out steps instead of a model. It gets the step’s brief and works in the sandbox.",
    limits: (limits: string) =>
      `In the sandbox, ${limits}. Choose it for a run under Approve → Run options.`,
    network: "with network access",
    noNetwork: "without network access",
    variables: (names: readonly string[]) => `with ${names.join(", ")} from your environment`,
    upToMinutes: (n: number) => `for up to ${n} min`,
    upToSeconds: (n: number) => `for up to ${n} s`,
  },

  agents: {
    about:
      "Other coding agents that can write plans and carry out steps. They run in the sandbox, where the workspace is read-only.",
    loading: "Looking for agents",
    loadFailed: "Couldn’t look for agents",
    refresh: "Scan again",
    none: "No agent found on the PATH. Install one and scan again, or name its program in the agents setting.",
    notFound: "not found",
    tiers: {
      mediated: "It writes files through Planwright.",
      copy: "It works in a private copy; Planwright checks its changes, then applies them.",
    } as Record<string, string>,
    network: "It has network access.",
    noNetwork: "It has no network access.",
    variables: (names: readonly string[]) =>
      `From your environment, it gets ${names.join(", ")}, if set.`,
    noVariables: "It gets none of your environment variables.",
    try: "Try",
    tryLabel: (agent: string) => `Try ${agent}`,
    noWorkspace: "Open a folder first",
    trying: (agent: string) => `Starting ${agent}`,
    cancel: "Cancel",
    readyWithModes: (seconds: string, modes: readonly string[]) =>
      `In plan mode after ${seconds} s. Its modes: ${modes.join(", ")}.`,
    readyWithOptions: (seconds: string, options: readonly string[]) =>
      `In plan mode after ${seconds} s. Its options: ${options.join(", ")}.`,
    hooks: "Plan reviews",
    hooksAbout:
      "With its hook installed, an agent that you start yourself sends its plans to this window for review.",
    hookWorks: "installed",
    hookProblem: "doesn’t work",
    hookMissing: "not installed",
  },

  rules: {
    none: "None. Choose “Always allow” on a permission request to add one.",
    answers: { allow: "allow", deny: "deny", ask: "ask" } as Record<string, string>,
    /** Shown before the prefix or the text that the rule matches. */
    prefix: (tool: string) => `${tool} starting with`,
    exact: (tool: string) => `${tool} exactly`,
    fromUser: (file: string) => `from your settings, ${file}`,
    fromWorkspace: (file: string) => `from this workspace, ${file}; remove it from that file`,
    fromAnswer: (workspace: string) => `“Always allow” in ${workspace}`,
    fromAnswerSince: (workspace: string, date: string) =>
      `“Always allow” in ${workspace}, since ${date}`,
    revoke: "Revoke",
    revokeLabel: (rule: string) => `Revoke the rule for ${rule}`,
    confirmTitle: "Revoke this rule?",
    confirm: "Revoke rule",
    confirmMessage: "Planwright will ask again from now on, including in runs in progress.",
    rule: "Rule",
  },

  sandbox: {
    tiers: { bubblewrap: "bubblewrap", landlock: "Landlock", none: "none" } as Record<
      string,
      string
    >,
    tested: (blocked: number, tried: number) =>
      `${blocked} of ${tried} escape attempts blocked at startup`,
    unavailable: "Why no stronger sandbox is in use",
  },

  models: {
    about:
      "Planwright uses one model at a time, at an endpoint that you choose; workspaces can’t change it. Without a model, templates and rules make the plans, and commands still run.",
    loading: "Loading models",
    loadFailed: "Couldn’t load models",
    /** The size of the context window: `window 4k`. */
    window: (tokens: string) => `window ${tokens}`,
    inUse: "in use",
    cancel: "Cancel",
  },

  currentModel: {
    label: "Current model",
    window: (tokens: string, source: string) => `Context window: ${tokens} tokens (${source})`,
    windowBelowMax: (tokens: string, source: string, max: string) =>
      `Context window: ${tokens} tokens (${source}; the model supports ${max})`,
    refused: (options: readonly string[]) =>
      `Rejected by the server, so no longer sent: ${options.join(", ")}`,
    testing: (model: string) => `Waiting for ${model}. Loading a model can take a while.`,
    test: "Test connection",
    disconnect: "Disconnect",
    disconnectLabel: (model: string) => `Disconnect: remove ${model} from your settings`,
    origins: {
      settings: "your settings",
      environment: "the environment",
      flag: "the command line",
    } as Record<string, string>,
    from: (origin: string) => `from ${origin}`,
    fromBoth: (address: string, model: string) => `address from ${address}, model from ${model}`,
  },

  chooseModel: {
    setByEnvironment: "Environment variables set the endpoint and override your choice here.",
    title: "On this machine",
    refresh: "Scan again",
    loading: "Scanning for model servers",
    failed: "Couldn’t scan for model servers",
    none: "No server found on the default ports of Ollama, LM Studio, llama.cpp and vLLM. Start one and scan again, or add an endpoint.",
    noModels: "No models yet. Download one with:",
    list: (server: string) => `Models on ${server}`,
    use: "Use",
    chooseLabel: (model: string, server: string) => `Use ${model} on ${server}`,
    addEndpoint: "Add endpoint…",
  },

  endpointForm: {
    label: "Add endpoint",
    server: "Server",
    address: "Address",
    addressHint: "Usually ends in /v1.",
    addressPlaceholder: "https://host/v1",
    addressError: "Must start with http:// or https://",
    keyNameError: "Use only capital letters, digits and _",
    model: "Model",
    modelHint: "The model’s name on that server.",
    listModels: "List models",
    listed: (n: number) =>
      n === 0
        ? "The server lists no models."
        : `The server lists ${count(n, "model")}. Type to choose.`,
    submit: "Use this model",
  },

  apiKey: {
    legend: "API key",
    name: "Name",
    nameHint: "Read from the environment variable with this name.",
    nameHintKeyring: "Read from the environment variable with this name, then from the keyring.",
    key: "Key",
    keyHint: "Only needed if the variable isn’t set.",
    keyHintNoKeyring: (variable: string) =>
      `No keyring available. Set ${variable} in the environment that starts Planwright, or enter the key here to use it until Planwright quits.`,
    store: "Save to keyring",
    keep: "Keep until quit",
    stored: "Key saved to the keyring.",
    kept: "Key kept until Planwright quits.",
    forget: "Delete stored key",
    forgotten: "Stored key deleted.",
    remove: "Don’t use a key",
    none: "No key is sent.",
    add: "Add key",
  },

  probe: {
    title: "Probe results",
    start: "Probe model",
    again: "Probe again",
    stop: "Stop probe",
    running: (model: string) => `Probing ${model}`,
    progress: (done: number, total: number) => `${done} of ${total} questions`,
    notYet:
      "Not probed yet. Six short requests test tool calls, JSON output and speed. Until then, Planwright goes by the model’s name.",
    results: "Probe results",
    answered: (done: number, total: number) => `${done} of ${total} questions answered.`,
    answeredOn: (done: number, total: number, date: string) =>
      `${done} of ${total} questions answered on ${date}.`,
    endedEarly: (reason: string) => `Ended early: ${reason}.`,
    faults: (faults: number, answers: number, kinds: readonly string[]) =>
      `In use: ${faults} of the last ${answers} structured answers had errors (${kinds.join("; ")}).`,
    loweredBelowProbe: "Rated lower than the probe suggested, because of repeated errors.",
    loweredBelowName: "Rated lower than the model’s name suggested, because of repeated errors.",
    forget: "Clear results",
  },

  /** The capabilities of the model. */
  profile: {
    title: "Capabilities",
    about:
      "Guessed from the model’s name, then measured by the probe, then lowered by errors in use. Your values override them all.",
    reset: (value: string) => `Reset to ${value}`,
    resetLabel: (field: string, value: string) => `${field}: reset to ${value}`,
    notANumber: "Enter a whole number",
    yes: "yes",
    no: "no",
    notSet: "not set",
    notMeasured: "not measured",
    tokensPerSecond: (n: number) => `${n} tokens/s`,
    sources: {
      name: "from its name",
      probe: "measured",
      counters: "lowered by errors",
      user: "yours",
    } as Record<string, string>,
    sourceHints: {
      name: "Guessed from the model’s name",
      probe: "Measured by the probe, or reported by the server",
      counters: "Lowered by errors in use",
      user: "Set by you",
    } as Record<string, string>,
    choices: {
      low: "low",
      medium: "medium",
      high: "high",
      upfront: "whole plan at once",
      hybrid: "outline first",
      iterative: "next steps only",
      native: "native",
      json_text: "as text",
      replace: "replaces parts",
      whole_file: "rewrites files",
      none: "not at all",
      minimal: "minimal",
    } as Record<string, string>,
  },
};
