// The agents chosen for a comparison stay chosen after a new filter; tables can be copied instead of downloaded.
const holder = document.querySelector("main");
const chosen = new Set();
const boxes = () => holder.querySelectorAll('input[name="agent"]');

const show = () => {
  for (const box of boxes()) box.checked = chosen.has(box.value);
  const here = [...boxes()].filter((box) => box.checked).length;
  const button = holder.querySelector("[data-compare]");
  if (button) button.textContent = here > 1 ? `Compare ${here} chosen` : "Compare chosen";
  if (navigator.clipboard) for (const copy of holder.querySelectorAll("[data-copy]")) copy.hidden = false;
};

holder.addEventListener("change", ({ target }) => {
  if (target.name !== "agent") return;
  if (target.checked) chosen.add(target.value);
  else chosen.delete(target.value);
  show();
});

holder.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copy]");
  if (!button) return;
  const before = button.textContent;
  try {
    const response = await fetch(button.dataset.copy);
    if (!response.ok) throw new Error(String(response.status));
    await navigator.clipboard.writeText(await response.text());
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not copied";
  }
  setTimeout(() => { button.textContent = before; }, 1500);
});

// When the reader comes back, the browser may have restored the boxes.
for (const box of boxes()) if (box.checked) chosen.add(box.value);
new MutationObserver(show).observe(holder, { childList: true });
show();
