// Makes a chart interactive when the reader points at it or presses its button: loads Plotly once, and draws the figure,
// which is in the page as JSON, over the server's drawing, at the same size and in the colours of the theme.
const value = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const live = new Set();
let plotly = null;

const load = (source) => plotly ??= new Promise((resolve, reject) => {
  const script = document.createElement("script");
  script.addEventListener("load", () => resolve(window.Plotly));
  script.addEventListener("error", () => { plotly = null; reject(new Error(source)); });
  script.src = source;
  document.head.append(script);
});

// The figure names its colours by CSS variables; this replaces them by their values.
const coloured = (part) => {
  if (Array.isArray(part)) return part.map(coloured);
  if (typeof part !== "object" || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([key, found]) =>
    [key, ["color", "fillcolor"].includes(key) && typeof found === "string" && found.startsWith("--") ? value(found) : coloured(found)]));
};

// The layout in the size that the drawing has on the screen.
const fitted = (layout, drawing) => {
  const box = drawing.getBoundingClientRect();
  const scale = box.width / layout.width;
  const axis = (one) => ({ ...one, gridcolor: value("--line"), automargin: false });
  return {
    ...layout,
    width: box.width,
    height: box.height,
    margin: Object.fromEntries(Object.entries(layout.margin).map(([side, length]) => [side, length * scale])),
    annotations: (layout.annotations ?? []).map((one) =>
      ({ ...one, xshift: (one.xshift ?? 0) * scale, yshift: (one.yshift ?? 0) * scale })),
    xaxis: axis(layout.xaxis),
    yaxis: axis(layout.yaxis),
    paper_bgcolor: "transparent",
    plot_bgcolor: "transparent",
    hoverlabel: { bgcolor: value("--raised"), bordercolor: value("--line-2"), align: "left", font: { color: value("--ink") } },
    font: { family: value("--sans"), size: 12 * scale, color: value("--ink-2") },
  };
};

const shown = (chart) => [...chart.querySelectorAll("[data-drawing]")].find((one) => one.offsetWidth > 0);

const draw = async (chart) => {
  const place = shown(chart);
  if (!place || chart.dataset.chart === "live") return;
  chart.dataset.chart = "live";
  const canvas = place.querySelector(".canvas");
  const holder = document.createElement("div");
  try {
    const library = await load(chart.dataset.plotly);
    const figure = JSON.parse(chart.querySelector("script[type='application/json']").textContent);
    const svg = canvas.querySelector("svg");
    const layout = coloured(fitted(figure[place.dataset.drawing], svg));
    holder.className = "live";
    holder.setAttribute("role", "img");
    holder.setAttribute("aria-label", svg.getAttribute("aria-label"));
    canvas.append(holder);
    await library.newPlot(holder, coloured(figure.data), layout, { displayModeBar: false, showTips: false });
    // A mark that is a link in the drawing is one here, too.
    holder.on("plotly_click", ({ points: [point] }) => { if (point?.customdata) location.assign(point.customdata); });
    canvas.classList.add("is-live");
    chart.querySelector("[data-explore]").hidden = true;
    live.add(chart);
  } catch {
    holder.remove();
    chart.dataset.chart = "";  // the drawing stays, and the next attempt may succeed
  }
};

const still = (chart) => {
  const canvas = chart.querySelector(".canvas.is-live");
  const holder = canvas.querySelector(".live");
  window.Plotly.purge(holder);
  holder.remove();
  canvas.classList.remove("is-live");
  chart.querySelector("[data-explore]").hidden = false;
  chart.dataset.chart = "";
  live.delete(chart);
};

const again = () => [...live].forEach((chart) => { still(chart); if (chart.isConnected) draw(chart); });
const stop = () => [...live].forEach(still);

document.addEventListener("pointerover", (event) => {
  const chart = event.pointerType === "mouse" && event.target.closest?.("[data-chart]");
  if (chart) draw(chart);
});
document.addEventListener("click", (event) => {
  const chart = event.target.closest?.("[data-explore]")?.closest("[data-chart]");
  if (chart) draw(chart);
});
document.addEventListener("themechange", again);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
addEventListener("resize", stop);
addEventListener("beforeprint", stop);
