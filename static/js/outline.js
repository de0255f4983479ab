// The outline beside a replay: rows are loaded in chunks as the reader scrolls, and removed when they are far away.
// Padding takes the place of missing rows, so that the scroll bar is right. Filters change the outline in place.
const replay = document.querySelector("[data-replay]");
const form = replay.querySelector("[data-step-filter]");
const box = () => replay.querySelector("[data-part=outline]");
const scroller = () => box().querySelector("[data-outline]");
const list = () => box().querySelector("[data-rows]");
const pane = () => replay.querySelector("[data-pane]");
const part = (html, selector) => new DOMParser().parseFromString(html, "text/html").querySelector(selector);
const CHUNK = 40;
const AHEAD = 30;
const MAX_CACHED = 20;
const cache = new Map();
let first = 0;   // number of matching steps before the loaded rows
let total = 0;   // number of matching steps
let height = 1;  // of a row, in pixels
let turn = 0;

const params = () => {
  const found = new URLSearchParams(location.search);
  for (const name of ["step", "first"]) found.delete(name);
  return found;
};

const pad = () => {
  list().style.paddingTop = `${first * height}px`;
  list().style.paddingBottom = `${Math.max(0, total - first - list().children.length) * height}px`;
};

const mark = () => {
  list()?.querySelectorAll("[aria-current]").forEach((row) => row.removeAttribute("aria-current"));
  list()?.querySelector(`a[data-step="${pane().dataset.number}"]`)?.setAttribute("aria-current", "step");
};

const chunk = async (start) => {
  const query = params();
  query.set("first", start);
  query.set("most", CHUNK);
  const address = `${replay.dataset.url}steps/?${query}`;
  if (!cache.has(address)) {
    if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value);
    cache.set(address, fetch(address).then((response) => {
      if (!response.ok) throw new Error(String(response.status));
      return response.text();
    }).catch((error) => { cache.delete(address); throw error; }));
  }
  const rows = part(await cache.get(address), "[data-rows]");
  if (rows.children.length < CHUNK) cache.delete(address);  // a run in progress will fill this chunk
  return [...rows.children];
};

// Loads the chunks that contain the rows from `low` to `high`, and removes all others.
const arrange = async (low, high) => {
  const mine = ++turn;
  const start = Math.max(0, Math.floor(low / CHUNK) * CHUNK);
  const end = Math.min(total, Math.ceil(high / CHUNK) * CHUNK);
  const there = (place) => first <= place && place < first + list().children.length;
  const missing = [];
  for (let place = start; place < end; place += CHUNK) {
    if (!there(place) || !there(Math.min(place + CHUNK, end) - 1)) missing.push(place);
  }
  let chunks;
  try {
    chunks = new Map(await Promise.all(missing.map(async (place) => [place, await chunk(place)])));
  } catch {
    return;  // the server may be restarting: scrolling tries again
  }
  if (mine !== turn) return;
  const rows = list();
  const old = new Map([...rows.children].map((row, place) => [first + place, row]));
  for (const [place, row] of old) if (place < start || place >= end) { row.remove(); old.delete(place); }
  let next = null;
  for (let place = Math.ceil(end / CHUNK - 1) * CHUNK; place >= start; place -= CHUNK) {
    const fresh = chunks.get(place);
    for (let at = Math.min(place + CHUNK, end) - 1; at >= place; at -= 1) {
      // Rows that are already loaded stay: one of them may have the focus.
      const row = old.get(at) ?? fresh?.[at - place];
      if (!row) continue;
      if (!old.has(at)) rows.insertBefore(row, next);
      next = row;
    }
  }
  first = start;
  pad();
  mark();
};

const inView = () => {
  const top = scroller().scrollTop - list().offsetTop + scroller().offsetTop;
  return [Math.floor(top / height), Math.ceil((top + scroller().clientHeight) / height)];
};

const fill = () => {
  if (!list()) return;
  const [low, high] = inView().map((place) => Math.min(total, Math.max(0, place)));
  if (low < first || high > first + list().children.length) arrange(low - AHEAD, high + AHEAD);
};

// Scrolls to the row of the current step, or to where it would be if the filter leaves it out.
const bring = (place) => {
  const [low, high] = inView();
  if (place >= low && place < high - 1) return;
  scroller().scrollTop = list().offsetTop - scroller().offsetTop + place * height - scroller().clientHeight / 2;
};

const follow = async () => {
  if (!list()) return;
  const place = Math.min(total - 1, Number(pane().dataset.rank || 0));
  bring(place);
  if (place < first || place >= first + list().children.length) await arrange(place - CHUNK / 2, place + CHUNK / 2);
  mark();
  // A low window may not show all of the outline. An outline that is not sticky stays, so that the step is not scrolled away.
  if (getComputedStyle(box()).position === "sticky") list().querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
};

