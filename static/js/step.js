// In steps: diffs side by side or unified, as the reader chose last, and a button that copies a step as Markdown. Steps
// are replaced, so all listeners are on the document.
const KEY = "diff";
const chosen = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
const store = (mode) => { try { localStorage.setItem(KEY, mode); } catch { /* for this page only */ } };

const swap = async (part, mode) => {
  if (part.dataset.shown === mode || part.dataset.requested === mode) return;
  part.dataset.requested = mode;
  const response = await fetch(`${part.dataset.diffs}?diff=${mode}`, { headers: { "X-Partial": "diffs" } });
  if (!response.ok) throw new Error(String(response.status));
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html").querySelector("[data-diffs]");
  if (!fresh || !part.isConnected) return;
  const focused = part.contains(document.activeElement);
  part.replaceWith(fresh);
  const scope = fresh.closest("section") ?? fresh;
  for (const link of scope.querySelectorAll("[data-diff-mode]")) link.toggleAttribute("aria-current", link.dataset.diffMode === mode);
  if (focused) fresh.querySelector(`[data-diff-mode="${mode}"]`)?.focus();
};

const arrange = (mode) => document.querySelectorAll("[data-diffs]").forEach((part) => swap(part, mode).catch(() => {}));

const copy = async (link) => {
  const note = link.parentElement.querySelector("[data-copied]");
  try {
    const response = await fetch(link.href);
    if (!response.ok) throw new Error(String(response.status));
    await navigator.clipboard.writeText(await response.text());
    note.textContent = "copied";
  } catch {
    location.assign(link.href);
  }
};

document.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const mode = event.target.closest("[data-diff-mode]");
  const markdown = event.target.closest("[data-copy-markdown]");
  const command = event.target.closest("[data-copy-command]");
  if (command) {
    const note = command.parentElement.querySelector("[data-copied]");
    navigator.clipboard?.writeText(document.querySelector("[data-command]").textContent).then(() => { note.textContent = "copied"; }, () => {});
  } else if (mode) {
    event.preventDefault();
    store(mode.dataset.diffMode);
    arrange(mode.dataset.diffMode);
  } else if (markdown && navigator.clipboard) {
    event.preventDefault();
    copy(markdown);
  }
});

// The mode in the address replaces the one that was chosen before.
const requested = new URLSearchParams(location.search).get("diff");
if (requested) store(requested);
const decorate = () => {
  document.querySelectorAll("[data-end] [data-with-script][hidden]").forEach((part) => { part.hidden = false; });
  if (chosen()) arrange(chosen());
  if (!navigator.clipboard) document.querySelectorAll(".copies").forEach((word) => word.remove());
};
new MutationObserver(decorate).observe(document.querySelector("main"), { childList: true, subtree: true });
decorate();

// Tests at the end: only those whose name or message contains the typed text. Of tests with the same message, the first
// one shows it.
const holds = (test, wanted) => {
  const name = test.querySelector(":scope > .name") ?? test;
  const message = test.closest(".card")?.querySelectorAll(":scope > :not(.name, .same)") ?? [];
  return [name, ...message].some((part) => part.textContent.toLowerCase().includes(wanted));
};
document.addEventListener("input", (event) => {
  const field = event.target.closest?.("[data-test-filter]");
  if (!field) return;
  const wanted = field.value.trim().toLowerCase();
  const tests = [...document.querySelectorAll("[data-end] [data-test]")];
  const shown = new Set(tests.filter((test) => holds(test, wanted)));
  for (const test of tests) test.hidden = !shown.has(test) && ![...test.querySelectorAll("[data-test]")].some((other) => shown.has(other));
  if (wanted) for (const test of shown) test.closest("details")?.setAttribute("open", "");
  field.closest("p").querySelector("[data-test-count]").value = wanted ? `${shown.size} of ${tests.length}` : "";
});

// The content of this box is fetched when a reader opens it, which few do. "toggle" does not bubble, so the listener
// captures it.
document.addEventListener("toggle", async (event) => {
  const address = event.target.dataset?.whenOpened;
  if (!address || !event.target.open) return;
  const holder = event.target;
  delete holder.dataset.whenOpened;
  try {
    const response = await fetch(address, { headers: { "X-Partial": "timeline" } });
    if (!response.ok) throw new Error(String(response.status));
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html").querySelector("[data-timeline]");
    if (fresh) holder.querySelector("[data-timeline], p").replaceWith(fresh);
  } catch {
    holder.dataset.whenOpened = address;
  }
}, true);
