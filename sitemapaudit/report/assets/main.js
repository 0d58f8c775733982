// The fragment of the address selects a URL (#url=…), a verdict (#verdict=…) or a rule (its id).
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function followFragment() {
  const [, name, value] = /^#(?:(url|verdict)=)?(.*)$/.exec(location.hash) ?? [];
  if (name === "url") {
    openUrl(decode(value));
    return;
  }
  if (dialog.open) dialog.close();
  if (name === "verdict") selectVerdict(decode(value));
  const rule = value && document.getElementById(value);
  if (rule && rule.matches(".rule")) openRule(rule);
}

startCharts();
startFindings();
startSitemaps();
startUrls();
startChanges();
startDialog();
addEventListener("hashchange", followFragment);
// A link to the current fragment fires no event, but must open its target again.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#']");
  if (link && link.getAttribute("href") === location.hash) followFragment();
});
followFragment();
