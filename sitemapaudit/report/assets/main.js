// What the address of the page asks for: #url=…, #verdict=…, or the id of a rule.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function follow() {
  const [, name, value] = /^#(?:(url|verdict)=)?(.*)$/.exec(location.hash) ?? [];
  if (name === "url") {
    openUrl(decoded(value));
    return;
  }
  if (dialog.open) dialog.close();
  if (name === "verdict") chooseVerdict(decoded(value));
  const rule = value && document.getElementById(value);
  if (rule && rule.matches(".rule")) openRule(rule);
}

startCharts();
startFindings();
startSitemaps();
startUrls();
startChanges();
startView();
addEventListener("hashchange", follow);
// A link to where the page already is changes nothing, but may have to open something again.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#']");
  if (link && link.getAttribute("href") === location.hash) follow();
});
follow();
