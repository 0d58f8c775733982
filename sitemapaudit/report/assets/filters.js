// The fragment of the address keeps what is filtered, so that a link shows the same view again.

/** Returns the names and values in the fragment; null if it has none. */
function readFragment() {
  return location.hash.includes("=") ? new URLSearchParams(location.hash.slice(1)) : null;
}

let viewsAreKept = false;

/** Starts to write views into the address, once the view that it names is shown. */
function keepViews() {
  viewsAreKept = true;
}

/** Writes a view into its link and into the address; without values, the address of its section. */
function keepView(link, section, values) {
  const chosen = Object.entries(values).filter(([, value]) => value);
  const text = chosen.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  link.href = `#${text || section}`;
  const shown = Object.keys(values).some((name) => readFragment()?.has(name));
  if (viewsAreKept && (text || shown)) history.replaceState(null, "", link.href);
}

/** Chooses a value, even if no row of the report has it. */
function choose(choice, value) {
  if (value) fillChoice(choice, [value]);
  choice.value = value;
}
