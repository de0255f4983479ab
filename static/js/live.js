// During a run: polls its state every two seconds, updates head and strip, and notifies the other scripts.
const replay = document.querySelector("[data-replay]");
const part = (html, selector) => new DOMParser().parseFromString(html, "text/html").querySelector(selector);
const PAUSE = 2000;
let last = Number(replay.dataset.last || 0);
let tried = Number(replay.dataset.try);
let version = "";
let lastAddress = "";

const renew = (selector, html) => document.querySelector(selector).replaceWith(part(html, selector));

// Signs of trouble, and the tokens and cost of the model. A box that the reader has opened stays open and shows its old
// content until step.js has fetched the new one.
const renewAround = (html) => {
  const old = document.querySelector("[data-around]");
  const fresh = part(html, "[data-around]");
  if (old.isEqualNode(fresh) || old.dataset.of === html) return;
  fresh.dataset.of = html;
  const [opened, closed] = [old, fresh].map((around) => around.querySelector("[data-timeline-box]"));
  const focused = opened?.querySelector("summary") === document.activeElement;
  if (opened?.open && closed) {
    const drawn = opened.querySelector("[data-timeline]");
    if (drawn) closed.querySelector("p").replaceWith(drawn);
    closed.open = true;
  }
  old.replaceWith(fresh);
  if (focused) closed?.querySelector("summary").focus({ preventScroll: true });
};

// A new try has a new trajectory: everything that the page shows is replaced.
const beginAgain = async (number) => {
  const response = await fetch(location.pathname, { cache: "no-store" });
  if (!response.ok) throw new Error(String(response.status));
  const page = await response.text();
  for (const selector of ["[data-head]", "[data-verdict]", "[data-clues]", "[data-strip]", "[data-around]", "[data-part=outline]", "[data-pane]", "[data-end]", "[data-tries]"]) renew(selector, page);
  history.replaceState(null, "", location.pathname);
  tried = number;
  last = Number(part(page, "[data-replay]").dataset.last || 0);
  document.dispatchEvent(new Event("outlinechange"));
};

const poll = async () => {
  const query = new URLSearchParams(location.search);
  query.delete("step");
  const address = `${replay.dataset.url}live/?${query}`;
  if (address !== lastAddress) version = "";
  lastAddress = address;
  const response = await fetch(address, { cache: "no-store", headers: version ? { "If-None-Match": version } : {} });
  if (response.status === 304) return true;
  if (!response.ok) throw new Error(String(response.status));
  version = response.headers.get("ETag") ?? "";
  const news = await response.json();
  if (news.try !== tried) await beginAgain(news.try);
  const onLast = !last || Number(replay.querySelector("[data-pane]").dataset.number || 0) === last;
  renew("[data-head]", news.head);
  for (const selector of ["[data-verdict]", "[data-clues]"]) renew(selector, news.verdict);
  renew("[data-strip]", news.strip);
  renewAround(news.around);
  if (news.end) renew("[data-end]", news.end);
  const grew = news.last > last;
  last = news.last;
  document.dispatchEvent(new CustomEvent("runchange", { detail: { chosen: news.chosen } }));
  if (grew && onLast) document.dispatchEvent(new CustomEvent("stepwanted", { detail: { number: last, history: "replace" } }));
  if (!news.live) document.querySelector("[data-live-chip]")?.remove();
  return news.live;
};

const loop = async () => {
  let goOn = true;
  if (!document.hidden) {
    try { goOn = await poll(); } catch { /* the server may be restarting: try again */ }
  }
  if (goOn) setTimeout(loop, PAUSE);
};
setTimeout(loop, PAUSE / 2);
