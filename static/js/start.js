// Says how many runs the choice on the start page makes, while it is being made. The server counts, too.
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
count();
