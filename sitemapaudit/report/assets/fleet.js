// The table of sites: a site leads to its own page, which stands in its run folder.
function siteCell(row) {
  if (!row.report) return element("span", { class: "url" }, row.site);
  return element("a", { class: "url", href: `./${row.report.split("/").map(encodeURIComponent).join("/")}` }, row.site);
}

function indexableCell(row) {
  if (row.share === null) return "not known";
  const meter = element("meter", { class: "indexable", min: 0, max: 1, value: row.share, "aria-label": "share of indexable URLs" });
  return element("span", { class: "share-cell" }, meter, ` ${percent(row.share)}`);
}

function changeCell(row) {
  if (!row.change) return row.change === 0 ? "none" : "";
  const worse = row.change < 0;
  const points = Math.abs(100 * row.change);
  const told = points < 0.1 ? "under 0.1" : points.toFixed(1);
  return element("span", { class: worse ? "worse" : "better" }, `${worse ? "−" : "+"}${told} ${worse ? "worse" : "better"}`);
}

function stateOf(row) {
  return row.complete ? "complete" : "not complete";
}

function auditCell(row) {
  return element("span", {}, row.complete ? "complete" : `not complete: ${row.reason ?? row.status}`);
}

function startFleet() {
  const number = { className: "number" };
  const shown = table(
    "sites-table",
    data.sites,
    [
      column("site", (row) => row.site, siteCell, { className: "site" }),
      column("indexable", (row) => row.share ?? -1, indexableCell, number),
      column("change", (row) => row.change ?? 0, changeCell, number),
      column("URLs", (row) => row.listed, null, number),
      column("errors", (row) => row.errors, null, number),
      column("warnings", (row) => row.warnings, null, number),
      column("new", (row) => row.new ?? "", null, { ...number, type: "num" }),
      column("mended", (row) => row.mended ?? "", null, { ...number, type: "num" }),
      column("audit", (row, kind) => (kind === "filter" ? auditCell(row).textContent : stateOf(row)), auditCell, { type: "string" }),
      column("started", (row) => row.started ?? "", null, { className: "day" }),
      column("state", stateOf, null, { visible: false }),
    ],
    "sites",
    [],
  );
  offer(document.getElementById("state"), shown, 10, data.sites.map(stateOf).sort());
}

startFleet();
