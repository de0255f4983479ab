// Plays the recording of a terminal. Without this script, the page has its text. The player is loaded when the page is
// drawn: it takes a phone longer than the page.
const host = document.querySelector("[data-terminal]");
const failed = document.querySelector("[data-failed]");
const fail = () => { failed.hidden = false; };

const player = () => new Promise((resolve, reject) => {
  const script = document.createElement("script");
  script.src = host.dataset.player;
  script.onload = () => resolve(window.AsciinemaPlayer);
  script.onerror = reject;
  document.head.append(script);
});
const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
const recording = async () => {
  const response = await fetch(host.dataset.terminal, { credentials: "same-origin" });
  if (!response.ok) fail();
  return response.text();
};
const settings = {
  fit: "width",
  preload: true,
  poster: "npt:0:1",
  idleTimeLimit: Number(host.dataset.idle),  // long waits for a model show nothing
  controls: true,
  logger: { log() {}, debug() {}, info() {}, warn() {}, error: fail },
};
try {
  await drawn();
  const [text, { create }] = await Promise.all([recording(), player()]);
  const timer = setTimeout(fail, 5_000);
  create({ data: text }, host, settings).addEventListener("ready", () => clearTimeout(timer));
  const widget = host.querySelector(".ap-wrapper");
  widget.setAttribute("role", "group");
  widget.setAttribute("aria-label", "Recorded terminal");
} catch {
  fail();
}
