// Everything from the site enters the page here, as text: nothing is ever read as markup.
const data = JSON.parse(document.getElementById("data").textContent);
const integer = new Intl.NumberFormat("en");

/** Makes an element; children that are strings become text. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** Tells whether a link may lead there: http or https, and not cut. */
function followable(url) {
  return /^https?:\/\//i.test(url) && !url.endsWith("…");
}

/** A link to the site in a new tab, with its address or another text; mere text where none may be. */
function external(url, text = url, label = null) {
  if (!followable(url)) return element("span", { class: "url" }, text);
  const attributes = { class: "url", href: url, rel: "noreferrer noopener", target: "_blank" };
  return element("a", label ? { ...attributes, "aria-label": label } : attributes, text);
}

/** A link to the view of one URL, if the page has it, else to the URL. */
function inside(url) {
  if (!known.has(url)) return external(url);
  return element("a", { class: "url", href: `#url=${encodeURIComponent(url)}` }, url);
}

/** A share as people read it: only none is 0 %, and only all is 100 %. */
function percent(share) {
  if (share > 0 && share < 0.001) return "under 0.1 %";
  if (share > 0.999 && share < 1) return "over 99.9 %";
  return `${Number((share * 100).toFixed(1))} %`;
}

const known = new Map(data.urls.map((row) => [row.url, row]));
