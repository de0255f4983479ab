// While a run goes on: asks every two seconds what is new, adds rows to the outline, renews head and strip.
import { show } from "./replay.js";

const replay = document.querySelector("[data-replay]");
const rows = replay.querySelector("[data-rows]");
const part = (html, selector) => new DOMParser().parseFromString(html, "text/html").querySelector(selector);
let last = Number(replay.dataset.last || 0);
let tried = Number(replay.dataset.try);
let version = "";

const renew = (selector, html) => document.querySelector(selector).replaceWith(part(html, selector));

const ask = async () => {
  const response = await fetch(`${replay.dataset.liveUrl}?after=${last}`, { cache: "no-store", headers: version ? { "If-None-Match": version } : {} });
  if (response.status === 304) return true;
  if (!response.ok) throw new Error(String(response.status));
  version = response.headers.get("ETag") ?? "";
  const news = await response.json();
  if (news.try !== tried) { location.reload(); return false; }  // another try: another trajectory
  const onLast = !last || Number(replay.querySelector("[data-step-pane]").dataset.stepPane) === last;
  rows.append(...part(`<ol>${news.rows}</ol>`, "ol").children);
  renew("[data-head]", news.head);
  renew("[data-strip]", news.strip);
  if (news.end) renew("[data-end]", news.end);
  const grew = news.last > last;
  last = news.last;
  document.dispatchEvent(new Event("runchange"));
  if (grew && onLast) show(last, { push: false });
  if (!news.live) document.querySelector("[data-live-chip]")?.remove();
  return news.live;
};

const loop = async () => {
  let goOn = true;
  if (!document.hidden) {
    try { goOn = await ask(); } catch { /* the server may be restarting: ask again */ }
  }
  if (goOn) setTimeout(loop, 2000);
};
setTimeout(loop, 1000);
