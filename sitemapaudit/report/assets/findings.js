// The examples of a rule are created when it is opened; filters hide rules.
function makeEvidence(finding) {
  if (!finding.evidence) return null;
  const values = finding.evidence.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]);
  return element("details", { class: "evidence" }, element("summary", {}, "Evidence"), element("dl", {}, ...values));
}

function makePlace(finding) {
  if (!finding.sitemap) return null;
  const entry = finding.position ? `, entry ${integer.format(finding.position)}` : "";
  const line = finding.line ? `, line ${integer.format(finding.line)}` : "";
  return element("p", { class: "muted" }, "in ", siteLink(finding.sitemap), entry, line);
}

function makeExample(finding) {
  const about = finding.url ?? finding.sitemap;
  return element(
    "li",
    {},
    element("p", {}, about ? (finding.url ? urlLink(about) : siteLink(about)) : "the audit", " ", ...withCode(finding.message)),
    finding.url ? makePlace(finding) : finding.position ? makePlace(finding) : null,
    makeEvidence(finding),
  );
}

function fillExamples(rule) {
  const list = rule.querySelector(".examples");
  if (list.childElementCount) return;
  list.append(...(data.examples[rule.id] ?? []).map(makeExample));
  labelRule(rule);
}

/** Opens a rule and scrolls to it; resets the filters if they hide it. */
function openRule(rule) {
  if (rule.hidden) {
    document.getElementById("filters").reset();
    filterRules();
  }
  rule.open = true;
  fillExamples(rule);
  rule.scrollIntoView({ block: "start" });
  rule.querySelector("summary").focus({ preventScroll: true });
}

function filterRules() {
  const chosen = new FormData(document.getElementById("filters"));
  const text = chosen.get("text").trim().toLowerCase();
  const severities = chosen.getAll("severity");
  let visible = 0;
  const rules = [...document.querySelectorAll(".rule")];
  for (const rule of rules) {
    const matches =
      rule.dataset.severities.split(" ").some((each) => severities.includes(each)) &&
      ["", rule.dataset.subject].includes(chosen.get("subject")) &&
      (!text || searchableText(rule).includes(text));
    rule.hidden = !matches;
    visible += matches;
  }
  for (const group of document.querySelectorAll(".group")) group.hidden = !group.querySelector(".rule:not([hidden])");
  const all = visible === rules.length;
  document.getElementById("filtered").textContent = all
    ? countNoun(visible, "rule")
    : `${integer.format(visible)} of ${countNoun(rules.length, "rule")}`;
  const every = severities.length === document.querySelectorAll("#filters [name=severity]").length;
  keepView(document.getElementById("findings-link"), "findings", {
    finding: text,
    severity: every ? "" : severities.join(".") || "none",
    subject: chosen.get("subject"),
  });
}

/** Shows only the rules that a link names. */
function showFindings(wanted) {
  const form = document.getElementById("filters");
  if (!form) return;
  const severities = wanted.get("severity")?.split(".");
  form.elements.text.value = wanted.get("finding") ?? "";
  form.elements.subject.value = wanted.get("subject") ?? "";
  for (const box of form.querySelectorAll("[name=severity]")) box.checked = !severities || severities.includes(box.value);
  filterRules();
  document.getElementById("findings").scrollIntoView();
}

const searchable = new Map();

function searchableText(rule) {
  if (!searchable.has(rule.id)) {
    const own = [...rule.querySelectorAll("summary, dd")].map((each) => each.textContent);
    const examples = (data.examples[rule.id] ?? []).flatMap((each) => [each.url, each.sitemap, each.message]);
    searchable.set(rule.id, [...own, ...examples].join("\n").toLowerCase());
  }
  return searchable.get(rule.id);
}

/** Opens the visible rules and short tables while the page is printed. */
function openForPrinting() {
  document.querySelectorAll(".rule:not([hidden])").forEach(fillExamples);
  const closed = [...document.querySelectorAll(".rule:not([hidden], [open]), .printed:not([open])")];
  for (const each of closed) each.open = true;
  addEventListener("afterprint", () => closed.forEach((each) => { each.open = false; }), { once: true });
}

function startFindings() {
  const form = document.getElementById("filters");
  if (!form) return;
  form.addEventListener("input", filterRules);
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const rule of document.querySelectorAll(".rule")) rule.addEventListener("toggle", () => fillExamples(rule));
  addEventListener("beforeprint", openForPrinting);
  const toggle = document.getElementById("toggle-all");
  toggle.addEventListener("click", () => {
    const open = toggle.getAttribute("aria-pressed") !== "true";
    toggle.setAttribute("aria-pressed", open);
    for (const rule of document.querySelectorAll(".rule:not([hidden])")) rule.open = open;
  });
  filterRules();
}
