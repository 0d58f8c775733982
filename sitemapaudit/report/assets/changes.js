// The table of changes since the previous run.
const kinds = {
  new: "new finding",
  fixed: "fixed finding",
  "not-checked-before": "finding not checked before",
  unknown: "finding not checked again",
  "verdict-changed": "verdict changed",
  moved: "URL moved",
  added: "URL added",
  removed: "URL removed",
};

function placeCell(row) {
  return row.place ? urlLink(row.place) : "the audit";
}

function describeChange(row) {
  if (row.rule) return `${row.rule}: ${row.message}`;
  if (row.previous_url) return `was ${row.previous_url}`;
  return [row.before, row.after].filter(Boolean).join(" → ");
}

function changeCell(row) {
  if (!row.rule) return describeChange(row);
  const explained = document.getElementById(row.rule);
  const rule = explained ? element("a", { href: `#${row.rule}` }, row.rule) : row.rule;
  return element("span", {}, rule, ": ", ...withCode(row.message), makeEvidence(row));
}

function startChanges() {
  if (!document.getElementById("changes-table")) return;
  const columns = [
    column("change", (row) => kinds[row.change], { className: "nowrap" }),
    severityColumn("severity", (row) => row.severity, ""),
    column("place", (row) => row.place, { cell: placeCell, className: "address" }),
    column("details", describeChange, { cell: changeCell }),
  ];
  const table = new Table("changes-table", data.changes, columns, "change");
  filterBy(document.getElementById("change-kind"), table, (row) => kinds[row.change]);
}
