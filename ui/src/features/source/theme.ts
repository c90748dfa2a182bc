/** The editor's theme. Fonts and colors are the window's CSS variables, so it follows light and dark. */
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

const small = "var(--pw-small)";
const line = "var(--pw-line) solid 1px";

const card = {
  border: line,
  borderRadius: "var(--pw-radius)",
  background: "var(--pw-raised)",
  color: "var(--pw-ink)",
  boxShadow: "var(--pw-shadow-l)",
};

const softButton = {
  padding: "2px 8px",
  border: "0",
  borderRadius: "var(--pw-radius-s)",
  background: "var(--pw-chosen)",
  color: "var(--pw-chosen-text)",
  fontFamily: "inherit",
  fontSize: small,
  fontWeight: "600",
  lineHeight: "18px",
  cursor: "pointer",
  textTransform: "none",
};

function wave(color: string) {
  return {
    backgroundImage: "none",
    paddingBottom: "0",
    // Longhands: the web view ignores the combined shorthand.
    textDecorationLine: "underline",
    textDecorationStyle: "wavy",
    textDecorationColor: color,
    textDecorationThickness: "1.5px",
    textUnderlineOffset: "3px",
    textDecorationSkipInk: "none",
  };
}

function dot(color: string) {
  return { content: "none", background: color };
}

