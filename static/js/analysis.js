// While a result is being computed, requests it every two seconds, for the filter that the address now has.
const name = "analysis";
const part = () => document.querySelector(`[data-part="${name}"]`);
const waits = () => part().hasAttribute("data-live") && !document.hidden;

const request = async () => {
  const address = location.href;
  const response = await fetch(address, { headers: { "X-Partial": name }, cache: "no-store" });
  if (!response.ok || location.href !== address || !waits()) return;
  const fresh = new DOMParser().parseFromString(await response.text(), "text/html").querySelector(`[data-part="${name}"]`);
  const was = part();
  // The part is replaced only when its state has changed, so that a reader is not disturbed.
  if (fresh && fresh.dataset.state !== was.dataset.state) was.replaceWith(fresh);
};

const loop = async () => {
  if (waits()) {
    try { await request(); } catch { /* the server may be restarting: request it again */ }
  }
  setTimeout(loop, 2000);
};
setTimeout(loop, 2000);
