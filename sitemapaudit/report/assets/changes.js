// What changed since the run before, one by one.
const kinds = {
  new: "finding is new",
  mended: "finding is mended",
  unknown: "finding not looked at again",
  verdict: "verdict changed",
  came: "URL came",
  went: "URL went",
};

function placeCell(row) {
  return row.place ? inside(row.place) : "the audit";
}

function whatOf(row) {
  if (row.rule) return `${row.rule}: ${row.message}`;
  return [row.before, row.after].filter(Boolean).join(" → ");
}

function whatCell(row) {
  if (!row.rule) return document.createTextNode(whatOf(row));
  const known = document.getElementById(row.rule);
  const rule = known ? element("a", { href: `#${row.rule}` }, row.rule) : row.rule;
  return element("span", {}, rule, `: ${row.message}`, evidenceOf(row));
}

function startChanges() {
  if (!document.getElementById("changes-table")) return;
  const shown = table(
    "changes-table",
    data.changes,
    [
      column("change", (row) => kinds[row.change]),
      severityColumn("severity", (row) => row.severity, ""),
      column("where", (row) => row.place ?? "", placeCell, { className: "address" }),
      column("what", whatOf, whatCell),
    ],
    "changes",
    [],
  );
  offer(document.getElementById("change-kind"), shown, 0, data.changes.map((row) => kinds[row.change]));
}
