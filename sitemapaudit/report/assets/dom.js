// All data from the site enters the page as text: it is never parsed as markup.
const data = JSON.parse(document.getElementById("data").textContent);
const integer = new Intl.NumberFormat("en");

/** Returns a count with its noun, such as `2 URLs`. */
function countNoun(number, noun) {
  return `${integer.format(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** Returns a text whose names between backticks are code. */
function withCode(text) {
  return text.split("`").map((part, at) => (at % 2 ? element("code", {}, part) : part));
}

/** Creates an element; children that are strings become text. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Returns whether a URL may be a link: http or https, and not truncated. */
function isLinkable(url) {
  return /^https?:\/\//i.test(url) && !url.includes("…");
}

/** Returns a link to the site that opens in a new tab, or plain text if the URL may not be a link. */
function siteLink(url, text = url, label = null) {
  if (!isLinkable(url)) return element("span", { class: "url" }, text);
  const attributes = { class: "url", href: url, rel: "noreferrer noopener", target: "_blank" };
  return element("a", label ? { ...attributes, "aria-label": label } : attributes, text);
}

/** Returns a link to the details of a URL if the report contains them, else to the URL itself. */
function urlLink(url) {
  if (!rowsByUrl.has(url)) return siteLink(url);
  return element("a", { class: "url", href: `#url=${encodeURIComponent(url)}` }, url);
}

/** Returns a share in percent, rounded down; only 0 gives 0.0 %, and only 1 gives 100.0 %. */
function percent(share) {
  if (share > 0 && share < 0.001) return "under 0.1 %";
  return `${(Math.floor(share * 1000 + 1e-7) / 10).toFixed(1)} %`;
}

const rowsByUrl = new Map(data.urls.map((row) => [row.url, row]));
