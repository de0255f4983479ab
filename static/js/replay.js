// Moves through the steps of a run without loading the page again: keys, clicks, #step-N. The server sends a step as the
// same fragment as in the page; it also names the neighbours of the step.
// "stepchange" is sent when a step is shown; other scripts send "stepwanted" to show one (detail: its number).
const replay = document.querySelector("[data-replay]");
const help = document.querySelector("[data-help-dialog]");
const status = replay.querySelector("[data-status]");
const pane = () => replay.querySelector("[data-pane]");
const fact = (name) => Number(pane().dataset[name] || 0);
const part = (html, selector) => new DOMParser().parseFromString(html, "text/html").querySelector(selector);
const MOST_KEPT = 60;
const LOWEST = 0.8;  // of the window's height: a step that begins below is not seen
const kept = new Map();
let wanted = 0;
let lastMove = "";
let renewing = null;

const query = (more = {}) => {
  const found = new URLSearchParams(location.search);
  for (const name of ["step", "first"]) found.delete(name);
  for (const [name, value] of Object.entries(more)) found.set(name, value);
  return found.size ? `?${found}` : "";
};

const load = (number) => {
  const address = `${replay.dataset.url}steps/${number}/${query()}`;
  if (!kept.has(address)) {
    if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value);
    kept.set(address, fetch(address).then((response) => {
      if (!response.ok) throw new Error(String(response.status));
      return response.text();
    }).catch((error) => { kept.delete(address); throw error; }));
  }
  return kept.get(address);
};

// What is likely to be asked for next; not while somebody hurries past.
let resting = 0;
const prefetch = () => {
  clearTimeout(resting);
  resting = setTimeout(() => {
    const near = new Set(["next", "previous", "nextMatch"].map(fact));
    near.forEach((number) => { if (number) load(number).catch(() => {}); });
  }, 80);
};

// What the search found is marked in the step without touching its markup.
const highlight = () => {
  if (!CSS.highlights) return;
  CSS.highlights.delete("found");
  const text = new URLSearchParams(location.search).get("q")?.trim().toLowerCase();
  if (!text) return;
  const ranges = [];
  const walker = document.createTreeWalker(pane(), NodeFilter.SHOW_TEXT);
  while (walker.nextNode() && ranges.length < 500) {
    const lower = walker.currentNode.data.toLowerCase();
    if (lower.length !== walker.currentNode.data.length) continue;
    for (let at = lower.indexOf(text); at >= 0; at = lower.indexOf(text, at + text.length)) {
      const range = new Range();
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + text.length);
      ranges.push(range);
    }
  }
  CSS.highlights.set("found", new Highlight(...ranges));
};

const markStrip = () => {
  const strip = replay.querySelector("[data-strip]");
  const left = Math.floor(fact("place") / strip.dataset.size) * strip.dataset.slot + Number(strip.dataset.shift);
  strip.querySelector("[data-strip-current]").setAttribute("transform", `translate(${fact("number") ? left : -100})`);
};

// A whole new pane, or just its facts where the step is the one that is shown already.
const put = (text) => {
  const fresh = part(text, "[data-pane]");
  if (fresh.dataset.number === pane().dataset.number) {
    for (const name of Object.keys(fresh.dataset)) pane().dataset[name] = fresh.dataset[name];
    return;
  }
  const focused = pane().contains(document.activeElement);
  pane().replaceWith(fresh);
  if (focused) pane().querySelector("[tabindex]")?.focus({ preventScroll: true });
  if (pane().getBoundingClientRect().top < 0) pane().scrollIntoView({ block: "start" });
};

// What a reader chose elsewhere on the page is brought to where it can be read; the focus stays with the choice.
const reveal = () => {
  const { top } = pane().getBoundingClientRect();
  if (top < 0 || top > innerHeight * LOWEST) pane().scrollIntoView({ block: "start" });
};

