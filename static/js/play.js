// The workplace of a person, more comfortable: an editor in place of the text field, forms that are sent without loading the
// page again, a clock that goes, and keys. Without this script, the same forms work one page at a time.
const root = document.querySelector("[data-play]");
const part = (name) => root.querySelector(`[data-part="${name}"]`);
const drafts = {  // texts that are not saved, by the file and the step on which they are based
  key: (path) => `play ${root.dataset.url} ${path}`,
  get: (path) => JSON.parse(sessionStorage.getItem(drafts.key(path)) ?? "null"),
  set: (path, draft) => sessionStorage.setItem(drafts.key(path), JSON.stringify(draft)),
  forget: (path) => sessionStorage.removeItem(drafts.key(path)),
};
let createEditor = null;
let editor = null;  // {view, form, saved}
let clock = null;  // {element, ends}
let stage = root.dataset.stage;
let brief = root.dataset.brief === "yes";
let last = Number(root.dataset.last);
let sending = false;
let timer = 0;

// --- the clock ---
const written = (seconds) => {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const two = (number) => String(number).padStart(2, "0");
  if (whole < 60) return `${whole} s`;
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
};
const readClock = () => {
  const element = root.querySelector("[data-clock]");
  clock = element && { element, goes: element.dataset.goes === "yes", ends: performance.now() + 1000 * Number(element.dataset.clock) };
  tick();
};
const tick = () => {
  if (!clock) return;
  const left = clock.goes ? (clock.ends - performance.now()) / 1000 : Number(clock.element.dataset.clock);
  clock.element.textContent = written(left);
  clock.element.classList.toggle("soon", left < 120);
};

// --- the editor ---
const path = () => part("editor")?.querySelector("form")?.dataset.path ?? "";
const fileStep = () => part("editor")?.querySelector("form")?.dataset.step ?? "0";
const isDirty = () => editor !== null && !editor.readOnly && editor.view.text() !== editor.saved;

const noteUnsaved = () => {
  const chip = editor.form.querySelector("[data-unsaved]");
  chip.hidden = !isDirty();
  if (isDirty()) drafts.set(path(), { text: editor.view.text(), step: fileStep() });
  else drafts.forget(path());
};

const decorate = () => {
  editor?.view.destroy();
  editor = null;
  const form = part("editor")?.querySelector("form");
  const host = form?.querySelector("[data-editor]");
  if (!host || !createEditor) return;
  const field = form.querySelector("textarea");
  const draft = drafts.get(form.dataset.path);
  const text = draft && draft.step === form.dataset.step ? draft.text : field.value;
  const readOnly = form.dataset.readonly === "yes";
  const spans = [...(form.dataset.spans ?? "").matchAll(/(\d+)-(\d+)/g)].map(([, first, last]) => [Number(first), Number(last)]);
  host.hidden = false;
  field.hidden = true;
  form.querySelector("label[for=editor-text]").htmlFor = "";
  const view = createEditor(host, {
    text, spans, readOnly, path: form.dataset.path, label: `Text of ${form.dataset.path}`, changed: () => { if (editor) noteUnsaved(); },
  });
  editor = { view, form, readOnly, saved: field.defaultValue.replace(/\r\n?/g, "\n") };
  noteUnsaved();
};

// The field for the code of a submission becomes an editor, too, of the language of the open file. It is empty at first, or
// has the function that was read last (`given`), and takes the next one that is read as long as it is not changed.
let submission = null;  // {view, field, path}
let given = { step: 0, code: root.querySelector("form[data-submit] textarea[name=arg_code]")?.value ?? "" };
const decorateSubmission = () => {
  const field = root.querySelector("form[data-submit] textarea[name=arg_code]");
  if (!field || !createEditor || (submission && (submission.view.text() || submission.path === path()))) return;
  const host = submission ? field.previousElementSibling : document.createElement("div");
  if (!submission) {
    host.className = "editor-host";
    field.before(host);
    field.hidden = true;
  }
  submission?.view.destroy();
  const draft = drafts.get("submission");
  submission = { field, path: path(), view: createEditor(host, {
    text: draft ?? field.value, path: path() || "code.py", label: "Code to submit", changed: () => drafts.set("submission", submission.view.text()),
  }) };
};

