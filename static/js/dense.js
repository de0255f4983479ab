// The cells of a dense map are drawn. The one that the reader points at becomes a link to its replay or its runs. Without
// this script, the heads of the columns open the tasks with all links.
const NAMESPACE = "http://www.w3.org/2000/svg";
const [link, title, frame] = ["a", "title", "rect"].map((name) => document.createElementNS(NAMESPACE, name));
frame.setAttribute("width", 1);
frame.setAttribute("height", 1);
link.setAttribute("tabindex", -1);
link.append(title, frame);

function point({ target, clientX }) {
  const shape = target.closest?.(".dense path[data-label]");
  if (!shape) return;
  const cells = shape.ownerSVGElement;
  const { x, width } = cells.getBoundingClientRect();
  const place = Math.floor((clientX - x) / width * cells.viewBox.baseVal.width);
  const row = cells.closest("tr");
  const table = row.closest("table");
  const head = table.querySelectorAll("nav a")[place];
  if (!head) return;
  const replays = new URLSearchParams(cells.dataset.replays);
  const task = new URL(head.href).searchParams.get("task");
  const { runs } = table.dataset;
  const run = replays.get(place);
  link.setAttribute("href", run ? `${runs}${run}/` : `${runs}?${new URLSearchParams({ agent: row.dataset.agent, task })}`);
  title.textContent = `${row.querySelector("a").title}, ${head.textContent}: ${shape.dataset.label}${replays.has(place) ? "; replay" : ""}`;
  frame.setAttribute("x", place);
  cells.append(link);
}

for (const type of ["pointerover", "pointermove"]) document.addEventListener(type, point);
