/** The editor of one plan's text, put together of its parts. Saving, checking and where the window stands are given by the caller. */
import {
  acceptCompletion,
  autocompletion,
  closeCompletion,
  completionKeymap,
} from "@codemirror/autocomplete";
import {
  defaultKeymap,
  history,
  historyField,
  historyKeymap,
  indentLess,
  indentMore,
  isolateHistory,
  undo,
} from "@codemirror/commands";
import { deleteMarkupBackward, insertNewlineContinueMarkup } from "@codemirror/lang-markdown";
import { codeFolding, foldGutter, foldKeymap, foldState, indentUnit } from "@codemirror/language";
import { search, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState, type Extension, Prec, Transaction } from "@codemirror/state";
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { smallChanges } from "./changes";
import { completeFrom, type Knowledge } from "./completion";
import { planText } from "./language";
import { look } from "./look";
import { marks } from "./marks";
import { tasks } from "./tasks";

/** Marks changes that nobody typed here: they are not saved, and typing is not taken back through them. */
const fromElsewhere = Annotation.define<boolean>();

export interface EditorPorts {
  knowledge: Knowledge;
  isWritable: boolean;
  /** The person changed the text. */
  typed: () => void;
  /** Anybody changed it. */
  changed: () => void;
  /** The cursor stands elsewhere, by the person's doing. */
  moved: () => void;
  blurred: () => void;
  /** There is nothing left that was typed here and could be taken back. */
  undoneAll: () => void;
}

export const editorName = "Plan as text";
export const leaveHint =
  "Tab indents the line. To leave the text with the keyboard, press Escape and then Tab.";

/** Keys of the editor that the window has another use for. */
const taken = [
  "Mod-Enter",
  "Mod-k",
  "Mod-.",
  "Mod-f",
  "Mod-Alt-[",
  "Mod-Alt-]",
  "Ctrl-Alt-[",
  "Ctrl-Alt-]",
];

/** What survives when another view is opened and this one comes back. */
const keptFields = { history: historyField, folds: foldState };

export interface KeptEditor {
  json: unknown;
  scroll: number;
}

function extensions(text: string, ports: EditorPorts): Extension {
  return [
    EditorState.lineSeparator.of("\n"),
    EditorView.clipboardInputFilter.of((pasted) => pasted.replace(/\r\n?/g, "\n")),
    EditorState.readOnly.of(!ports.isWritable),
    EditorState.tabSize.of(2),
    indentUnit.of("  "),
    EditorState.phrases.of({
      next: "Next",
      previous: "Previous",
      "match case": "Match case",
      regexp: "Regular expression",
      "by word": "Whole words",
      replace: "Replace",
      "replace all": "Replace all",
      close: "Close the search",
      "Fold line": "Fold",
      "Unfold line": "Unfold",
      "folded code": "folded lines",
      unfold: "unfold",
    }),
    EditorView.contentAttributes.of({
      "aria-label": editorName,
      "aria-description": leaveHint,
      tabindex: "0",
      ...(!ports.isWritable && { "aria-readonly": "true" }),
    }),
    // Before the line numbers: their gutters stand in the order in which they are named.
    marks,
    lineNumbers(),
    foldGutter({ openText: "⌄", closedText: "›" }),
    codeFolding({ placeholderText: "…" }),
    tasks,
    history(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    EditorView.lineWrapping,
    planText(text),
    search({ top: true }),
    autocompletion({
      override: [completeFrom(ports.knowledge)],
      icons: false,
      maxRenderedOptions: 50,
      // A key is followed by its values.
      activateOnCompletion: ({ type }) => type === "property",
    }),
    look,
    keys(ports),
    EditorView.domEventHandlers({
      blur: (_event, view) => {
        closeCompletion(view);
        ports.blurred();
      },
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) {
        ports.changed();
        const isElsewhere = update.transactions.every(
          (one) => !one.docChanged || one.annotation(fromElsewhere),
        );
        if (!isElsewhere) ports.typed();
      }
      const isOwn = update.transactions.some((one) => one.annotation(Transaction.userEvent));
      if (isOwn && (update.selectionSet || update.docChanged)) ports.moved();
    }),
  ];
}

function keys(ports: EditorPorts): Extension {
  const typing = ports.isWritable
    ? [
        { key: "Enter", run: insertNewlineContinueMarkup },
        { key: "Backspace", run: deleteMarkupBackward },
        { key: "Tab", run: acceptCompletion },
        { key: "Tab", run: indentMore, shift: indentLess },
      ]
    : [];
  const takeBack = (view: EditorView) => {
    if (!undo(view)) ports.undoneAll();
    return true;
  };
  return [
    Prec.high(keymap.of([{ key: "Mod-z", run: takeBack, preventDefault: true }, ...typing])),
    keymap.of(
      [
        ...completionKeymap,
        ...searchKeymap,
        ...foldKeymap,
        ...historyKeymap,
        ...defaultKeymap,
      ].filter(({ key }) => !key || !taken.includes(key)),
    ),
  ];
}

/** Opens the editor; with what was kept of it, undo and folds are there again. */
export function openEditor(
  parent: HTMLElement,
  text: string,
  ports: EditorPorts,
  kept: KeptEditor | null,
): EditorView {
  const given = extensions(text, ports);
  if (!kept) {
    return new EditorView({ parent, state: EditorState.create({ doc: text, extensions: given }) });
  }
  const before = EditorState.fromJSON(kept.json, { extensions: given }, keptFields);
  // What was changed while the editor was away comes in before anybody listens.
  const { state } = before.update({
    changes: smallChanges(before.doc.toString(), text),
    annotations: Transaction.addToHistory.of(false),
  });
  const view = new EditorView({ parent, state });
  view.scrollDOM.scrollTop = kept.scroll;
  return view;
}

export function keepEditor(view: EditorView): KeptEditor {
  return { json: view.state.toJSON(keptFields), scroll: view.scrollDOM.scrollTop };
}

/** Changes the text by small replacements, so that cursor, scroll and folds stay. Only what was `chosen` can be taken back. */
export function putText(view: EditorView, text: string, why: "outside" | "chosen"): void {
  const small = smallChanges(view.state.doc.toString(), text);
  if (small.length === 0) return;
  const changes = view.state.changes(small);
  // The first line in view stays the first one, whatever comes or goes above it.
  const still = view.scrollSnapshot().map(changes);
  view.dispatch({
    changes,
    effects: still ? [still] : [],
    annotations: [
      fromElsewhere.of(true),
      why === "outside" ? Transaction.addToHistory.of(false) : isolateHistory.of("full"),
    ],
    filter: false,
  });
}
