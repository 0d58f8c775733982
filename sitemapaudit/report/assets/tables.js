// Tables that can be sorted and searched are DataTables. A cell is given as an element, or escaped.
const escaped = DataTable.render.text();

/** A column whose cells are elements; searched and sorted by its text. */
function column(title, value, cell = null, options = {}) {
  const render = (_, kind, row) => {
    if (kind === "display" && cell) return cell(row);
    const plain = value(row, kind) ?? "";
    if (typeof plain === "number") return kind === "display" ? integer.format(plain) : plain;
    return kind === "display" || kind === "filter" ? escaped[kind](plain) : plain;
  };
  return { title, data: null, render, ...options };
}

function table(id, rows, columns, noun, order) {
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
      infoFiltered: "(of _MAX_)",
      zeroRecords: `No ${noun} like that`,
      emptyTable: `No ${noun}`,
      lengthMenu: `_MENU_ ${noun} a page`,
    },
  });
  made.table().container().querySelector("nav")?.setAttribute("aria-label", `Pages of ${noun}`);
  return made;
}

function shareCell(row) {
  if (row.share === null) return "not known";
  const meter = element("meter", { min: 0, max: 1, value: row.share, "aria-label": "share of bad entries" });
  return element("span", { class: "share-cell" }, meter, ` ${percent(row.share)}`);
}

function startSitemaps() {
  const number = { className: "number" };
  table(
    "sitemaps-table",
    data.sitemaps,
    [
      column("sitemap", (row) => row.sitemap, (row) => external(row.sitemap), { className: "address" }),
      column("kind", (row) => row.kind),
      column("answer", (row) => [row.status, row.fault].filter(Boolean).join(": "), null, { type: "string" }),
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

function gravest(row) {
  return row.findings[0]?.severity ?? null;
}

/** A column of severities: words to search for, digits to sort by, badges to see. */
function severityColumn(title, severityOf, none) {
  const rank = (row, kind) => (kind === "filter" ? severityOf(row) : String(ranks.indexOf(severityOf(row)) + 1));
  const cell = (row) => {
    const severity = severityOf(row);
    return severity ? element("span", { class: `badge ${severity}` }, severity) : none;
  };
  return column(title, rank, cell, { type: "string" });
}

function startUrls() {
  const shown = table(
    "urls-table",
    data.urls,
    [
      column("URL", (row) => row.url, (row) => inside(row.url), { className: "address" }),
      column("verdict", (row) => row.verdict),
      column("status", (row) => String(row.facts.status ?? row.facts.error ?? ""), null, { type: "string" }),
      column("findings", (row) => row.findings.length, null, { className: "number" }),
      severityColumn("gravest", gravest, "none"),
      column("rules", (row) => row.findings.map((each) => each.rule).join(" "), null, { visible: false }),
    ],
    "URLs",
    [],
  );
  offer(document.getElementById("verdict"), shown, 1, data.urls.map((row) => row.verdict).sort());
}

/** Lets one choose the value of a column, of those that there are. */
function offer(choice, shown, at, values) {
  choice.append(...[...new Set(values)].map((value) => element("option", {}, value)));
  choice.addEventListener("input", () => {
    shown.column(at).search(choice.value, { exact: Boolean(choice.value) }).draw();
  });
}

/** Shows only the URLs of one verdict. */
function chooseVerdict(verdict) {
  const choice = document.getElementById("verdict");
  if (![...choice.options].some((option) => option.value === verdict)) choice.append(element("option", {}, verdict));
  choice.value = verdict;
  choice.dispatchEvent(new Event("input"));
  document.getElementById("urls").scrollIntoView();
  choice.focus({ preventScroll: true });
}
