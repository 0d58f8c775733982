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

function startUrls() {
  const made = makeTable(
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
  startFilter(document.getElementById("verdict"), made, 1, data.urls.map((row) => row.verdict).sort());
}

/** Fills a select element with the values of a column, and filters the table by it. */
function startFilter(choice, made, at, values) {
  choice.append(...[...new Set(values)].map((value) => element("option", {}, value)));
  choice.addEventListener("input", () => {
    made.column(at).search(choice.value, { exact: Boolean(choice.value) }).draw();
  });
}

/** Shows only the URLs with one verdict. */
function selectVerdict(verdict) {
  const choice = document.getElementById("verdict");
  if (![...choice.options].some((option) => option.value === verdict)) choice.append(element("option", {}, verdict));
  choice.value = verdict;
  choice.dispatchEvent(new Event("input"));
  document.getElementById("urls").scrollIntoView();
  choice.focus({ preventScroll: true });
}
