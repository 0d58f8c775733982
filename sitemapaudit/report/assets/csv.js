// Downloads rows of the report as CSV. No cell acts as a formula: the law is that of csv_files.py.
const formula = /^[=+\-@\uff1d\uff0b\uff0d\uff20\t\r]/;
const innerFormula = /([;\t\r\n]["']*)([=+\-@\uff1d\uff0b\uff0d\uff20])/g;

function csvCell(value) {
  const text = Array.isArray(value) ? value.join("\n") : String(value ?? "");
  const inner = text.replace(innerFormula, "$1'$2");
  const harmless = formula.test(text) ? `'${inner}` : inner;
  return /["\n\r,;]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Downloads rows of cells; the mark at the start makes spreadsheets read UTF-8. */
function download(name, rows) {
  const text = rows.map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");
  const address = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv" }));
  element("a", { href: address, download: `${name.replace(/[^\w.-]+/g, "-")}.csv` }).click();
  URL.revokeObjectURL(address);
}

const urlColumns = ["status", "error", "final_url", "canonical", "sitemaps"];

function downloadUrls(name, rows) {
  const lines = rows.map((row) => [
    row.url,
    row.verdict,
    ...urlColumns.map((column) => row.facts[column]),
    row.findings.map((finding) => finding.rule),
  ]);
  download(name, [["url", "verdict", ...urlColumns, "rules"], ...lines]);
}

/** Returns the findings of a rule that the report contains: of its URLs, and of its examples. */
function findingsOf(rule) {
  const found = data.urls.flatMap((row) =>
    row.findings.filter((finding) => finding.rule === rule).map((finding) => ({ ...finding, url: row.url })),
  );
  const all = [...(data.examples[rule] ?? []), ...found];
  const key = (each) => JSON.stringify([each.url, each.sitemap, each.position, each.message]);
  return [...new Map(all.map((each) => [key(each), each])).values()];
}

function downloadFindings(rule, found) {
  const cells = (each) => [each.url, each.sitemap, each.position, each.severity, each.message, evidenceText(each)];
  download(rule, [["url", "sitemap", "position", "severity", "message", "evidence"], ...found.map(cells)]);
}

function evidenceText(finding) {
  return (finding.evidence ?? []).map(([name, value]) => `${name}: ${value}`);
}

/** Labels a button with how many of all rows its file has. */
function labelDownload(button, included, all) {
  const count = included < all ? `${integer.format(included)} of ${integer.format(all)}` : integer.format(all);
  // In a narrow table, the button breaks before the numbers, and not between them.
  button.textContent = `CSV (${count.replaceAll(" ", "\u00a0")})`;
  if (included < all) button.title = `The report contains ${count}; all are in the CSV files next to it.`;
}

function startDownloads() {
  for (const button of document.querySelectorAll("[data-csv-verdict]")) {
    const rows = data.urls.filter((row) => row.verdict === button.dataset.csvVerdict);
    labelDownload(button, rows.length, Number(button.dataset.count));
    button.addEventListener("click", () => downloadUrls(button.dataset.csvVerdict, rows));
  }
  for (const button of document.querySelectorAll("[data-csv-rule]")) {
    button.addEventListener("click", () => downloadFindings(button.dataset.csvRule, findingsOf(button.dataset.csvRule)));
  }
}

/** Labels the button of a rule when the rule is opened: to count its findings takes time. */
function labelRule(rule) {
  const button = rule.querySelector("[data-csv-rule]");
  labelDownload(button, findingsOf(rule.id).length, Number(button.dataset.count));
}
