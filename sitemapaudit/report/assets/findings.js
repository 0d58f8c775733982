// Findings: the examples of a rule are made when it is opened; filters hide rules.
function evidenceOf(finding) {
  if (!finding.evidence) return null;
  const values = finding.evidence.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]);
  return element("details", { class: "evidence" }, element("summary", {}, "Evidence"), element("dl", {}, ...values));
}

function placeOf(finding) {
  if (!finding.sitemap) return null;
  const entry = finding.position ? `, entry ${integer.format(finding.position)}` : "";
  return element("p", { class: "muted" }, "in ", external(finding.sitemap), entry);
}

function exampleOf(finding) {
  const about = finding.url ?? finding.sitemap;
  return element(
    "li",
    {},
    element("p", {}, about ? (finding.url ? inside(about) : external(about)) : "the audit", " ", finding.message),
    finding.url ? placeOf(finding) : finding.position ? placeOf(finding) : null,
    evidenceOf(finding),
  );
}

function fill(rule) {
  const list = rule.querySelector(".examples");
  if (!list.childElementCount) list.append(...(data.examples[rule.id] ?? []).map(exampleOf));
}

/** Opens a rule, also one that the filters hide, and brings it into view. */
function openRule(rule) {
  if (rule.hidden) {
    document.getElementById("filters").reset();
    filterRules();
  }
  rule.open = true;
  fill(rule);
  rule.scrollIntoView({ block: "start" });
  rule.querySelector("summary").focus({ preventScroll: true });
}

function filterRules() {
  const chosen = new FormData(document.getElementById("filters"));
  const text = chosen.get("text").trim().toLowerCase();
  const severities = chosen.getAll("severity");
  let shown = 0;
  const rules = [...document.querySelectorAll(".rule")];
  for (const rule of rules) {
    const fits =
      severities.includes(rule.dataset.severity) &&
      ["", rule.dataset.subject].includes(chosen.get("subject")) &&
      (!text || wordsOf(rule).includes(text));
    rule.hidden = !fits;
    shown += fits;
  }
  for (const group of document.querySelectorAll(".group")) group.hidden = !group.querySelector(".rule:not([hidden])");
  const all = shown === rules.length;
  document.getElementById("filtered").textContent = all
    ? `${integer.format(shown)} rules`
    : `${integer.format(shown)} of ${integer.format(rules.length)} rules`;
}

const words = new Map();

function wordsOf(rule) {
  if (!words.has(rule.id)) {
    const own = [...rule.querySelectorAll("summary, dd")].map((each) => each.textContent);
    const examples = (data.examples[rule.id] ?? []).flatMap((each) => [each.url, each.sitemap, each.message]);
    words.set(rule.id, [...own, ...examples].join("\n").toLowerCase());
  }
  return words.get(rule.id);
}

/** Opens the rules that are shown while the page is printed. */
function openForPrinting() {
  const closed = [...document.querySelectorAll(".rule:not([hidden], [open])")];
  for (const rule of closed) {
    fill(rule);
    rule.open = true;
  }
  addEventListener("afterprint", () => closed.forEach((rule) => { rule.open = false; }), { once: true });
}

function startFindings() {
  const form = document.getElementById("filters");
  if (!form) return;
  form.addEventListener("input", filterRules);
  form.addEventListener("submit", (event) => event.preventDefault());
  for (const rule of document.querySelectorAll(".rule")) rule.addEventListener("toggle", () => fill(rule));
  addEventListener("beforeprint", openForPrinting);
  const toggle = document.getElementById("toggle-all");
  toggle.addEventListener("click", () => {
    const open = toggle.getAttribute("aria-pressed") !== "true";
    toggle.setAttribute("aria-pressed", open);
    for (const rule of document.querySelectorAll(".rule:not([hidden])")) rule.open = open;
  });
  filterRules();
}
