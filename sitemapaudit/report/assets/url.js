// The view of one URL: everything that the page knows of it.
const dialog = document.getElementById("one");

function told(value) {
  if (Array.isArray(value)) return element("ul", {}, ...value.map((each) => element("li", {}, told(each))));
  const text = value === true ? "yes" : value === false ? "no" : String(value);
  return followable(text) ? external(text) : text;
}

/** Our own words on a column, in which names stand between backticks. */
function spelled(text) {
  return text.split("`").map((part, at) => (at % 2 ? element("code", {}, part) : part));
}

function factsOf(row, rendered) {
  const facts = Object.entries(row.facts).filter(([name]) => name.startsWith("rendered_") === rendered);
  if (!facts.length) return [];
  const lines = facts.map(([name, value]) =>
    element(
      "div",
      {},
      element("dt", {}, element("code", {}, name)),
      element("dd", {}, told(value), element("span", { class: "meaning" }, ...spelled(data.meanings[name] ?? ""))),
    ),
  );
  return [element("h3", {}, rendered ? "As rendered" : "What is known"), element("dl", { class: "facts" }, ...lines)];
}

function findingOf(finding) {
  return element(
    "li",
    {},
    element(
      "p",
      {},
      element("span", { class: `badge ${finding.severity}` }, finding.severity),
      " ",
      element("a", { href: `#${finding.rule}` }, finding.rule),
      `: ${finding.message}`,
    ),
    placeOf(finding),
    evidenceOf(finding),
  );
}

function viewOf(row) {
  const list = row.findings.map(findingOf);
  return [
    element("p", {}, "Verdict: ", element("strong", {}, row.verdict), " · ", external(row.url, "Open the URL")),
    element("h3", {}, list.length ? `${list.length === 20 ? "The first 20 findings" : "Findings"}` : "No findings"),
    list.length ? element("ul", { class: "examples" }, ...list) : null,
    ...factsOf(row, false),
    ...factsOf(row, true),
  ];
}

function missing() {
  const many = `${integer.format(known.size)} of ${integer.format(data.listed)} listed URLs`;
  return [element("p", {}, `This page holds ${many}, and this one is not among them. Look for it in urls.csv and findings.csv.`)];
}

/** Opens the view of a URL. */
function openUrl(url) {
  const row = known.get(url);
  const close = element("button", { type: "button", class: "close" }, "Close");
  close.addEventListener("click", () => dialog.close());
  const body = row ? viewOf(row) : missing();
  dialog.replaceChildren(
    element("div", { class: "dialog-head" }, element("h2", { id: "one-title", class: "url", tabindex: -1, autofocus: "" }, url), close),
    ...body.filter(Boolean),
  );
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

function startView() {
  dialog.addEventListener("close", () => {
    if (location.hash.startsWith("#url=")) history.replaceState(null, "", "#urls");
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
}
