// Draws the figure that the page carries as JSON, in the colours of the theme.
const holder = document.querySelector("[data-chart]");
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const draw = () => {
  const { data, layout } = JSON.parse(document.getElementById(holder.dataset.chart).textContent);
  const axis = { gridcolor: colour("--line"), linecolor: colour("--line-2"), zerolinecolor: colour("--line-2") };
  for (const trace of data) {
    trace.marker = { ...trace.marker, color: colour("--accent") };
    trace.error_y = { ...trace.error_y, color: colour("--ink-3") };
  }
  window.Plotly.react(holder, data, {
    ...layout,
    xaxis: { ...layout.xaxis, ...axis },
    yaxis: { ...layout.yaxis, ...axis },
    paper_bgcolor: "transparent",
    plot_bgcolor: "transparent",
    font: { family: colour("--sans"), size: 12, color: colour("--ink-2") },
  }, { displayModeBar: false, responsive: true });
};

if (holder && window.Plotly) {
  holder.hidden = false;
  draw();
  document.addEventListener("themechange", draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}
