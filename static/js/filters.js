// Forms and links marked data-filters change the parts of the page with its name in place; the address has the state.
// What a field marked data-reload chooses decides what the form offers: it opens a new page, without the filter it names.
// Without this script the form has a button and every link is a page.
const form = document.querySelector("form[data-filters]");

if (form) {
  // Not form.dataset: the form of the leaderboard has a field of that name, which would be returned instead.
  const name = form.getAttribute("data-filters");
  const partsOf = (page) => [...page.querySelectorAll(`[data-part="${name}"]`)];
  const find = (selector) => partsOf(document).map((part) => part.querySelector(selector)).find(Boolean);
  let current = 0;

  const show = async (url, { push }) => {
    const turn = ++current;
    for (const part of partsOf(document)) part.classList.add("busy");
    try {
      const response = await fetch(url, { headers: { "X-Partial": name }, cache: "no-store" });
      if (!response.ok) throw new Error(String(response.status));
      const text = await response.text();
      if (turn !== current) return;
      const fresh = partsOf(new DOMParser().parseFromString(text, "text/html"));
      partsOf(document).forEach((part, place) => part.replaceWith(fresh[place]));
      if (push) history.pushState(null, "", url);
    } catch {
      location.assign(url);
    }
  };

  const address = () => {
    const query = new URLSearchParams(new FormData(form));
    for (const [key, value] of [...query]) if (!value) query.delete(key);
    return location.pathname + (query.size ? `?${query}` : "");
  };

  // The fields as the address has them, also the hidden ones: links change it.
  const restore = () => {
    const query = new URLSearchParams(location.search);
    for (const field of form.elements) if (field.name) field.value = query.get(field.name) ?? field.dataset.default ?? "";
    recount();
  };

  // How many of the folded filters are in use.
  const recount = () => {
    const count = form.querySelector("[data-active]");
    if (!count) return;
    const used = [...form.querySelectorAll(".more-filters :is(select, input)")].filter((field) => field.value);
    count.textContent = used.length ? ` (${used.length})` : "";
  };

  // Whether a page with this address would offer other choices.
  const isNewPage = (url) => {
    const [now, then] = [location, url].map((one) => new URLSearchParams(one.search));
    return [...form.querySelectorAll("[data-reload]")].some(({ name }) => (now.get(name) ?? "") !== (then.get(name) ?? ""));
  };

  form.addEventListener("change", ({ target }) => {
    if (target.dataset.reload) {
      const narrower = form.elements[target.dataset.reload];
      if (narrower) narrower.value = "";
      location.assign(address());
      return;
    }
    recount();
    show(address(), { push: true });
  });
  form.addEventListener("submit", (event) => { event.preventDefault(); show(address(), { push: true }); });
  form.addEventListener("input", (event) => {
    const value = event.target.type === "range" && form.querySelector("[data-range-value]");
    if (value) value.textContent = event.target.value;
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest(`[data-part="${name}"] a[data-in-place]`);
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button || isNewPage(link)) return;
    event.preventDefault();
    const label = link.dataset.inPlace;
    show(link.href, { push: true }).then(() => { restore(); (find(`a[data-in-place="${label}"]`) ?? find("a[data-in-place]"))?.focus(); });
  });
  // A browser that goes back to a page that was left by such a choice shows the choice, not the address.
  if (form.querySelector("[data-reload]")) addEventListener("pageshow", restore);
  addEventListener("popstate", () => { restore(); show(location.href, { push: false }); });
}
