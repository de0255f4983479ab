// Loaded before the first paint, so that the page never flashes in the other theme.
(() => {
  try {
    const theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch { /* storage may be forbidden: the system's theme it is */ }
})();
