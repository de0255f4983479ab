// On the page of a rating: keys that score one dimension after the other, and what was entered is there again after a
// reload. Without this script the form works all the same.
const form = document.querySelector("#form");
const rows = [...form.querySelectorAll("fieldset")];
const save = form.querySelector("button.primary");
const keys = { 0: "0", 5: "0.5", 1: "1" };
const draft = `rating ${form.elements.opened.value}`;
let marked = null;

const isScored = (row) => row.querySelector("input[type=radio]:checked") !== null;

const mark = (row) => {
  marked = row ?? null;
  for (const each of rows) each.classList.toggle("marked", each === marked);
};

const goTo = (row) => {
  mark(row);
  marked?.scrollIntoView({ block: "nearest" });
};

const score = (value) => {
  const row = marked;
  row.querySelector(`input[type=radio][value="${value}"]`).checked = true;
  store();
  const later = [...rows.slice(rows.indexOf(row)), ...rows];
  goTo(later.find((each) => !isScored(each)));
  if (marked === null) save.focus();
};

const store = () => {
  const entered = [...new FormData(form)].filter(([name]) => /^(score|text|quote|step)_/u.test(name));
  sessionStorage.setItem(draft, JSON.stringify(entered));
};

const restore = () => {
  for (const [name, value] of JSON.parse(sessionStorage.getItem(draft) ?? "[]")) {
    const field = form.elements[name];
    if (!field || field.value || !value) continue;
    field.value = value;
    field.closest?.("details")?.setAttribute("open", "");
  }
};

form.addEventListener("input", store);
form.addEventListener("focusin", (event) => {
  const row = event.target.closest("fieldset");
  if (row) mark(row);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit(save);
  }
  const writes = event.target.matches("textarea, input:not([type=radio]), select");
  if (writes || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key in keys && marked) score(keys[event.key]);
  if (event.key === "Backspace") goTo(rows[(marked ? rows.indexOf(marked) : rows.length) - 1] ?? rows[0]);
});

restore();
document.querySelector("[data-with-script]").hidden = false;
mark(rows.find((each) => !isScored(each)));
document.querySelector("#refused")?.focus();
