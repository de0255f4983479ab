// Renews one part of a page every two seconds as long as it says that it is live.
const holder = document.querySelector("[data-refresh]");
const name = holder.dataset.refresh;
const part = () => holder.querySelector(`[data-part="${name}"]`);
let version = "";

const ask = async () => {
  const headers = { "X-Partial": name, ...(version && { "If-None-Match": version }) };
  const response = await fetch(holder.dataset.url, { headers, cache: "no-store" });
  if (response.status === 304 || !response.ok) return;
  version = response.headers.get("ETag") ?? "";
  part().replaceWith(new DOMParser().parseFromString(await response.text(), "text/html").querySelector(`[data-part="${name}"]`));
};

const loop = async () => {
  if (!part().hasAttribute("data-live")) return;
  if (!document.hidden && !part().contains(document.activeElement)) {
    try { await ask(); } catch { /* the server may be restarting: ask again */ }
  }
  setTimeout(loop, 2000);
};
setTimeout(loop, 2000);
