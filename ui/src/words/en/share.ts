/** English strings of `share`: opening a plan in an editor, links to it, and its export. */
export const share = {
  openInEditor: "Open in editor",
  copyLink: "Copy link",
  copyStepLink: "Copy link to step",
  linkConsequence: "The link opens this plan in Planwright if its folder has been opened before",
  planCopied: "Link copied",
  stepCopied: (step: string) => `Link to ${step} copied`,
  exportHtml: "Export as HTML…",
  exportConsequence: "One file with steps, findings and score; no scripts",
  exported: "Plan exported",
};
