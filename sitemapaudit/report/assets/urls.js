// The table of listed URLs.
const ranks = ["notice", "warning", "error"];

/** Returns a column of severities: sorted by rank, displayed as badges. */
function severityColumn(title, severityOf, none) {
  const cell = (row) => {
    const severity = severityOf(row);
    return severity ? element("span", { class: `badge ${severity}` }, severity) : none;
  };
  return column(title, severityOf, { cell, rank: (row) => ranks.indexOf(severityOf(row)) });
}

let urlTable;

/** Returns the controls of the table of URLs by the names that they have in a link. */
function urlFilters() {
  const names = ["verdict", "rule", "sitemap"];
  return Object.fromEntries(names.map((name) => [name, document.getElementById(name)]));
}

function matchesFilters(row) {
  const { verdict, rule, sitemap } = urlFilters();
  return (
    ["", row.verdict].includes(verdict.value) &&
    (!rule.value || row.findings.some((each) => each.rule === rule.value)) &&
    (!sitemap.value || (row.facts.sitemaps ?? []).includes(sitemap.value))
  );
}

function startUrls() {
  const columns = [
    column("URL", (row) => row.url, { cell: (row) => urlLink(row.url), className: "address" }),
    column("verdict", (row) => row.verdict),
    column("status", (row) => String(row.facts.status ?? row.facts.error ?? "")),
    column("findings", (row) => row.findings.length, { className: "number" }),
    severityColumn("highest severity", (row) => row.findings[0]?.severity, "none"),
  ];
  const keywords = (row) => row.findings.map((each) => each.rule).join(" ");
  urlTable = new Table("urls-table", data.urls, columns, "URL", { keywords });
  const controls = urlFilters();
  fillChoice(controls.verdict, data.urls.map((row) => row.verdict).sort());
  fillChoice(controls.rule, data.urls.flatMap((row) => row.findings.map((each) => each.rule)).sort());
  fillChoice(controls.sitemap, data.urls.flatMap((row) => row.facts.sitemaps ?? []).sort());
  for (const control of Object.values(controls)) control.addEventListener("input", () => urlTable.update());
  document.getElementById("urls-csv").addEventListener("click", () => {
    const chosen = Object.values(urlFilters()).map((each) => each.value);
    downloadUrls(chosen.filter(Boolean).join("-") || "urls", urlTable.found);
  });
  Object.assign(urlTable, { filter: matchesFilters, changed: describeUrls });
  describeUrls();
}

/** Keeps the view in the address, and says how many URLs its file has. */
function describeUrls() {
  document.getElementById("urls-csv").textContent = `CSV (${integer.format(urlTable.found.length)})`;
  const values = Object.entries(urlFilters()).map(([name, control]) => [name, control.value]);
  keepView(document.getElementById("urls-link"), "urls", { ...Object.fromEntries(values), search: urlTable.search.value });
}

/** Shows only the URLs that a link names. */
function showUrls(wanted) {
  const controls = urlFilters();
  for (const [name, control] of Object.entries(controls)) choose(control, wanted.get(name) ?? "");
  urlTable.search.value = wanted.get("search") ?? "";
  urlTable.update();
  document.getElementById("urls").scrollIntoView();
  controls.verdict.focus({ preventScroll: true });
}
