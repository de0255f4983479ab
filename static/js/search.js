// `/` leads to the search box, unless the page has a use of its own for it.
const box = document.querySelector("[data-search]");

// On the window: what a page listens for on its document comes first, and prevents the default.
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.("input, select, textarea, [contenteditable], dialog")) return;
  event.preventDefault();
  box.focus();
  box.select();
});
