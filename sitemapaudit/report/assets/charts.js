// Charts are drawn by Plotly when they come near the screen, in the colours of the style sheet.
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

/** Puts the values of the style sheet in the place of their names, wherever a colour stands. */
function coloured(value, style, colour = false) {
  if (typeof value === "string") return colour && value.startsWith("--") ? style.getPropertyValue(value).trim() : value;
  if (Array.isArray(value)) return value.map((each) => coloured(each, style, colour));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, coloured(each, style, /color/.test(key))]),
  );
}

function draw(place) {
  const chart = data.charts[place.dataset.chart];
  const style = getComputedStyle(document.documentElement);
  const fixed = { fixedrange: true };
  const layout = { ...base, ...chart.layout };
  for (const axis of ["xaxis", "yaxis"]) layout[axis] = { ...fixed, ...layout[axis] };
  Plotly.react(place, coloured(chart.data, style), coloured(layout, style), {
    displayModeBar: false,
    responsive: true,
  });
  drawn.add(place);
}

function redraw() {
  drawn.forEach(draw);
}

/** Draws each chart when it is about to be seen, all before the page is printed. */
function startCharts() {
  const places = [...document.querySelectorAll("[data-chart]")];
  const watcher = new IntersectionObserver(
    (seen) => {
      for (const { target } of seen.filter((each) => each.isIntersecting)) {
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
