// The table of sites; each site links to the report in its run folder.
function siteCell(row) {
  if (!row.report) return element("span", { class: "url" }, row.site);
  return element("a", { class: "url", href: `./${row.report.split("/").map(encodeURIComponent).join("/")}` }, row.site);
}

function indexableCell(row) {
  if (row.share === null) return "unknown";
  const meter = element("meter", { class: "indexable", min: 0, max: 1, value: row.share, "aria-label": "share of indexable URLs" });
  return element("span", { class: "share-cell" }, meter, ` ${percent(row.share)}`);
}

function changeCell(row) {
  if (!row.share_change) return row.share_change === 0 ? "none" : "";
  const worse = row.share_change < 0;
  const points = Math.abs(100 * row.share_change);
  const text = points < 0.1 ? "under 0.1" : points.toFixed(1);
  return element("span", { class: worse ? "worse" : "better" }, `${worse ? "−" : "+"}${text} ${worse ? "worse" : "better"}`);
}

function stateOf(row) {
  return row.complete ? "complete" : "incomplete";
}

function auditCell(row) {
  return element("span", {}, row.complete ? "complete" : `incomplete: ${row.reason ?? row.status}`);
}

function startFleet() {
  const number = { className: "number" };
  const made = makeTable(
    "sites-table",
    data.sites,
    [
      column("site", (row) => row.site, siteCell, { className: "site" }),
      column("indexable", (row) => row.share ?? -1, indexableCell, number),
      column("change", (row) => row.share_change ?? 0, changeCell, number),
      column("URLs", (row) => row.listed, null, number),
      column("errors", (row) => row.errors, null, number),
      column("warnings", (row) => row.warnings, null, number),
      column("new", (row) => row.new ?? "", null, { ...number, type: "num" }),
      column("fixed", (row) => row.fixed ?? "", null, { ...number, type: "num" }),
      column("audit", (row, kind) => (kind === "filter" ? auditCell(row).textContent : stateOf(row)), auditCell, { type: "string" }),
      column("started", (row) => row.started ?? "", null, { className: "nowrap" }),
      column("state", stateOf, null, { visible: false }),
    ],
    "sites",
    [],
  );
  startFilter(document.getElementById("state"), made, 10, data.sites.map(stateOf).sort());
}

startFleet();
