// The editor of the pages on which a person plays a task, as one function. script/vendor-codemirror bundles it.
import { indentWithTab } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { markdown } from "@codemirror/lang-markdown";
import { python } from "@codemirror/lang-python";
import { HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { Decoration, EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";

const LANGUAGES = [
  [/\.pyi?$/, () => python()],
  [/\.(js|mjs|cjs|jsx)$/, () => javascript({ jsx: true })],
  [/\.(ts|mts|cts|tsx)$/, (path) => javascript({ typescript: true, jsx: path.endsWith("x") })],
  [/\.(c|h|cc|cpp|cxx|hh|hpp|hxx)$/, () => cpp()],
  [/\.json$/, () => json()],
  [/\.(md|markdown)$/, () => markdown()],
];

// The colours of the site: custom properties reach into the shadow root in which the editor stands.
const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.controlKeyword], color: "var(--t-key)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--t-str)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--t-num)" },
  { tag: [tags.comment, tags.docComment], color: "var(--t-com)", fontStyle: "italic" },
  { tag: [tags.function(tags.variableName), tags.function(tags.definition(tags.variableName))], color: "var(--t-fun)" },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.tagName], color: "var(--t-nam)" },
  { tag: tags.heading, fontWeight: "bold" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strong, fontWeight: "bold" },
  { tag: tags.link, textDecoration: "underline" },
]);

const look = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--raised)", fontSize: ".8125rem", height: "100%" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--accent-soft)" },
  ".cm-gutters": { backgroundColor: "var(--sunk)", color: "var(--ink-3)", borderRight: "1px solid var(--line)" },
  ".cm-after-gap": { borderTop: "2px dashed var(--edge)" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  ".cm-activeLineGutter": { backgroundColor: "var(--line)", color: "var(--ink)" },
  ".cm-panels": { backgroundColor: "var(--sunk)", color: "var(--ink)" },
  ".cm-panels.cm-panels-top, .cm-panels.cm-panels-bottom": { borderColor: "var(--line)" },
  ".cm-textfield, .cm-button": { backgroundColor: "var(--raised)", backgroundImage: "none", color: "var(--ink)", border: "1px solid var(--edge)", fontSize: ".8125rem" },
  ".cm-searchMatch": { backgroundColor: "var(--near-soft)", outline: "1px solid var(--near)" },
  ".cm-selectionMatch": { backgroundColor: "var(--near-soft)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--good-soft)", color: "inherit" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--line-2)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent-soft)", color: "var(--ink)" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--sunk)", border: "1px solid var(--line-2)", color: "var(--ink-2)" },
});

const language = (path) => LANGUAGES.find(([ending]) => ending.test(path))?.[1](path) ?? [];

// The lines of a file that is known in parts. `spans`: first and last number of each part, in order; none if all is known.
const numbering = (spans) => {
  const parts = [];
  let row = 1;
  for (const [first, last] of spans) {
    parts.push({ row, first, last });
    row += last - first + 1;
  }
  const partAt = (line) => parts.findLast((part) => part.row <= line) ?? { row: 1, first: 1 };
  const partOf = (number) => parts.findLast((part) => part.first <= number) ?? { row: 1, first: 1, last: Infinity };
  return {
    starts: parts.slice(1).map((part) => part.row),
    numberAt: (line) => partAt(line).first + line - partAt(line).row,
    rowOf: (number) => { const { row: start, first, last } = partOf(number); return start + Math.min(number, last) - first; },
  };
};

// Lines keep the numbers that they have in the file, and a dashed line stands where others are missing.
const numbered = ({ numberAt, starts }) => [
  lineNumbers({ formatNumber: (line) => String(numberAt(line)) }),
  EditorView.decorations.of(({ state: { doc } }) => Decoration.set(
    starts.filter((row) => row <= doc.lines).map((row) => Decoration.line({ class: "cm-after-gap" }).range(doc.line(row).from)),
  )),
];

// An editor in a shadow root of `host`. A style sheet that a script makes for a shadow root is no inline style, so the
// content security policy of the site stays as it is.
export const createEditor = (host, { text, path, label, spans = [], readOnly = false, changed = () => {} }) => {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  root.replaceChildren();
  const tab = /\n\t/.test(text) || /(^|\/)Makefile$/.test(path) ? "\t" : /\n {2}\S/.test(text) ? "  " : "    ";
  const lines = numbering(spans);
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        basicSetup,
        keymap.of([indentWithTab]),
        indentUnit.of(tab),
        EditorState.tabSize.of(4),
        EditorState.readOnly.of(readOnly),
        spans.length ? numbered(lines) : [],
        language(path),
        syntaxHighlighting(colours),
        look,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": String(readOnly), spellcheck: "false", tabindex: "0" }),
        EditorView.updateListener.of((update) => { if (update.docChanged) changed(); }),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    // The number of the first line in sight, and its opposite.
    top: () => {
      const block = view.lineBlockAtHeight(view.scrollDOM.scrollTop);
      return lines.numberAt(view.state.doc.lineAt(block.from).number);
    },
    show: (number) => {
      const line = view.state.doc.line(Math.max(1, Math.min(lines.rowOf(number), view.state.doc.lines)));
      view.dispatch({ effects: EditorView.scrollIntoView(line.from, { y: "start" }) });
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
};
