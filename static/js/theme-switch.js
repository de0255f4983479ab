// The button in the bar: light or dark, kept for the next page.
const button = document.querySelector("[data-theme-switch]");
const system = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme || (system.matches ? "dark" : "light")) === "dark";
const tell = () => button.setAttribute("aria-label", isDark() ? "Use the light theme" : "Use the dark theme");

if (button) {
  button.hidden = false;
  tell();
  system.addEventListener("change", tell);
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    try { localStorage.setItem("theme", theme); } catch { /* kept for this page only */ }
    tell();
    document.dispatchEvent(new Event("themechange"));
  });
}
