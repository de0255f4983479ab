// On the start page: all or none of a group, a search, the number of runs, and the estimate of their cost and time.
// Without this script, buttons request the number, the estimate, and all or none of a group from the server.
const form = document.querySelector("form[data-start]");
const output = form.querySelector("[data-run-count]");
const groups = [...form.querySelectorAll("[data-choices]")];
let turn = 0;
let timer = 0;

const chosen = (name) => form.querySelectorAll(`input[name="${name}"]:checked`).length;

const count = () => {
  const attempts = form.elements.attempts;
  const runs = attempts.validity.valid ? chosen("agents") * chosen("tasks") * (attempts.valueAsNumber || 0) : 0;
  output.value = `${runs} ${runs === 1 ? "run" : "runs"}`;
  for (const group of groups) {
    const boxes = group.querySelectorAll("input[type=checkbox]");
    group.querySelector("[data-chosen]").textContent = `${group.querySelectorAll("input:checked").length} of ${boxes.length}`;
  }
};

const estimate = async () => {
  const mine = ++turn;
  try {
    const response = await fetch(form.action, { method: "POST", headers: { "X-Partial": "estimate" }, body: new FormData(form) });
    if (!response.ok || mine !== turn) return;
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html").querySelector("[data-part=estimate]");
    const part = form.querySelector("[data-part=estimate]");
    if (!fresh) return;
    const open = part.querySelector("details")?.open;
    part.replaceChildren(...fresh.childNodes);
    if (open && part.querySelector("details")) part.querySelector("details").open = true;
  } catch { /* the server may be restarting: the next change tries again */ }
};

const changed = () => {
  count();
  clearTimeout(timer);
  timer = setTimeout(estimate, 300);
};

const titles = (pick) => {
  let text = "";
  for (let group = pick.closest("[data-choices]"); group; group = group.parentElement.closest("[data-choices]")) {
    text += ` ${group.querySelector("legend").textContent}`;
  }
  return text;
};

const find = (name, words) => {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const own = groups.filter((group) => group.dataset.choices === name);
  for (const pick of form.querySelectorAll(`[data-choices="${name}"] .pick`)) {
    const text = `${titles(pick)} ${pick.textContent}`.toLowerCase();
    pick.hidden = !wanted.every((word) => text.includes(word));
  }
  for (const group of own) group.hidden = [...group.querySelectorAll(".pick")].every((pick) => pick.hidden);
  // Folded tasks are shown while a search names them, and folded again afterwards.
  for (const fold of form.querySelectorAll(`[data-choices="${name}"] details`)) {
    fold.dataset.before ??= fold.open ? "open" : "";
    fold.open = wanted.length ? true : Boolean(fold.dataset.before);
    if (!wanted.length) delete fold.dataset.before;
  }
};

form.addEventListener("input", (event) => {
  if (event.target.matches("[data-find]")) find(event.target.dataset.find, event.target.value);
  else changed();
});
form.addEventListener("click", (event) => {
  const button = event.target.closest("[data-all], [data-none]");
  if (!button) return;
  event.preventDefault();  // without this script, the server does it
  for (const pick of button.closest("[data-choices]").querySelectorAll(".pick")) {
    if (!pick.hidden) pick.querySelector("input").checked = "all" in button.dataset;
  }
  changed();
});
// Back from the tab of a test, its result is asked for.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && form.querySelector("[form=test-model]")) estimate();
});
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.matches("input:not([type=checkbox], [type=radio])")) event.preventDefault();  // only the button starts
});
form.addEventListener("submit", (event) => {
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
});
addEventListener("pageshow", () => { delete form.dataset.sent; });  // the reader came back to the page: the form may be sent again
form.querySelectorAll("[data-with-script]").forEach((row) => { row.hidden = false; });
document.querySelector("#wrong, #refused")?.focus();
count();
if (chosen("agents") && chosen("tasks")) estimate();
