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

function auditText(row) {
  return row.complete ? "complete" : `incomplete: ${row.reason ?? row.status}`;
}

function startFleet() {
  const number = { className: "number" };
  const state = (row) => (row.complete ? "complete" : "incomplete");
  const columns = [
    column("site", (row) => row.site, { cell: siteCell, className: "site" }),
    column("indexable", (row) => row.share, { ...number, cell: indexableCell, rank: (row) => row.share ?? -1 }),
    column("change", (row) => row.share_change, { ...number, cell: changeCell, rank: (row) => row.share_change ?? 0 }),
    column("URLs", (row) => row.listed, number),
    column("errors", (row) => row.errors, number),
    column("warnings", (row) => row.warnings, number),
    column("new", (row) => row.new, { ...number, rank: (row) => row.new ?? -1 }),
    column("fixed", (row) => row.fixed, { ...number, rank: (row) => row.fixed ?? -1 }),
    column("audit", auditText, { rank: state }),
    column("started", (row) => row.started, { className: "nowrap" }),
  ];
  const table = new Table("sites-table", data.sites, columns, "site");
  filterBy(document.getElementById("state"), table, state);
}

startFleet();
