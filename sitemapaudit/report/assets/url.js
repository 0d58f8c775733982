// The details of one URL, in a dialog.
const dialog = document.getElementById("url-details");

function factValue(value) {
  if (Array.isArray(value)) return element("ul", {}, ...value.map((each) => element("li", {}, factValue(each))));
  if (typeof value === "number") return integer.format(value);
  const text = value === true ? "yes" : value === false ? "no" : String(value);
  return isLinkable(text) ? siteLink(text) : text;
}

function makeFacts(row, rendered) {
  const facts = Object.entries(row.facts).filter(([name]) => name.startsWith("rendered_") === rendered);
  if (!facts.length) return [];
  const lines = facts.map(([name, value]) =>
    element(
      "div",
      {},
      element("dt", {}, element("code", {}, name)),
      element("dd", {}, factValue(value), element("span", { class: "meaning" }, ...withCode(data.meanings[name] ?? ""))),
    ),
  );
  return [element("h3", {}, rendered ? "As rendered" : "Details"), element("dl", { class: "facts" }, ...lines)];
}

function makeFinding(finding) {
  return element(
    "li",
    {},
    element(
      "p",
      {},
      element("span", { class: `badge ${finding.severity}` }, finding.severity),
      " ",
      element("a", { href: `#${finding.rule}` }, finding.rule),
      ": ",
      ...withCode(finding.message),
    ),
    makePlace(finding),
    makeEvidence(finding),
  );
}

function makeDetails(row) {
  const list = row.findings.map(makeFinding);
  return [
    element("p", {}, "Verdict: ", element("strong", {}, row.verdict), " · ", siteLink(row.url, "Open the URL")),
    element("h3", {}, list.length ? `${list.length === 20 ? "The first 20 findings" : "Findings"}` : "No findings"),
    list.length ? element("ul", { class: "examples" }, ...list) : null,
    ...makeFacts(row, false),
    ...makeFacts(row, true),
  ];
}

function makeMissing() {
  const count = `${integer.format(rowsByUrl.size)} of ${integer.format(data.listed)} listed URLs`;
  return [element("p", {}, `This report contains ${count}, and this URL is not one of them. Look for it in urls.csv and findings.csv.`)];
}

/** Opens the details of a URL. */
function openUrl(url) {
  const row = rowsByUrl.get(url);
  const close = element("button", { type: "button", class: "close" }, "Close");
  close.addEventListener("click", () => dialog.close());
  const body = row ? makeDetails(row) : makeMissing();
  dialog.replaceChildren(
    element("div", { class: "dialog-head" }, element("h2", { id: "url-title", class: "url", tabindex: -1, autofocus: "" }, url), close),
    ...body.filter(Boolean),
  );
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

function startDialog() {
  dialog.addEventListener("close", () => {
    if (location.hash.startsWith("#url=")) history.replaceState(null, "", "#urls");
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
}
