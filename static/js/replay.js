// Moves through the steps of a run without loading the page again: keys, clicks, #step-N. The server sends a step as the
// same fragment as in the page, with the numbers of its neighbours.
// "stepchange" is sent when a step is shown; other scripts send "stepwanted" to show one (detail: its number).
const replay = document.querySelector("[data-replay]");
const help = document.querySelector("[data-help-dialog]");
const status = replay.querySelector("[data-status]");
const pane = () => replay.querySelector("[data-pane]");
const fact = (name) => Number(pane().dataset[name] || 0);
const part = (html, selector) => new DOMParser().parseFromString(html, "text/html").querySelector(selector);
const MAX_CACHED = 60;
const LOWEST = 0.8;  // of the window's height: a step that begins below is scrolled into view
const cache = new Map();
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
  if (!cache.has(address)) {
    if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value);
    cache.set(address, fetch(address).then((response) => {
      if (!response.ok) throw new Error(String(response.status));
      return response.text();
    }).catch((error) => { cache.delete(address); throw error; }));
  }
  return cache.get(address);
};

// Loads the steps that are likely to be next, unless the reader moves on at once.
let resting = 0;
const prefetch = () => {
  clearTimeout(resting);
  resting = setTimeout(() => {
    const near = new Set(["next", "previous", "nextMatch"].map(fact));
    near.forEach((number) => { if (number) load(number).catch(() => {}); });
  }, 80);
};

// Marks the matches of the search in the step without changing its markup.
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

// Replaces the pane, or only its data attributes if it shows this step already.
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

// Scrolls to a step that was chosen elsewhere on the page; the focus stays where it is.
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
  // Repeated moves of one kind are one entry of the history: going back skips all of them.
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
  n: "nextMatch", p: "previousMatch", e: "nextEdit", f: "nextError", x: "nextExploit",
};
const PLACES = { "/": "[data-step-filter] input[type=search]", g: "[data-go] input[type=number]" };

// Moves wait for each other, so that none is lost. Repeats of a key that is held down are dropped while one waits.
let moves = Promise.resolve();
let waiting = 0;
const go = (move, held) => {
  if (held && waiting) return;
  waiting += 1;
  moves = moves.then(async () => {
    await renewing;  // the neighbours of the step may be loading
    const goal = fact(move);
    if (goal) await show(goal, { move, chosen: true });
    else status.textContent = "There is no further step of that kind.";
  }).finally(() => { waiting -= 1; });
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  if (event.target.closest("input, select, textarea, [contenteditable]")) {
    if (event.key !== "Escape") return;
    event.preventDefault();  // a browser would also clear the search field
    event.target.blur();
    return;
  }
  if (event.target.closest(".scroll, pre") && event.key.startsWith("Arrow")) return;
  if (event.key === "?") help.showModal();
  if (PLACES[event.key]) {
    event.preventDefault();
    const field = replay.querySelector(PLACES[event.key]);
    field.closest("details")?.setAttribute("open", "");
    field.focus();
    field.select();
  }
  const move = MOVES[event.key];
  if (!move) return;
  event.preventDefault();
  go(move, event.repeat);
});

addEventListener("popstate", () => {
  if (location.hash && !/^#(step-\d+$|quote=)/.test(location.hash)) return;
  lastMove = "";
  show(fromAddress() || first, { history: location.hash ? "replace" : "" });
});
document.addEventListener("stepwanted", (event) => show(event.detail.number, event.detail));
// The filter or the run has changed, and so have the neighbours of the step.
const renew = async () => {
  const number = fact("number");
  try {
    const text = number && await load(number);
    if (text && number === fact("number")) put(text);
  } catch { /* the old neighbours stay; the next step tries again */ }
  highlight();
  prefetch();
};
document.addEventListener("filterchange", () => { renewing = renew(); });
document.addEventListener("runchange", () => { cache.clear(); markStrip(); renewing = renew(); });

document.querySelectorAll("[data-with-script]").forEach((element) => { element.hidden = false; });
wanted = first;
if (/^#step-\d+$/.test(location.hash)) show(fromAddress(), { history: "replace" });
highlight();
prefetch();
