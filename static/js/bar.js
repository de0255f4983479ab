// The bar on every page: the theme and the search box.
const button = document.querySelector("[data-theme-switch]");
const system = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme || (system.matches ? "dark" : "light")) === "dark";
const label = () => button.setAttribute("aria-label", isDark() ? "Use the light theme" : "Use the dark theme");

if (button) {
  label();
  system.addEventListener("change", label);
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    try { localStorage.setItem("theme", theme); } catch { /* for this page only */ }
    label();
    document.dispatchEvent(new Event("themechange"));
  });
}

// `/` moves the focus to the search box, unless the page uses this key itself. The listener is on the window, because
// listeners of a page are on its document: they run first, and may prevent the default.
const box = document.querySelector("[data-search]");
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.("input, select, textarea, [contenteditable], dialog")) return;
  event.preventDefault();
  box.focus();
  box.select();
});
