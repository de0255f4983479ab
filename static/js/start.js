// On the start page: all or none of a group at once, and how many runs the choice makes. The server counts, too.
"use strict";

const form = document.querySelector("form[data-start]");
const output = form.querySelector("[data-run-count]");

function count() {
  const chosen = (name) => form.querySelectorAll(`input[name="${name}"]:checked`).length;
  const attempts = Number.parseInt(form.elements.attempts.value, 10) || 0;
  const runs = chosen("agents") * chosen("tasks") * Math.max(0, attempts);
  output.value = `${runs} ${runs === 1 ? "run" : "runs"}`;
}

form.addEventListener("input", count);
form.addEventListener("click", (event) => {
  const button = event.target.closest("[data-all], [data-none]");
  if (!button) return;
  for (const box of button.closest("[data-choices]").querySelectorAll("input[type=checkbox]")) {
    box.checked = "all" in button.dataset;
  }
  count();
});
form.querySelectorAll("[data-with-script]").forEach((row) => { row.hidden = false; });
count();
