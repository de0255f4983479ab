// On the start page: all or none of a group, a search, the number of runs, and the estimate of their cost and time.
// Without this script, a button requests the number and the estimate from the server.
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

const find = (words) => {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  for (const group of groups) {
    const title = group.querySelector("legend").textContent.toLowerCase();
    const picks = [...group.querySelectorAll(".pick")];
    for (const pick of picks) {
      const text = `${title} ${pick.textContent.toLowerCase()}`;
      pick.hidden = !wanted.every((word) => text.includes(word));
    }
    group.hidden = picks.every((pick) => pick.hidden);
  }
};

form.addEventListener("input", (event) => {
  if (event.target.matches("[data-find]")) find(event.target.value);
  else changed();
});
form.addEventListener("click", (event) => {
  const button = event.target.closest("[data-all], [data-none]");
  if (!button) return;
  for (const pick of button.closest("[data-choices]").querySelectorAll(".pick")) {
    if (!pick.hidden) pick.querySelector("input").checked = "all" in button.dataset;
  }
  changed();
});
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target.matches("input:not([type=checkbox])")) event.preventDefault();  // only the button starts
});
form.addEventListener("submit", (event) => {
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
});
addEventListener("pageshow", () => { delete form.dataset.sent; });  // the reader came back to the page: the form may be sent again
form.querySelectorAll("[data-with-script]").forEach((row) => { row.hidden = false; });
form.querySelectorAll("[data-without-script]").forEach((row) => { row.hidden = true; });
document.querySelector("#wrong, #refused")?.focus();
count();
if (chosen("agents") && chosen("tasks")) estimate();
