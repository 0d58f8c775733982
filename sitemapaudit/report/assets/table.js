// A table that can be searched, filtered and sorted, and that shows a page of its rows.
const collator = new Intl.Collator("en", { numeric: true });
const pageSizes = [10, 25, 50, 100];
const nextOrder = { none: "ascending", ascending: "descending", descending: "none" };

/** Returns a column. `value` is shown and searched; `cell` makes an element instead, and `rank` returns what to sort by. */
function column(title, value, options = {}) {
  const plain = (row) => (typeof value(row) === "number" ? integer.format(value(row)) : (value(row) ?? ""));
  return { title, value, rank: value, cell: plain, className: "", ...options };
}

function compareValues(one, other) {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return collator.compare(one ?? "", other ?? "");
}

class Table {
  filter = () => true;
  changed = () => {};

  /** Fills the table with this id. `keywords` returns more text of a row to search; `sorted` is the first order, such as [4, "descending"]. */
  constructor(id, rows, columns, noun, { keywords = () => "", sorted = [0, "none"] } = {}) {
    Object.assign(this, { rows, columns, noun, keywords, sorted, page: 0, texts: new Map() });
    this.search = element("input", { type: "search" });
    this.size = element("select", {}, ...pageSizes.map((size) => element("option", {}, String(size))));
    this.size.value = "25";
    this.status = element("p", { role: "status", class: "muted" });
    this.body = element("tbody");
    this.heads = columns.map((each, at) => this.#makeHead(each, at));
    this.turns = ["First", "Previous", "Next", "Last"].map((name) => element("button", { type: "button" }, name));
    this.#place(document.getElementById(id), noun);
    this.update();
  }

  #makeHead({ title, className }, at) {
    const button = element("button", { type: "button" }, title);
    button.addEventListener("click", () => {
      this.sorted = [at, nextOrder[this.sorted[0] === at ? this.sorted[1] : "none"]];
      this.update();
    });
    return element("th", { scope: "col", class: className }, button);
  }

  #place(table, noun) {
    const tools = element("div", { class: "table-tools" }, element("label", {}, "Search ", this.search), element("label", {}, this.size, ` ${noun}s per page`));
    const scroll = element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Table of ${noun}s` });
    const turns = element("nav", { "aria-label": `Pages of ${noun}s` }, ...this.turns);
    table.replaceWith(tools, scroll, element("div", { class: "table-tools" }, this.status, turns));
    scroll.append(table);
    table.append(element("thead", {}, element("tr", {}, ...this.heads)), this.body);
    this.search.addEventListener("input", () => this.update());
    this.size.addEventListener("input", () => this.show(0));
    const targets = [() => 0, () => this.page - 1, () => this.page + 1, () => this.lastPage];
    this.turns.forEach((button, at) => button.addEventListener("click", () => this.show(targets[at]())));
  }

  get lastPage() {
    return Math.max(Math.ceil(this.found.length / this.size.value) - 1, 0);
  }

  #textOf(row) {
    if (!this.texts.has(row)) {
      const values = this.columns.map((each) => each.value(row));
      this.texts.set(row, [...values, this.keywords(row)].join("\n").toLowerCase());
    }
    return this.texts.get(row);
  }

  /** Searches, filters and sorts again, and shows the first page. */
  update() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    this.found = this.rows.filter((row) => this.filter(row) && words.every((word) => this.#textOf(row).includes(word)));
    const [at, order] = this.sorted;
    const sign = order === "descending" ? -1 : 1;
    const { rank } = this.columns[at];
    if (order !== "none") this.found.sort((one, other) => sign * compareValues(rank(one), rank(other)));
    this.heads.forEach((head, place) => head.setAttribute("aria-sort", place === at ? order : "none"));
    this.show(0);
    this.changed();
  }

  /** Shows a page of the rows that were found. */
  show(page) {
    this.page = page;
    const first = page * this.size.value;
    const shown = this.found.slice(first, first + Number(this.size.value));
    const cells = (row) => this.columns.map(({ cell, className }) => element("td", { class: className }, cell(row)));
    this.body.replaceChildren(...shown.map((row) => element("tr", {}, ...cells(row))));
    this.status.textContent = this.#describe(first, shown.length);
    this.turns.forEach((button, at) => { button.disabled = at < 2 ? page === 0 : page >= this.lastPage; });
  }

  #describe(first, shown) {
    const { rows, found, noun } = this;
    if (!found.length) return rows.length ? `No matching ${noun}s` : `No ${noun}s`;
    const all = found.length < rows.length ? ` (filtered from ${integer.format(rows.length)})` : "";
    return `${integer.format(first + 1)} to ${integer.format(first + shown)} of ${countNoun(found.length, noun)}${all}`;
  }
}

/** Fills a select element with the values that occur. */
function fillChoice(choice, values) {
  const present = new Set([...choice.options].map((option) => option.value));
  for (const value of new Set(values)) if (!present.has(value)) choice.append(element("option", {}, value));
}

/** Fills a select element with the values of the rows, and filters the table by it. */
function filterBy(choice, table, valueOf) {
  fillChoice(choice, table.rows.map(valueOf));
  table.filter = (row) => ["", valueOf(row)].includes(choice.value);
  choice.addEventListener("input", () => table.update());
}
