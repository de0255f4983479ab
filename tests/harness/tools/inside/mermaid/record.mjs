// node record.mjs CORPUS.json: has Mermaid judge every diagram of the corpus, and writes the verdicts into it.
import fs from "node:fs";
import { JSDOM } from "jsdom";

const { window } = new JSDOM("<!DOCTYPE html><body></body>");
Object.assign(globalThis, { window, document: window.document, Option: window.Option });
const { default: mermaid } = await import("mermaid");

const path = process.argv[2];
const corpus = JSON.parse(fs.readFileSync(path, "utf8"));
for (const diagram of corpus.diagrams) {
  try {
    await mermaid.parse(diagram.text);
    diagram.valid = true;
    delete diagram.error;
  } catch (error) {
    diagram.valid = false;
    diagram.error = String(error.message ?? error).slice(0, 300);
  }
}
fs.writeFileSync(path, JSON.stringify(corpus, null, 1) + "\n");
const broken = corpus.diagrams.filter((diagram) => !diagram.valid).length;
console.log(`${corpus.diagrams.length} diagrams, ${broken} broken`);
