// The fragment of the address selects a URL (#url=…), a view of the URLs (#verdict=…&sitemap=…) or of
// the findings (#finding=…&severity=…), or a rule (its id).
function followFragment() {
  const wanted = readFragment();
  if (wanted?.has("url")) {
    openUrl(wanted.get("url"));
    return;
  }
  if (dialog.open) dialog.close();
  if (["verdict", "rule", "sitemap", "search"].some((name) => wanted?.has(name))) showUrls(wanted);
  else if (wanted) showFindings(wanted);
  const rule = document.getElementById(location.hash.slice(1));
  if (rule && rule.matches(".rule")) openRule(rule);
}

startFindings();
startSitemaps();
startUrls();
startChanges();
startDownloads();
startDialog();
addEventListener("hashchange", followFragment);
// A link to the current fragment fires no event, but must open its target again.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#']");
  if (link && link.getAttribute("href") === location.hash) followFragment();
});
followFragment();
keepViews();