const takeFunction = (read) => {
  const form = root.querySelector("form[data-submit]");
  if (!read || !form || read.step <= given.step) return;
  const code = form.elements.arg_code;
  const text = submission ? submission.view.text() : code.value;
  if (text && text !== given.code) return;
  given = read;
  for (const name of ["path", "name", "occurrence", "code"]) form.elements[`arg_${name}`].value = read[name] || "";
  if (text === read.code) return;
  drafts.forget("submission");
  if (!submission) return;
  submission.view.destroy();
  submission.field.previousElementSibling.remove();
  submission = null;
  decorateSubmission();
};

// --- sending, and bringing the page up to date ---
const show = (selector, text) => {
  const element = root.querySelector(selector);
  element.textContent = text ?? "";
  element.hidden = !text;
};

const replace = (name, html) => {
  const held = document.activeElement?.closest("[data-part]") === part(name) ? document.activeElement : null;
  const names = held && [held.id && `#${CSS.escape(held.id)}`, held.name && `[name="${held.name}"][value="${CSS.escape(held.value)}"]`];
  const value = held?.matches("input:not([type=hidden])") ? held.value : null;
  const top = part(name).querySelector(".known")?.scrollTop ?? 0;
  part(name).innerHTML = html;
  const again = names?.filter(Boolean).map((one) => part(name).querySelector(one)).find(Boolean);
  if (again && value !== null) again.value = value;
  again?.focus();
  if (part(name).querySelector(".known")) part(name).querySelector(".known").scrollTop = top;
};

const addSteps = (html) => {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  root.querySelectorAll(".played-step.fresh").forEach((step) => step.classList.remove("fresh"));
  const shown = new Set([...part("steps").querySelectorAll("[data-step]")].map((step) => step.dataset.step));
  const steps = [...fresh.content.children].filter((step) => !shown.has(step.dataset.step));
  steps.forEach((step) => { if (!step.matches(".notice")) step.classList.add("fresh"); });
  part("steps").prepend(...steps);
  part("steps").scrollTop = 0;
};

// The text of the editor is what the file has now, since it was saved: the cursor stays where it is.
const isSaved = (fresh) => editor && !editor.readOnly && fresh.querySelector("textarea")?.value.replace(/\r\n?/g, "\n") === editor.view.text() &&
  fresh.querySelector("form").dataset.readonly === "no" && fresh.querySelector("form").dataset.path === path();
const keepEditor = (fresh) => {
  const form = fresh.querySelector("form");
  editor.form.dataset.step = form.dataset.step;
  editor.form.elements.file_step.value = form.elements.file_step.value;
  editor.form.querySelector(".label").replaceWith(form.querySelector(".label"));
  editor.form.querySelector("[for=editor-text]").htmlFor = "";
  editor.saved = editor.view.text();
  noteUnsaved();
};
const takeEditor = (state) => {
  const holder = document.createElement("template");
  holder.innerHTML = state.parts.editor;
  if (isSaved(holder.content)) {
    keepEditor(holder.content);
  } else if (state.file !== path() || !isDirty()) {
    const top = state.file === path() ? editor?.view.top() : 1;
    replace("editor", state.parts.editor);
    decorate();
    if (top > 1) editor?.view.show(top);  // the same lines of the same file stay in sight
  } else {
    show("[data-note]", `${state.file} was changed by step ${state.changed_in || state.file_step}. Your text is still in the editor.`);
  }
};

const apply = (state) => {
  if (state.stage === "ended" || !part("steps")) {
    if (state.stage !== stage) location.reload();
    return;
  }
  ({ stage, brief, last } = state);
  for (const name of ["bar", "files"]) replace(name, state.parts[name]);
  if (state.parts.steps) addSteps(state.parts.steps);
  const other = state.file !== path();
  if (state.parts.editor) takeEditor(state);
  takeFunction(state.function);
  if (other) decorateSubmission();
  root.querySelectorAll("[data-needs-clock]").forEach((button) => { button.disabled = stage !== "running"; });
  root.querySelectorAll("form[data-save] button").forEach((button) => { button.disabled = stage !== "running"; });
  root.querySelectorAll("[data-current-file]").forEach((field) => { field.value = state.file; });
  if (other) history.replaceState(null, "", state.file ? `${root.dataset.url}?file=${encodeURIComponent(state.file)}` : root.dataset.url);
  root.querySelector("[data-show-keys]")?.removeAttribute("hidden");
  readClock();
};

