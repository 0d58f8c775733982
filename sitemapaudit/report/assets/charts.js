// Plotly draws a chart when it comes near the viewport, in the colors of the style sheet.
const base = {
  autosize: true,
  showlegend: false,
  paper_bgcolor: "--clear",
  plot_bgcolor: "--clear",
  font: { family: "system-ui, sans-serif", size: 13, color: "--text" },
  hoverlabel: { bgcolor: "--card", bordercolor: "--line", font: { color: "--text" } },
  margin: { l: 48, r: 8, t: 8, b: 36 },
  dragmode: false,
  modebar: { remove: [] },
};
const drawn = new Set();

/** Replaces the names of style sheet properties by their values, in every color. */
function withColors(value, style, isColor = false) {
  if (typeof value === "string") return isColor && value.startsWith("--") ? style.getPropertyValue(value).trim() : value;
  if (Array.isArray(value)) return value.map((each) => withColors(each, style, isColor));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withColors(each, style, /color/.test(key))]),
  );
}

function draw(place) {
  const chart = data.charts[place.dataset.chart];
  const style = getComputedStyle(document.documentElement);
  const fixed = { fixedrange: true };
  const layout = { ...base, ...chart.layout };
  for (const axis of ["xaxis", "yaxis"]) layout[axis] = { ...fixed, ...layout[axis] };
  Plotly.react(place, withColors(chart.data, style), withColors(layout, style), {
    displayModeBar: false,
    responsive: true,
  });
  drawn.add(place);
}

function redraw() {
  drawn.forEach(draw);
}

/** Draws each chart shortly before it is visible, and all charts before printing. */
function startCharts() {
  const places = [...document.querySelectorAll("[data-chart]")];
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target } of entries.filter((each) => each.isIntersecting)) {
        watcher.unobserve(target);
        draw(target);
      }
    },
    { rootMargin: "600px" },
  );
  for (const place of places) {
    place.style.minHeight = `${place.dataset.height}px`;
    watcher.observe(place);
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  addEventListener("beforeprint", () => {
    document.documentElement.dataset.print = "";
    places.forEach(draw);
  });
  addEventListener("afterprint", () => {
    delete document.documentElement.dataset.print;
    redraw();
  });
}
