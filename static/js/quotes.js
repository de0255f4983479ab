// Marks the judges' quotes in the step that is shown. A quote that was chosen in a review, or that stands in the fragment
// of the address (#quote=…), is marked more strongly, and scrolled into view.
const replay = document.querySelector("[data-replay]");
const pane = () => replay.querySelector("[data-pane]");
let chosen = "";

// The text of the pane without the list of quotes: whitespace is one space, with the place of each character.
const textOf = (root) => {
  const places = [];
  let text = "";
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement.closest(".quoted") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  while (walker.nextNode()) {
    const { data } = walker.currentNode;
    for (let at = 0; at < data.length; at += 1) {
      const space = /\s/u.test(data[at]);
      if (space && text.endsWith(" ")) continue;
      text += space ? " " : data[at];
      places.push([walker.currentNode, at]);
    }
  }
  return { text, places };
};

// A range for the quote, or for its longest line: lines of a file may have their numbers between them.
const find = ({ text, places }, quote) => {
  const whole = quote.replace(/\s+/gu, " ").trim();
  const lines = quote.split("\n").map((line) => line.replace(/\s+/gu, " ").trim()).sort((a, b) => b.length - a.length);
  for (const wanted of [whole, lines[0]]) {
    const at = wanted ? text.indexOf(wanted) : -1;
    if (at < 0) continue;
    const range = new Range();
    range.setStart(...places[at]);
    const [node, offset] = places[at + wanted.length - 1];
    range.setEnd(node, offset + 1);
    return range;
  }
  return null;
};

const mark = () => {
  const root = pane();
  if (!CSS.highlights || !root) return;
  const quotes = [...root.querySelectorAll("[data-quote-text]")].map((each) => each.textContent);
  const text = quotes.length || chosen ? textOf(root) : { text: "", places: [] };
  CSS.highlights.set("quoted", new Highlight(...quotes.map((quote) => find(text, quote)).filter(Boolean)));
  const range = chosen && find(text, chosen);
  CSS.highlights.set("quote", new Highlight(...(range ? [range] : [])));
  if (range) range.startContainer.parentElement.scrollIntoView({ block: "center" });
  chosen = "";
};

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-quote]");
  if (!link) return;
  chosen = link.dataset.quote;
  if (Number(link.dataset.step) === Number(pane().dataset.number)) mark();
}, true);
document.addEventListener("stepchange", mark);

// The address of a quote from another page, such as ?step=4#quote=It%20works. What is no valid encoding is no quote.
const quoteOf = (hash) => {
  try {
    return hash.startsWith("#quote=") ? decodeURIComponent(hash.slice("#quote=".length)) : "";
  } catch {
    return "";
  }
};
chosen = quoteOf(location.hash);
mark();

// An address such as #review-7 opens that review.
const openTarget = () => {
  const review = /^#review-\d+$/u.test(location.hash) && document.querySelector(`${location.hash} details`);
  if (review) review.open = true;
};
addEventListener("hashchange", openTarget);
openTarget();