const show = async (number, { history: how = "push", move = "", chosen = false } = {}) => {
  if (!number) return;
  if (number === fact("number") && wanted === number) {
    if (chosen) reveal();
    return;
  }
  wanted = number;
  let text;
  try {
    text = await load(number);
  } catch {
    if (wanted === number) location.assign(query({ step: number }));
    return;
  }
  if (wanted !== number) return;
  put(text);
  if (chosen) reveal();
  // Steps one after the other are one entry of the history: going back leaves them.
  const again = move && move === lastMove;
  lastMove = move;
  if (how === "push") history[again ? "replaceState" : "pushState"](null, "", location.pathname + query({ step: number }));
  if (how === "replace") history.replaceState(null, "", location.pathname + query({ step: number }));
  markStrip();
  highlight();
  const title = pane().querySelector("h2")?.parentElement.querySelector(".mono")?.textContent ?? "";
  status.textContent = `Step ${number} ${title}`.trim().slice(0, 120);
  document.dispatchEvent(new Event("stepchange"));
  prefetch();
};

const fromAddress = () => Number(/^#step-(\d+)$/.exec(location.hash)?.[1] ?? new URLSearchParams(location.search).get("step") ?? 0);
const first = fact("number");

const atStrip = (event) => {
  const { dataset } = replay.querySelector("[data-strip]");
  const box = replay.querySelector("[data-strip]").getBoundingClientRect();
  const place = Math.floor((event.clientX - box.left) / box.width * 1000 / Number(dataset.slot) * Number(dataset.size));
  return place < Number(dataset.count) ? Math.max(0, place) + 1 : 0;
};

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  if (event.target.closest("[data-help]")) return help.showModal();
  if (event.target.closest("[data-strip]")) return show(atStrip(event), { chosen: true });
  const target = event.target.closest("[data-replay] a[data-step]");
  if (!target) return;
  event.preventDefault();
  show(Number(target.dataset.step), { chosen: true });
});

replay.addEventListener("pointermove", (event) => {
  const title = event.target.closest("[data-strip]")?.querySelector("[data-strip-title]");
  const number = title ? atStrip(event) : 0;
  if (title) title.textContent = number ? `step ${number}` : "";
});

replay.querySelector("[data-go]").addEventListener("submit", (event) => {
  event.preventDefault();
  show(Number(event.target.elements.step.value), { chosen: true });
  event.target.elements.step.blur();
});

const MOVES = {
  j: "next", ArrowRight: "next", k: "previous", ArrowLeft: "previous",
  n: "nextMatch", p: "previousMatch", e: "nextEdit", f: "nextError",
};
const PLACES = { "/": "[data-step-filter] input[type=search]", g: "[data-go] input[type=number]" };

// One move after the other, so that none is lost; a key that is held down waits for none.
let moves = Promise.resolve();
let waiting = 0;
const go = (move, held) => {
  if (held && waiting) return;
  waiting += 1;
  moves = moves.then(async () => {
    await renewing;  // where one can go from here may be under way
    const goal = fact(move);
    if (goal) await show(goal, { move, chosen: true });
    else status.textContent = "There is no further step of that kind.";
  }).finally(() => { waiting -= 1; });
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  if (event.target.closest("input, select, textarea, [contenteditable]")) {
    if (event.key !== "Escape") return;
    event.preventDefault();  // a browser would also empty the search
    event.target.blur();
    return;
  }
  if (event.target.closest(".scroll, pre") && event.key.startsWith("Arrow")) return;
  if (event.key === "?") help.showModal();
  if (PLACES[event.key]) {
    event.preventDefault();
    const field = replay.querySelector(PLACES[event.key]);
    field.focus();
    field.select();
  }
  const move = MOVES[event.key];
  if (!move) return;
  event.preventDefault();
  go(move, event.repeat);
});

addEventListener("popstate", () => {
  if (location.hash && !/^#step-\d+$/.test(location.hash)) return;
  lastMove = "";
  show(fromAddress() || first, { history: location.hash ? "replace" : "" });
});
document.addEventListener("stepwanted", (event) => show(event.detail.number, event.detail));
// The filter, or the run, is another one: so is where one can go from here.
const renew = async () => {
  const number = fact("number");
  try {
    const text = number && await load(number);
    if (text && number === fact("number")) put(text);
  } catch { /* what is shown stays; the next step asks again */ }
  highlight();
  prefetch();
};
document.addEventListener("filterchange", () => { renewing = renew(); });
document.addEventListener("runchange", () => { kept.clear(); markStrip(); renewing = renew(); });

document.querySelectorAll("[data-with-script]").forEach((element) => { element.hidden = false; });
wanted = first;
if (location.hash && fromAddress()) show(fromAddress(), { history: "replace" });
highlight();
prefetch();
