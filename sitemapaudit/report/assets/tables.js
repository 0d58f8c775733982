// DataTables makes tables sortable and searchable. A cell is an element, or escaped text.
const escapeText = DataTable.render.text();

/** Returns a column; `cell` makes its elements, `value` the text to search and sort by. */
function column(title, value, cell = null, options = {}) {
  const render = (_, kind, row) => {
    if (kind === "display" && cell) return cell(row);
    const plain = value(row, kind) ?? "";
    if (typeof plain === "number") return kind === "display" ? integer.format(plain) : plain;
    return kind === "display" || kind === "filter" ? escapeText[kind](plain) : plain;
  };
  return { title, data: null, render, ...options };
}

function makeTable(id, rows, columns, noun, order) {
  const made = new DataTable(`#${id}`, {
    data: rows,
    columns,
    order,
    deferRender: true,
    autoWidth: false,
    pageLength: 25,
    layout: { topStart: "search", topEnd: "pageLength", bottomStart: "info", bottomEnd: "paging" },
    language: {
      entries: { _: noun, 1: noun },
      search: "Search",
      info: `_START_ to _END_ of _TOTAL_ ${noun}`,
      infoEmpty: `No ${noun}`,
      infoFiltered: "(filtered from _MAX_)",
      zeroRecords: `No matching ${noun}`,
      emptyTable: `No ${noun}`,
      lengthMenu: `_MENU_ ${noun} per page`,
    },
  });
  made.table().container().querySelector("nav")?.setAttribute("aria-label", `Pages of ${noun}`);
  return made;
}

function shareCell(row) {
  if (row.share === null) return "unknown";
  const meter = element("meter", { min: 0, max: 1, value: row.share, "aria-label": "share of bad entries" });
  return element("span", { class: "share-cell" }, meter, ` ${percent(row.share)}`);
}

function startSitemaps() {
  const number = { className: "number" };
  makeTable(
    "sitemaps-table",
    data.sitemaps,
    [
      column("sitemap", (row) => row.sitemap, (row) => siteLink(row.sitemap), { className: "address" }),
      column("kind", (row) => row.kind),
      column("response", (row) => [row.status, row.error].filter(Boolean).join(": "), null, { type: "string" }),
      column("URLs", (row) => row.urls, null, number),
      column("bad entries", (row) => row.bad, null, number),
      column("share bad", (row) => row.share ?? -1, shareCell, number),
      column("findings", (row) => row.findings, null, number),
    ],
    "sitemaps",
    [[4, "desc"]],
  );
}

const ranks = ["notice", "warning", "error"];

function highestSeverity(row) {
  return row.findings[0]?.severity ?? null;
}

/** Returns a column of severities: searched by name, sorted by rank, displayed as badges. */
function severityColumn(title, severityOf, none) {
  const rank = (row, kind) => (kind === "filter" ? severityOf(row) : String(ranks.indexOf(severityOf(row)) + 1));
  const cell = (row) => {
    const severity = severityOf(row);
    return severity ? element("span", { class: `badge ${severity}` }, severity) : none;
  };
  return column(title, rank, cell, { type: "string" });
}

/** Fills a select element with the values that occur. */
function fillChoice(choice, values) {
  const present = new Set([...choice.options].map((option) => option.value));
  for (const value of new Set(values)) if (!present.has(value)) choice.append(element("option", {}, value));
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
  urlTable = makeTable(
    "urls-table",
    data.urls,
    [
      column("URL", (row) => row.url, (row) => urlLink(row.url), { className: "address" }),
      column("verdict", (row) => row.verdict),
      column("status", (row) => String(row.facts.status ?? row.facts.error ?? ""), null, { type: "string" }),
      column("findings", (row) => row.findings.length, null, { className: "number" }),
      severityColumn("highest severity", highestSeverity, "none"),
      column("rules", (row) => row.findings.map((each) => each.rule).join(" "), null, { visible: false }),
    ],
    "URLs",
    [],
  );
  const controls = urlFilters();
  fillChoice(controls.verdict, data.urls.map((row) => row.verdict).sort());
  fillChoice(controls.rule, data.urls.flatMap((row) => row.findings.map((each) => each.rule)).sort());
  fillChoice(controls.sitemap, data.urls.flatMap((row) => row.facts.sitemaps ?? []).sort());
  urlTable.search.fixed("filters", (text, row) => matchesFilters(row));
  for (const control of Object.values(controls)) control.addEventListener("input", () => urlTable.draw());
  urlTable.on("draw", describeUrls);
  document.getElementById("urls-csv").addEventListener("click", () => {
    const chosen = Object.values(urlFilters()).map((each) => each.value);
    downloadUrls(chosen.filter(Boolean).join("-") || "urls", shownUrls());
  });
  describeUrls();
}

function shownUrls() {
  return urlTable.rows({ search: "applied" }).data().toArray();
}

/** Keeps the view in the address, and says how many URLs its file has. */
function describeUrls() {
  document.getElementById("urls-csv").textContent = `CSV (${integer.format(shownUrls().length)})`;
  const values = Object.entries(urlFilters()).map(([name, control]) => [name, control.value]);
  keepView(document.getElementById("urls-link"), "urls", { ...Object.fromEntries(values), search: urlTable.search() });
}

/** Shows only the URLs that a link names. */
function showUrls(wanted) {
  const controls = urlFilters();
  for (const [name, control] of Object.entries(controls)) choose(control, wanted.get(name) ?? "");
  urlTable.search(wanted.get("search") ?? "").draw();
  document.getElementById("urls").scrollIntoView();
  controls.verdict.focus({ preventScroll: true });
}

/** Fills a select element with the values of a column, and filters the table by it. */
function startFilter(choice, made, at, values) {
  fillChoice(choice, values);
  choice.addEventListener("input", () => {
    made.column(at).search(choice.value, { exact: Boolean(choice.value) }).draw();
  });
}
