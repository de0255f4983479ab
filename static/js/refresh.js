// Updates one part of a page every few seconds while it has the attribute data-live. Unchanged elements are not touched,
// so that focus, selection and scroll positions stay.
const holder = document.querySelector("[data-refresh]");
const name = holder.dataset.refresh;
const part = () => holder.querySelector(`[data-part="${name}"]`);
let version = "";

// Identifies a node among its siblings, wherever it stands; "" for an element without a key.
const keyOf = (node) => node.nodeType !== Node.ELEMENT_NODE ? "text" : node.id || node.dataset.key || node.getAttribute("aria-labelledby") || "";

const renewAttributes = (old, fresh) => {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && name !== "open") old.removeAttribute(name);  // what a reader has opened stays open
  }
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
};

// Makes `old` equal to `fresh`, and changes only what differs.
const renew = (old, fresh) => {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeType !== Node.ELEMENT_NODE) { old.nodeValue = fresh.nodeValue; return; }
  renewAttributes(old, fresh);
  const theirs = [...fresh.childNodes];
  theirs.forEach((child, place) => {
    const key = keyOf(child);
    const next = [...old.childNodes].slice(place);
    const mine = next.find((one) => keyOf(one) === key && one.nodeName === child.nodeName);
    if (!mine || (next[0] !== mine && (!key || key === "text"))) {  // new: the node at this place may match a later one
      old.insertBefore(document.importNode(child, true), next[0] ?? null);
      return;
    }
    while (old.childNodes[place] !== mine) old.childNodes[place].remove();  // gone
    renew(mine, child);
  });
  while (old.childNodes.length > theirs.length) old.lastChild.remove();
};

const update = async () => {
  const headers = { "X-Partial": name, ...(version && { "If-None-Match": version }) };
  const response = await fetch(holder.dataset.url, { headers, cache: "no-store" });
  if (response.status === 304 || !response.ok) return;
  version = response.headers.get("ETag") ?? "";
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html").querySelector(`[data-part="${name}"]`);
  if (fresh) renew(part(), fresh);
};

const pause = () => 1000 * (Number(part().dataset.every) || 2);
const loop = async () => {
  if (!part().hasAttribute("data-live")) return;
  if (!document.hidden) {
    try { await update(); } catch { /* the server may be restarting: try again */ }
  }
  setTimeout(loop, pause());
};
setTimeout(loop, pause());
document.addEventListener("visibilitychange", () => { if (!document.hidden && part().hasAttribute("data-live")) update().catch(() => {}); });