export const theme: Extension = EditorView.theme({
  "&": { height: "100%", color: "var(--pw-ink)", background: "var(--pw-surface)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--pw-mono)",
    fontSize: "var(--pw-text)",
    fontVariantLigatures: "none",
    fontFeatureSettings: '"calt" 0, "liga" 0',
    lineHeight: "20px",
    overflow: "auto",
  },
  ".cm-content": { padding: "16px 0 40vh", caretColor: "var(--pw-ink)" },
  ".cm-line": { padding: "0 24px 0 6px" },
  ".cm-line::selection, .cm-line ::selection": {
    background: "var(--pw-chosen) !important",
    color: "var(--pw-ink)",
  },
  ".cm-activeLine": { background: "var(--pw-hover)" },
  ".cm-gutters": {
    border: "0",
    background: "var(--pw-surface)",
    color: "var(--pw-dim)",
    fontSize: small,
  },
  ".cm-activeLineGutter": { background: "var(--pw-hover)", color: "var(--pw-ink)" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "34px", padding: "0 4px 0 0" },
  ".cm-gutter-lint": { width: "16px" },
  ".cm-gutter-lint .cm-gutterElement": { padding: "0" },
  ".cm-foldGutter .cm-gutterElement": {
    width: "16px",
    padding: "0",
    textAlign: "center",
    cursor: "pointer",
  },
  ".cm-foldGutter .cm-gutterElement:hover": { color: "var(--pw-ink)" },
  ".cm-foldPlaceholder": {
    margin: "0 6px",
    padding: "0 6px",
    border: "0",
    borderRadius: "var(--pw-radius-s)",
    background: "var(--pw-sunken)",
    color: "var(--pw-dim)",
  },

  // Styles of the text.
  ".pw-hang": {
    paddingLeft: "calc(6px + var(--pw-hang))",
    textIndent: "calc(-1 * var(--pw-hang))",
  },
  ".pw-heading, .pw-strong": { fontWeight: "700" },
  ".pw-emphasis": { fontStyle: "italic" },
  ".pw-struck": { textDecoration: "line-through" },
  ".pw-code": { borderRadius: "3px", background: "var(--pw-mark)" },
  ".pw-link": { color: "var(--pw-accent-text)" },
  ".pw-quote, .pw-dim": { color: "var(--pw-dim)" },
  ".pw-front, .pw-front *": {
    color: "var(--pw-accent-text)",
    fontWeight: "400",
    fontStyle: "normal",
  },
  ".pw-key, .pw-key *, .pw-done, .pw-done *": { color: "var(--pw-dim)" },
  ".pw-key .pw-code": { background: "none" },
  ".pw-sign": {
    margin: "0 1px",
    padding: "0 3px",
    borderRadius: "3px",
    background: "var(--pw-risk-soft)",
    color: "var(--pw-risk-text)",
    fontSize: "10px",
    fontWeight: "600",
    lineHeight: "14px",
  },

  // Styles of problems.
  ".cm-lintRange-error": wave("var(--pw-bad)"),
  ".cm-lintRange-warning": wave("var(--pw-risk)"),
  ".cm-lintRange-info": wave("var(--pw-warn)"),
  ".cm-lintRange-hint": wave("var(--pw-dim)"),
  ".cm-lintRange-active": { background: "var(--pw-warn-soft)" },
  ".cm-lint-marker": {
    width: "8px",
    height: "8px",
    margin: "6px 4px",
    borderRadius: "50%",
  },
  ".cm-lint-marker-error": dot("var(--pw-bad)"),
  ".cm-lint-marker-warning": dot("var(--pw-risk)"),
  ".cm-lint-marker-info": dot("var(--pw-warn)"),
  ".cm-tooltip": card,
  ".cm-tooltip.cm-tooltip-hover": { overflow: "hidden" },
  ".cm-tooltip-lint, .pw-cards": {
    maxWidth: "min(460px, 80vw)",
    maxHeight: "50vh",
    margin: "0",
    padding: "0",
    listStyle: "none",
    overflow: "auto",
    fontFamily: "var(--mantine-font-family)",
    fontSize: "var(--pw-text)",
  },
  ".cm-diagnostic": {
    display: "flex",
    flexWrap: "wrap",
    gap: "8px",
    margin: "0",
    padding: "10px",
    border: "0",
    whiteSpace: "normal",
  },
  ".cm-diagnostic + .cm-diagnostic": { borderTop: line },
  ".cm-diagnosticText": { flex: "1 0 100%", minWidth: "0" },
  ".pw-mark": { display: "flex", gap: "8px", alignItems: "flex-start", overflowWrap: "anywhere" },
  ".pw-mark > svg": { flex: "none", marginTop: "1px", color: "var(--pw-risk)" },
  ".cm-diagnostic-error .pw-mark > svg": { color: "var(--pw-bad)" },
  ".cm-diagnostic-info .pw-mark > svg": { color: "var(--pw-warn)" },
  ".cm-diagnostic-hint .pw-mark > svg": { color: "var(--pw-dim)" },
  ".cm-diagnosticAction": { ...softButton, margin: "0" },
  ".cm-diagnosticSource": { color: "var(--pw-dim)", fontSize: small, opacity: "1" },

  // Styles of the completion list.
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    maxHeight: "260px",
    padding: "4px",
    fontFamily: "var(--pw-mono)",
    fontSize: "12px",
    fontVariantLigatures: "none",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
    padding: "3px 8px",
    borderRadius: "var(--pw-radius-s)",
    color: "var(--pw-ink)",
    lineHeight: "18px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    background: "var(--pw-chosen)",
    color: "var(--pw-chosen-text)",
  },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-completionDetail": {
    marginLeft: "12px",
    color: "var(--pw-dim)",
    fontFamily: "var(--mantine-font-family)",
    fontStyle: "normal",
  },
  "li[aria-selected] .cm-completionDetail": { color: "inherit" },

  // Styles of the search panel.
  ".cm-panels": { background: "var(--pw-raised)", color: "var(--pw-ink)" },
  ".cm-panels-top": { borderBottom: line },
  ".cm-panel.cm-search": {
    display: "flex",
    flexWrap: "wrap",
    gap: "6px 8px",
    alignItems: "center",
    padding: "8px 40px 8px 16px",
  },
  ".cm-panel.cm-search > br": { flexBasis: "100%", width: "0", height: "0", content: '""' },
  // There are no multiple selections, so no "select all matches".
  ".cm-panel.cm-search [name=select]": { display: "none" },
  ".cm-panel.cm-search > label": { margin: "0", fontSize: small },
  ".cm-panel.cm-search > input, .cm-panel.cm-search > button, .cm-panel.cm-search > label > input":
    {
      margin: "0",
    },
  ".cm-textfield": {
    minWidth: "120px",
    padding: "3px 8px",
    border: "var(--pw-line-strong) solid 1px",
    borderRadius: "var(--pw-radius-s)",
    background: "var(--pw-surface)",
    color: "var(--pw-ink)",
    fontFamily: "var(--pw-mono)",
    fontSize: "12px",
    lineHeight: "20px",
  },
  ".cm-button": { ...softButton, backgroundImage: "none", padding: "4px 10px" },
  ".cm-button:active": { backgroundImage: "none", opacity: "0.9" },
  ".cm-panel.cm-search [name=close]": {
    top: "8px",
    right: "12px",
    width: "26px",
    height: "26px",
    borderRadius: "var(--pw-radius-s)",
    background: "none",
    color: "var(--pw-dim)",
    fontSize: "18px",
    cursor: "pointer",
  },
  ".cm-searchMatch": { borderRadius: "2px", background: "var(--pw-warn-soft)" },
  ".cm-searchMatch.cm-searchMatch-selected": { background: "var(--pw-warn)", color: "#000" },
  ".cm-searchMatch.cm-searchMatch-selected *": { color: "inherit" },
});
