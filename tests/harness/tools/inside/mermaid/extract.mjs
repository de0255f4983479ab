// node extract.mjs: the tables of Mermaid's generated parsers, as JSON, from the source maps that its package brings.
import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";

const CHUNKS = "node_modules/mermaid/dist/chunks/mermaid.core";
const PARSERS = {
  flowchart: "flowchart/parser/flow",
  sequence: "sequence/parser/sequenceDiagram",
  class: "class/parser/classDiagram",
  state: "state/parser/stateDiagram",
  er: "er/parser/erDiagram",
  gantt: "gantt/parser/gantt",
  journey: "user-journey/parser/journey",
  mindmap: "mindmap/parser/mindmap",
  timeline: "timeline/parser/timeline",
  kanban: "kanban/parser/kanban",
  quadrant: "quadrant-chart/parser/quadrant",
  requirement: "requirement/parser/requirementDiagram",
  xychart: "xychart/parser/xychart",
};

const sources = new Map();
for (const file of fs.readdirSync(CHUNKS).filter((name) => name.endsWith(".map"))) {
  const map = JSON.parse(fs.readFileSync(path.join(CHUNKS, file), "utf8"));
  map.sources.forEach((source, place) => sources.set(source, map.sourcesContent?.[place] ?? ""));
}
const sourceOf = (ending) => [...sources].find(([name]) => name.endsWith(ending))[1];

// What a rule of the lexer does with a text: the word that it makes of it, and its orders, as an action has them.
function played(parser, rule, text) {
  const orders = [];
  const lexer = {
    begin: (state) => orders.push(["push", state]),
    pushState: (state) => orders.push(["push", state]),
    popState: () => orders.push(["pop"]),
    less: () => orders.push(["less"]),
    unput: () => {},
  };
  const logger = { trace: () => {}, debug: () => {}, info: () => {} };
  const yy = { lexer, lex: { firstGraph: () => orders.push(["first"]) }, getLogger: () => logger };
  try {
    return { word: parser.lexer.performAction.call(lexer, yy, { yytext: text }, rule, "INITIAL"), orders };
  } catch (error) {
    return { failure: error.message, orders };
  }
}

const kinds = {};
for (const [kind, name] of Object.entries(PARSERS)) {
  const context = vm.createContext({});
  const code = sourceOf(`src/diagrams/${name}.jison`).replace(/^\s*export .*$/gm, "");
  vm.runInContext(`${code}\n;globalThis.made = parser;`, context);
  const parser = context.made;
  kinds[kind] = {
    rules: parser.lexer.rules.map((rule, number) => ({
      source: rule.source,
      flags: rule.flags,
      plain: played(parser, number, "QQ"),
      comment: played(parser, number, "%%QQ"),
    })),
    conditions: parser.lexer.conditions,
    symbols: parser.symbols_,
    productions: parser.productions_,
    table: parser.table,
    defaults: parser.defaultActions,
  };
}
const shapes = sourceOf("rendering-elements/shapes.ts");
const names = [...shapes.matchAll(/(?:shortName:|liases: \[)([^\]\n]*(?:\n[^\]]*)??)[\],\n]/g)].flatMap(([, list]) =>
  [...list.matchAll(/'([^']+)'/g)].map(([, name]) => name),
);
process.stdout.write(JSON.stringify({ kinds, shapes: names }));