// The outline ends at the bottom of the window, also before the page has scrolled to where the outline sticks.
const fit = () => {
  const below = `${Math.round(innerHeight - Math.max(0, box().getBoundingClientRect().top))}px`;
  if (box().style.getPropertyValue("--below") !== below) box().style.setProperty("--below", below);
};

// Reserves the largest height of the outline, so that nothing below it moves when it grows.
const reserve = () => {
  const tall = Math.ceil(box().offsetHeight - scroller().clientHeight + total * height);
  replay.querySelector(".outline-room").style.setProperty("--tall", `${tall}px`);
};

const setUp = () => {
  turn += 1;
  replay.querySelector(".outline-room").style.removeProperty("--tall");
  if (!list()) return;
  first = Number(list().dataset.first);
  total = Number(list().dataset.total);
  box().querySelectorAll("[data-more]").forEach((link) => link.remove());
  const rows = [...list().children];
  if (rows.length) height = (rows.at(-1).getBoundingClientRect().bottom - rows[0].getBoundingClientRect().top) / rows.length || height;
  pad();
  reserve();
  fit();
  let waiting = false;
  scroller().addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; fill(); });
  }, { passive: true });
  mark();
  // The rank in the pane may still be that of the filter before.
  const near = rows.findIndex((row) => Number(row.firstElementChild.dataset.step) >= Number(pane().dataset.number));
  if (rows.length) bring(first + (near < 0 ? rows.length - 1 : near));
  fill();
};

const apply = async (query, how) => {
  const mine = ++turn;
  const number = pane().dataset.number;
  if (number) query.set("step", number);
  const address = location.pathname + (query.size ? `?${query}` : "");
  box().classList.add("busy");
  let text;
  try {
    const response = await fetch(address, { headers: { "X-Partial": "outline" }, cache: "no-store" });
    if (!response.ok) throw new Error(String(response.status));
    text = await response.text();
  } catch {
    if (mine === turn) location.assign(address);
    return false;
  }
  if (mine !== turn) return false;
  if (how) history[`${how}State`](null, "", address);
  cache.clear();
  box().replaceWith(part(text, "[data-part=outline]"));
  setUp();
  form.querySelector("[data-clear]").hidden = ![...new FormData(form).values()].some(Boolean);
  replay.querySelector("[data-status]").textContent = box().querySelector(".result").textContent.trim();
  document.dispatchEvent(new Event("filterchange"));
  return true;
};

const formQuery = () => {
  const query = params();
  for (const name of ["tool", "file", "errors", "edits", "q"]) query.delete(name);
  for (const [name, value] of new FormData(form)) if (value.trim()) query.set(name, value.trim());
  return query;
};

const fill_in = () => {
  const query = params();
  for (const field of form.elements) {
    if (field.type === "checkbox") field.checked = query.get(field.name) === field.value;
    else if (field.name) field.value = query.get(field.name) ?? "";
  }
};

let typing = 0;
let shown = String(params());
const renew = async (how) => { const done = await apply(formQuery(), how); shown = String(params()); return done; };
form.addEventListener("change", (event) => { if (event.target.type !== "search") renew("push"); });
form.addEventListener("input", (event) => {
  if (event.target.type !== "search") return;
  clearTimeout(typing);
  typing = setTimeout(() => renew("replace"), 300);
});
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  clearTimeout(typing);
  if (!await renew("push")) return;
  // Shows the first match from the current step on.
  const rows = [...box().querySelectorAll("a[data-step]")].map((row) => Number(row.dataset.step));
  const number = rows.find((row) => row >= Number(pane().dataset.number)) ?? rows[0];
  if (number) document.dispatchEvent(new CustomEvent("stepwanted", { detail: { number } }));
});
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-replay] [data-clear]") || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  for (const field of form.elements) if (field.type === "checkbox") field.checked = false; else if (field.name) field.value = "";
  renew("push");
});
addEventListener("popstate", () => {
  if (String(params()) === shown) return;
  shown = String(params());
  fill_in();
  apply(new URLSearchParams(location.search), "");
});
const refit = () => { fit(); fill(); };
addEventListener("scroll", refit, { passive: true });
addEventListener("resize", refit);
new ResizeObserver(refit).observe(document.body);  // something above may open or be loaded later
document.addEventListener("stepchange", follow);
document.addEventListener("runchange", (event) => {
  if (!list()) { apply(formQuery(), ""); return; }
  if (event.detail.chosen === null || event.detail.chosen <= total) return;
  total = event.detail.chosen;
  const number = box().querySelector(".result b");
  if (number) number.textContent = total.toLocaleString("en-GB");
  pad();
  reserve();
  fill();
});
document.addEventListener("outlinechange", () => { cache.clear(); setUp(); });
setUp();
