/** The CodeMirror editor of one plan's text, assembled from its extensions. Saving, checking and selecting steps are up to the caller. */
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
import { words } from "../../words";
import { smallChanges } from "./changes";
import { type CompletionSources, completeFrom } from "./completion";
import { planText } from "./language";
import { marks } from "./marks";
import { tasks } from "./tasks";
import { theme } from "./theme";

const text = words.source.editor;

/** Marks changes that weren't typed here and so aren't saved. */
const fromElsewhere = Annotation.define<boolean>();

export interface EditorPorts {
  completions: CompletionSources;
  isWritable: boolean;
  /** Called when the person changes the text. */
  typed: () => void;
  /** Called after every change of the text. */
  changed: () => void;
  /** Called when the person moves the cursor. */
  moved: () => void;
  blurred: () => void;
  /** Called when the person presses Undo and there is nothing left to undo. */
  undoneAll: () => void;
}

/** CodeMirror shortcuts that the window uses for something else. */
const reserved = [
  "Mod-Enter",
  "Mod-k",
  "Mod-.",
  "Mod-f",
  "Mod-Alt-[",
  "Mod-Alt-]",
  "Ctrl-Alt-[",
  "Ctrl-Alt-]",
];

/** State that survives while another view is open. */
const savedFields = { history: historyField, folds: foldState };

export interface SavedEditor {
  json: unknown;
  scroll: number;
}

function extensions(doc: string, ports: EditorPorts): Extension {
  return [
    EditorState.lineSeparator.of("\n"),
    EditorView.clipboardInputFilter.of((pasted) => pasted.replace(/\r\n?/g, "\n")),
    EditorState.readOnly.of(!ports.isWritable),
    EditorState.tabSize.of(2),
    indentUnit.of("  "),
    EditorState.phrases.of(text.phrases),
    EditorView.contentAttributes.of({
      "aria-label": text.label,
      "aria-description": text.hint,
      tabindex: "0",
      ...(!ports.isWritable && { "aria-readonly": "true" }),
    }),
    // Gutters are shown in the order of their extensions: marks before line numbers.
    marks,
    lineNumbers(),
    foldGutter({ openText: "⌄", closedText: "›" }),
    codeFolding({ placeholderText: "…" }),
    tasks,
    history(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    EditorView.lineWrapping,
    planText(doc),
    search({ top: true }),
    autocompletion({
      override: [completeFrom(ports.completions)],
      icons: false,
      maxRenderedOptions: 50,
      // Offers the values of a key after it is completed.
      activateOnCompletion: ({ type }) => type === "property",
    }),
    theme,
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
  const undoTyping = (view: EditorView) => {
    if (!undo(view)) ports.undoneAll();
    return true;
  };
  return [
    Prec.high(keymap.of([{ key: "Mod-z", run: undoTyping, preventDefault: true }, ...typing])),
    keymap.of(
      [
        ...completionKeymap,
        ...searchKeymap,
        ...foldKeymap,
        ...historyKeymap,
        ...defaultKeymap,
      ].filter(({ key }) => !key || !reserved.includes(key)),
    ),
  ];
}

/** Opens the editor. A saved editor is restored with its undo history and folds. */
export function openEditor(
  parent: HTMLElement,
  doc: string,
  ports: EditorPorts,
  saved: SavedEditor | null,
): EditorView {
  const all = extensions(doc, ports);
  if (!saved) {
    return new EditorView({ parent, state: EditorState.create({ doc, extensions: all }) });
  }
  const before = EditorState.fromJSON(saved.json, { extensions: all }, savedFields);
  // Changes made while the editor was closed are applied before any listener is attached.
  const { state } = before.update({
    changes: smallChanges(before.doc.toString(), doc),
    annotations: Transaction.addToHistory.of(false),
  });
  const view = new EditorView({ parent, state });
  view.scrollDOM.scrollTop = saved.scroll;
  return view;
}

export function saveEditor(view: EditorView): SavedEditor {
  return { json: view.state.toJSON(savedFields), scroll: view.scrollDOM.scrollTop };
}

/** Replaces the text by small changes, so that cursor, scroll position and folds stay. Only `chosen` changes can be undone. */
export function putText(view: EditorView, doc: string, why: "outside" | "chosen"): void {
  const small = smallChanges(view.state.doc.toString(), doc);
  if (small.length === 0) return;
  const changes = view.state.changes(small);
  // The first visible line stays the first one.
  const scroll = view.scrollSnapshot().map(changes);
  view.dispatch({
    changes,
    effects: scroll ? [scroll] : [],
    annotations: [
      fromElsewhere.of(true),
      why === "outside" ? Transaction.addToHistory.of(false) : isolateHistory.of("full"),
    ],
    filter: false,
  });
}