const request = async (address, options) => {
  const response = await fetch(address, { ...options, headers: { Accept: "application/json" }, cache: "no-store", redirect: "error" });
  if (!response.ok) throw new Error(`The site answered with ${response.status}. Load the page again.`);
  return response.json();
};

const send = async (form, button) => {
  if (sending) return;
  sending = true;
  root.dataset.busy = "yes";
  const body = new FormData(form, button);
  const saves = form.matches("[data-save]") && body.get("act") === "save";
  if (form === submission?.field.form) body.set("arg_code", submission.view.text());
  if (saves && editor) body.set("content", editor.view.text());
  body.set("after", last);
  if (!saves) body.set("file_step", body.get("file") === path() ? fileStep() : "0");
  show("[data-refused]", "");
  show("[data-note]", "Sent…");
  try {
    const state = await request(root.dataset.url, { method: "POST", body });
    show("[data-refused]", state.refused);
    show("[data-note]", state.sent ? "The site works on your request…" : state.note);
    apply(state);
    if (form.matches("[data-open]") && !state.refused) editor?.view.focus();
  } catch (error) {
    show("[data-note]", "");
    show("[data-refused]", error instanceof TypeError ? "The site does not answer. Nothing is lost: try again." : error.message);
  } finally {
    sending = false;
    delete root.dataset.busy;
    poll(brief ? 1000 : 5000);
  }
};

// Asks for news: often while something changes by itself soon, else rarely.
const poll = (pause) => {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    if (!sending && !document.hidden) {
      const was = brief;
      try {
        const query = new URLSearchParams({ after: last, file: path(), file_step: fileStep() });
        apply(await request(`${root.dataset.state}?${query}`));
        if (was && !brief) show("[data-note]", "");
      } catch { /* the site may be restarting: try again */ }
    }
    if (stage !== "ended") poll(brief ? 1000 : 5000);
  }, pause);
};

root.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-act]")) return;
  event.preventDefault();
  send(event.target, event.submitter);
});

// --- keys ---
const open = (selector) => {
  const field = root.querySelector(selector);
  field?.focus();
  field?.select();
  return Boolean(field);
};
const press = (form) => {
  if (!form) return false;
  form.requestSubmit(form.querySelector("button:not([name])"));
  return true;
};
const keys = {
  s: () => press(root.querySelector("form[data-save]")),
  p: () => open("#open-path"),
  "shift f": () => open("#search-pattern"),
  enter: (target) => {
    const form = target.closest?.("form[data-act]");
    const own = form && !form.matches("[data-save]") ? form : null;
    return press(own ?? root.querySelector("form[data-run]:has(#run-path)") ?? root.querySelector("form[data-submit]") ?? root.querySelector("form[data-run]"));
  },
};
addEventListener("keydown", (event) => {
  const name = `${event.shiftKey ? "shift " : ""}${event.key.toLowerCase()}`;
  if ((event.ctrlKey || event.metaKey) && !event.altKey) {
    if (keys[name]?.(event.target)) {
      event.preventDefault();
      event.stopPropagation();
    }
    return;
  }
  const inField = event.composedPath()[0].closest?.("input, textarea, select, [contenteditable=true]");
  if (event.key === "?" && !inField) root.querySelector("[data-keys]").showModal();
}, { capture: true });
root.addEventListener("click", (event) => {
  if (event.target.closest("[data-show-keys]")) root.querySelector("[data-keys]").showModal();
});
addEventListener("beforeunload", (event) => { if (isDirty() && stage !== "ended") event.preventDefault(); });

root.querySelector("[data-show-keys]")?.removeAttribute("hidden");
readClock();
setInterval(tick, 500);
if (stage !== "ended") poll(brief ? 1000 : 5000);
if (part("editor")) {
  try {
    ({ createEditor } = await import(root.dataset.codemirror));
    decorate();
    decorateSubmission();
  } catch { /* the text field stays */ }
}
