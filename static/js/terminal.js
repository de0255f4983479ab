// Plays the recording of a terminal. Without this script, the page has its text.
const host = document.querySelector("[data-terminal]");
const failed = document.querySelector("[data-failed]");
const fail = () => { failed.hidden = false; };

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
  const text = await recording();
  const player = window.AsciinemaPlayer.create({ data: text }, host, settings);
  const timer = setTimeout(fail, 5_000);
  player.addEventListener("ready", () => clearTimeout(timer));
  const widget = host.querySelector(".ap-wrapper");
  widget.setAttribute("role", "group");
  widget.setAttribute("aria-label", "Recorded terminal");
} catch {
  fail();
}
