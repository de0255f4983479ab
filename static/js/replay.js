// Moves through the steps of a run without loading the page again: clicks, keys, #step-N. Texts come from the server
// as the same fragment that the page was first painted with.
const replay = document.querySelector("[data-replay]");
const outline = replay.querySelector("[data-outline]");
const pane = () => replay.querySelector("[data-step-pane]");
const current = () => Number(pane().dataset.stepPane);
const link = (number) => outline.querySelector(`a[data-step="${number}"]`);
const address = (number) => replay.dataset.stepUrl.replace(/0\/$/, `${number}/`);
const kept = new Map();

const load = (number) => {
  if (!kept.has(number)) {
    if (kept.size > 60) kept.delete(kept.keys().next().value);
    kept.set(number, fetch(address(number)).then((response) => {
      if (!response.ok) throw new Error(String(response.status));
      return response.text();
    }).catch((error) => { kept.delete(number); throw error; }));
  }
  return kept.get(number);
};

const prefetch = () => pane().querySelectorAll("a[rel][data-step]").forEach((a) => load(Number(a.dataset.step)).catch(() => {}));

const mark = (number) => {
  outline.querySelectorAll("[aria-current]").forEach((row) => row.removeAttribute("aria-current"));
  const row = link(number);
  if (row) {
    row.setAttribute("aria-current", "step");
    const top = row.offsetTop - outline.offsetTop;
    if (top < outline.scrollTop || top > outline.scrollTop + outline.clientHeight - row.clientHeight) outline.scrollTop = top - outline.clientHeight / 2;
  }
  replay.querySelectorAll("[data-strip] rect").forEach((bar) => {
    bar.classList.toggle("current", Number(bar.dataset.step) <= number && number <= Number(bar.dataset.last));
  });
};

let wanted = 0;
export const show = async (number, { push = true } = {}) => {
  if (!number || number === current()) return;
  wanted = number;
  let text;
  try {
    text = await load(number);
  } catch {
    location.assign(`?step=${number}`);
    return;
  }
  if (wanted !== number) return;
  const focused = pane().contains(document.activeElement);
  pane().replaceWith(new DOMParser().parseFromString(text, "text/html").querySelector("[data-step-pane]"));
  if (focused) pane().focus({ preventScroll: true });
  if (push) history.pushState(null, "", `${location.pathname}${location.search}#step-${number}`);
  mark(number);
  prefetch();
};

const follow = (selector, from) => {
  const rows = [...outline.querySelectorAll(selector)].map((row) => Number(row.dataset.step));
  return rows.find((number) => number > from) ?? rows[0];
};
const neighbour = (rel) => Number(pane().querySelector(`a[rel=${rel}][data-step]`)?.dataset.step ?? 0);
const fromHash = () => Number(/^#step-(\d+)$/.exec(location.hash)?.[1] ?? 0);
const help = document.querySelector("[data-help-dialog]");

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  if (event.target.closest("[data-help]")) return help.showModal();
  const target = event.target.closest("[data-replay] [data-step]");
  if (!target) return;
  event.preventDefault();
  show(Number(target.dataset.step));
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  if (event.target.closest("input, select, textarea, [contenteditable]")) return;
  if (event.target.closest(".scroll, pre") && event.key.startsWith("Arrow")) return;
  const goal = {
    j: () => neighbour("next"), ArrowRight: () => neighbour("next"),
    k: () => neighbour("prev"), ArrowLeft: () => neighbour("prev"),
    e: () => follow("a[data-edit]", current()), f: () => follow("a[data-failed]", current()),
  }[event.key];
  if (event.key === "?") help.showModal();
  if (!goal) return;
  event.preventDefault();
  show(goal());
});

addEventListener("popstate", () => {
  if (location.hash && !fromHash()) return;
  const number = fromHash() || Number(new URLSearchParams(location.search).get("step"));
  if (number) show(number, { push: false });
});
document.querySelectorAll("[data-with-script]").forEach((element) => { element.hidden = false; });
document.addEventListener("runchange", () => { kept.clear(); mark(current()); });
if (fromHash()) show(fromHash(), { push: false });
mark(current());
prefetch();
