/** English strings of `components`. */
export const components = {
  /** Verbs for the effects of a step, followed by a path, a command or the rest of the sentence. */
  effects: {
    reads: "reads",
    edits: "edits",
    creates: "creates",
    deletes: "deletes",
    runs: "runs",
    waits_for_you: "waiting on you",
    asks: "asks",
    shows: "shows",
    only_if: "only if",
    cannot_run: "can’t run",
  },
  close: "Close",
  cancel: "Cancel",
  loading: "Loading",
  code: "Code",
  command: "Command",
  retry: "Retry",
  /** The screen for an internal error. */
  internalError: {
    explanation: "This is a bug in Planwright. Drafts, comments and unanswered questions are kept.",
    reload: "Reload window",
    copyDetails: "Copy details",
  },
  diff: {
    /** Read aloud before a line of a diff, by its kind. */
    kinds: { added: "added", removed: "removed" } as Record<string, string>,
    changesTo: (path: string) => `Changes to ${path}`,
  },
  link: {
    title: "Open this link in your browser?",
    confirm: "Open in browser",
    address: "Full address",
  },
  model: {
    onServer: "Models on this server",
    use: (model: string) => `Use ${model}`,
    copyLine: (line: string) => `Copy: ${line}`,
    copy: "Copy",
    copied: "Copied",
  },
  shield: {
    /** Labels of a badge, by the backend's word for it. */
    badges: {
      empty: "Empty",
      outline: "Outline",
      thin: "Thin",
      overgrown: "Overgrown",
      fair: "Fair",
      adequate: "Adequate",
    } as Record<string, string>,
    none: "No score",
  },
  template: {
    from: "From the template",
  },
};
