// In a map of thousands of cells, one becomes a link to its runs when the reader points at it. Without this script, the
// heads of the columns open the tasks with all links.
const CELLS = ":scope > td:not(.total, .fold)";

document.addEventListener("pointerover", ({ target }) => {
  const cell = target.closest?.(".dense tr[data-agent] > td:not(.total, .fold, .h-none)");
  if (!cell || cell.firstElementChild) return;
  const row = cell.parentElement;
  const table = row.closest("table");
  const head = table.querySelectorAll("th[data-task]")[[...row.querySelectorAll(CELLS)].indexOf(cell)];
  const link = document.createElement("a");
  link.href = `${table.dataset.runs}?${new URLSearchParams({ agent: row.dataset.agent, task: head.dataset.task })}`;
  link.title = `${row.querySelector("a").title}, ${head.textContent}: ${cell.textContent}`;
  link.tabIndex = -1;
  link.append(...cell.childNodes);
  cell.append(link);
});
