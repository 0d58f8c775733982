// The table of sitemap files.
function shareCell(row) {
  if (row.share === null) return "unknown";
  const meter = element("meter", { min: 0, max: 1, value: row.share, "aria-label": "share of bad entries" });
  return element("span", { class: "share-cell" }, meter, ` ${percent(row.share)}`);
}

function startSitemaps() {
  const number = { className: "number" };
  const columns = [
    column("sitemap", (row) => row.sitemap, { cell: (row) => siteLink(row.sitemap), className: "address" }),
    column("kind", (row) => row.kind),
    column("response", (row) => [row.status, row.error].filter(Boolean).join(": ")),
    column("URLs", (row) => row.urls, number),
    column("bad entries", (row) => row.bad, number),
    column("share bad", (row) => row.share, { ...number, cell: shareCell, rank: (row) => row.share ?? -1 }),
    column("findings", (row) => row.findings, number),
  ];
  new Table("sitemaps-table", data.sitemaps, columns, "sitemap", { sorted: [4, "descending"] });
}
