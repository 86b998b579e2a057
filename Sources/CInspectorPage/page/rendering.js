// A rendering as a user interface, by convention: any plain value has one, and nothing in it is hidden.

import { h, patch } from "./dom.js";
import { childPath } from "./path.js";
import { Sinks, isNumber, openFields, words } from "./forms.js";
import { newest } from "./protocol.js";

/** Keys whose texts are headings, and those whose texts need no label; the first of them leads. */
const headings = ["title", "heading", "name", "greeting", "question"];
const leads = ["message", "description", "summary", "text", "body"];
const alerts = ["problem", "error", "warning"];

/** Keys that say nothing that one does not see. */
const plainNames = new Set(["rows", "items", "entries", "list", "screens", "screen", "content", "body", "fields", "values", "value"]);

/** Actions that lead away, or back, or destroy: they stand last, and never out. */
const isQuiet = (key) => /^(back|cancel|clear|close|delete|finish|leave|quit|remove|reset|stop)/.test(key);

const isTotal = ([key]) => key === "total" || key === "sum";
const isText = (slice) => typeof slice === "string" || slice?.$ === "text";
const isContainer = (slice) => slice?.$ === "list" || slice?.$ === "record";
const isSink = (slice) => slice?.$ === "sink";
const isLeaf = (slice) => !isContainer(slice) && !isSink(slice);

/** The entries of a record in the order in which they are shown: texts, numbers, booleans, and totals last. */
function sortedFacts(entries) {
  const rank = ([key, slice]) => isTotal([key]) ? 5 : headings.includes(key) ? 0
    : isText(slice) ? 1 : isNumber(slice) ? 2 : 3;
  return entries.map((entry, index) => [rank(entry), index, entry]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map((item) => item[2]);
}

/**
 * What the entries of a record are shown as.
 * @param {[string, any][]} entries
 */
export function arrange(entries) {
  const texts = (names) => names.map((name) => entries.find(([key, slice]) => key === name && isText(slice))).filter(Boolean);
  const short = ([, slice]) => typeof slice === "string" && slice !== "" && slice.length <= 120 && !slice.includes("\n");
  const screen = texts(["screen"]).find(short);
  const heading = texts(headings).find(short) ?? screen;
  const lead = texts(leads);
  const alert = texts(alerts);
  const taken = [heading, screen, ...lead, ...alert];
  const facts = sortedFacts(entries.filter((entry) => isLeaf(entry[1]) && !taken.includes(entry)));
  return {
    heading, eyebrow: screen === heading ? undefined : screen, lead, alert, facts,
    sections: entries.filter(([, slice]) => isContainer(slice)), sinks: entries.filter(([, slice]) => isSink(slice)),
  };
}

/** How a list is shown: "empty", "values", "board", "rows", "table", or "items" if its entries have little in common. */
export function listKind(entries) {
  if (entries.length === 0) return "empty";
  if (entries.every(isLeaf)) return "values";
  if (isBoard(entries)) return "board";
  const records = entries.every((entry) => entry.$ === "record" && entry.entries && entry.of === entry.entries.length);
  if (!records) return "items";
  const columns = columnsOf(entries);
  const alike = entries.every(({ entries: fields }) =>
    fields.every(([key, slice]) => !isContainer(slice) && (key !== "screen" || isSink(slice)))
    && fields.filter(([, slice]) => isLeaf(slice)).length * 2 >= columns.length);
  if (!alike || columns.length === 0 || columns.length > 12) return "items";
  return columns.filter(([, slice]) => typeof slice !== "boolean").length <= 1 && columns.length <= 2 ? "rows" : "table";
}

function isBoard(entries) {
  const cell = (slice) => isLeaf(slice) || (slice.$ === "record" && slice.entries && slice.of <= 2
    && slice.entries.every(([, value]) => !isContainer(value)) && slice.entries.filter(([, value]) => isLeaf(value)).length < 2);
  return entries.length > 1 && entries.every((row) => row.$ === "list" && row.of > 1 && row.of === entries[0].of
    && row.entries?.length === row.of && row.entries.every(cell));
}

/** The keys of the values in records, each with one of its values. */
function columnsOf(records) {
  const columns = new Map(records.flatMap((record) => record.entries.filter(([, slice]) => isLeaf(slice))));
  return sortedFacts([...columns]);
}

/** Tells rows apart by what their sinks do, so that what is typed moves with its row. */
function rowKeys(entries) {
  const keys = entries.map((entry) => {
    const sink = entry?.entries?.find(([, slice]) => isSink(slice))?.[1];
    return sink && JSON.stringify([sink.node, { ...sink.action, type: "" }]);
  });
  return new Set(keys).size === keys.length && !keys.includes(undefined) ? keys : keys.map((_, index) => `row ${index}`);
}

export class RenderingView {
  /**
   * @param {{request: (message: object) => Promise<any>, onPick?: (path: string) => void, level?: number}} options
   *   `onPick` is called when a value is clicked; `level` is that of the first headings
   */
  constructor({ request, onPick, level = 2 }) {
    Object.assign(this, { level, ask: newest({ request }), pages: new Map(), used: new Set() });
    this.element = viewElement();
    this.sinks = new Sinks(request, () => this.draw());
    if (onPick) {
      this.element.onclick = ({ target }) => {
        const place = target.closest("[data-path]");
        if (place && !target.closest("button, input, textarea, label, select")) onPick(place.dataset.path);
      };
    }
  }

  /**
   * @param {any} slice the rendering
   * @param {{step: number, live?: boolean, canAct?: boolean}} options without both of them, nothing can be sent
   */
  show(slice, { step, live = true, canAct = true }) {
    const known = this.step === step;
    Object.assign(this, { slice, step, enabled: live && canAct });
    if (!known) for (const [path, page] of this.pages) this.fetch(path, page);
    this.draw();
    if (!known && this.enabled) this.ask("forms", { do: "forms" }, ({ forms }) => {
      this.sinks.forms = forms;
      this.draw();
    }).catch(() => {});
  }

  draw() {
    const { activeElement } = document;
    const controls = [...this.element.querySelectorAll("button, input, textarea")];
    const position = controls.indexOf(activeElement);
    this.used.clear();
    patch(this.element, this.any(this.slice, "", this.level));
    for (const path of this.pages.keys()) if (!this.used.has(path)) this.pages.delete(path);
    this.sinks.end();
    // The focus stays near a control that is gone.
    if (position >= 0 && !activeElement.isConnected) {
      const left = this.element.querySelectorAll("button, input, textarea");
      (left[Math.min(position, left.length - 1)] ?? this.element).focus();
    }
  }

  /** Asks for entries of a value that were left out. */
  fetch(path, page) {
    page.pending = true;
    const message = { do: "value", of: "rendering", path, step: this.step, from: 0, limit: page.limit, depth: 3 };
    this.ask(path, message, ({ slice }) => {
      page.slice = slice;
      this.draw();
    }).catch(() => {});
  }

  want(path, limit) {
    const page = { limit, slice: this.pages.get(path)?.slice };
    this.pages.set(path, page);
    this.fetch(path, page);
  }

  /** A slice with what was asked for since. */
  whole(slice, path) {
    const page = this.pages.get(path);
    this.used.add(path);
    if (slice.$ === "text" && isText(page?.slice)) return page.slice.start ?? page.slice;
    if (page?.slice?.$ !== slice.$) return slice;
    const { entries = [] } = slice;
    return { ...slice, entries: [...entries, ...(page.slice.entries ?? []).slice(entries.length)].slice(0, slice.of) };
  }

  any(slice, path, level) {
    if (isSink(slice)) return [this.sink(slice, path, words(slice.action.type))];
    if (!isContainer(slice)) return [this.leaf(slice, path)];
    const whole = this.whole(slice, path);
    if (!whole.entries) {
      if (!this.pages.has(path) && this.pages.size < 50) this.want(path, 50);
      if (this.pages.has(path)) return [h("p", { class: "quiet" }, "…")];
    }
    const { entries = [] } = whole;
    const shown = whole.$ === "record" ? this.record(entries, path, level) : this.list(entries, path, level);
    const rest = whole.of - entries.length;
    const more = h("button", { type: "button", class: "more", onclick: () => this.want(path, entries.length + 100) },
      rest > 100 ? `100 of ${rest} more` : `${rest} more`);
    return rest > 0 ? [...shown, more] : shown;
  }

  leaf(slice, path) {
    const props = { "data-path": path };
    if (slice === null || slice === "") return h("span", { ...props, class: "quiet" }, "–");
    if (slice.$ === "secret") return h("span", { ...props, class: "quiet" }, "•••");
    if (typeof slice === "boolean") return h("span", props, slice ? "Yes" : "No");
    if (isNumber(slice)) return h("span", { ...props, class: "number" }, slice.text ?? String(slice));
    if (typeof slice === "string") return h("span", { ...props, class: slice.length > 120 || slice.includes("\n") ? "long" : undefined }, slice);
    const text = this.whole(slice, path);
    if (typeof text === "string") return h("span", { ...props, class: "long" }, text);
    return h("span", { ...props, class: "long" }, slice.start, "… ",
      h("button", { type: "button", class: "more", onclick: () => this.want(path, 100000) }, `All ${slice.of} bytes`));
  }

  sink(slice, path, label, options = {}) {
    const name = path.match(/[^.[]*$/)[0];
    return this.sinks.draw(slice, { key: JSON.stringify([slice.node, slice.action, name]), name, path, label, step: this.step, enabled: this.enabled, ...options });
  }

  /** The sinks of a record, with the values that stand beside them. */
  beside(entries, path) {
    const beside = new Map(entries.filter(([, slice]) => isNumber(slice) || ["string", "boolean"].includes(typeof slice)));
    const booleans = entries.filter(([, slice]) => typeof slice === "boolean");
    const sinks = entries.filter((entry) => isSink(entry[1])).sort(([a], [b]) => isQuiet(a) - isQuiet(b));
    return sinks.map(([key, slice]) => {
      const open = openFields(slice, this.sinks.forms, beside);
      const toggles = key === "toggle" && open.length === 0 && booleans.length === 1 ? booleans[0][0] : undefined;
      const label = words(key === "toggle" ? slice.action.type : key);
      const draw = (more) => this.sink(slice, childPath(path, key), label, { beside, ...more });
      return { key, open, toggles, field: open.length === 1 && beside.has(open[0].name) ? open[0].name : undefined, draw };
    });
  }

  record(entries, path, level) {
    const { heading, eyebrow, lead, alert, facts, sections } = arrange(entries);
    const at = (key) => childPath(path, key);
    const tag = `h${Math.min(level, 6)}`;
    const inner = heading ? level + 1 : level;
    const sinks = this.beside(entries, path);
    const own = new Map();
    for (const sink of sinks) {
      const name = sink.toggles ?? sink.field;
      if (name !== undefined && !own.has(name) && (facts.some(([key]) => key === name) || lead.some(([key]) => key === name))) own.set(name, sink);
    }
    const free = sinks.filter((sink) => ![...own.values()].includes(sink));
    const forms = free.filter((sink) => sink.open.length > 0);
    const buttons = free.filter((sink) => sink.open.length === 0);
    const numbers = facts.filter(([key, slice]) => isNumber(slice) && !own.has(key));
    const sums = sections.length > 0 ? numbers.filter(isTotal) : [];
    const figures = numbers.filter((entry) => !sums.includes(entry));
    const section = ([key, slice]) => h("section", { key: `section ${key}` },
      h(`h${Math.min(inner, 6)}`, { class: plainNames.has(key) ? "hidden-text" : undefined }, words(key)), this.any(slice, at(key), inner + 1));
    const fact = ([key, slice]) => {
      const sink = own.get(key);
      const label = sink?.toggles && [words(key)];
      return h("div", { key, class: isText(slice) ? key : undefined }, h("dt", { class: (label || plainNames.has(key)) && "hidden-text", "data-path": at(key) }, words(key)),
        h("dd", null, sink ? sink.draw(label ? { check: { checked: slice, label } } : { named: !plainNames.has(key) }) : this.leaf(slice, at(key))));
    };
    const loud = buttons.filter((sink) => !isQuiet(sink.key));
    const form = (sink) => sink.draw({ main: forms.length === 1 && loud.length === 0 });
    const early = forms.filter((sink) => sink.open.length === 1);
    const late = forms.filter((sink) => sink.open.length > 1);
    const rest = [...facts, ...lead.filter(([key]) => own.has(key))].filter((entry) => !numbers.includes(entry));
    const tiles = (key, list) => list.length > 0 && h("dl", { key, class: "figures" }, list.map(fact));
    return [
      eyebrow && h("p", { key: "eyebrow", class: "eyebrow", "data-path": at("screen") }, words(eyebrow[1])),
      heading && h(tag, { key: "heading", "data-path": at(heading[0]) }, heading[0] === "screen" ? words(heading[1]) : heading[1]),
      lead.filter(([key]) => !own.has(key)).map(([key, slice]) => h("p", { key, class: "lead" }, this.leaf(slice, at(key)))),
      alert.map(([key, slice]) => h("p", { key, class: "alert", role: "status" }, h("b", null, words(key)), " ", this.leaf(slice, at(key)))),
      tiles("figures", figures),
      rest.length > 0 && h("dl", { key: "facts", class: "facts" }, rest.map(fact)),
      early.map(form), sections.map(section), tiles("totals", sums), late.map(form),
      buttons.length > 0 && h("div", { key: "actions", class: "actions" },
        buttons.map((sink) => sink.draw({ main: loud.length === 1 && loud[0] === sink && early.length === 0 }))),
    ].flat().filter(Boolean);
  }

  list(entries, path, level) {
    const kind = listKind(entries);
    const at = (index) => childPath(path, index + 1);
    if (kind === "empty") return [h("p", { key: "none", class: "quiet" }, "Nothing here yet.")];
    if (kind === "values") return [h("ul", { key: kind, class: "values" }, entries.map((entry, index) => h("li", null, this.leaf(entry, at(index)))))];
    if (kind === "board") return [this.board(entries, at)];
    const keys = rowKeys(entries);
    if (kind === "items") {
      return [h("ul", { key: kind, class: "items" }, entries.map((entry, index) => h("li", { key: keys[index] }, this.any(entry, at(index), level))))];
    }
    const columns = columnsOf(entries).map(([key]) => key);
    const rows = entries.map((entry, index) => this.row(entry.entries, at(index), columns, kind === "rows"));
    if (kind === "rows") {
      return [h("ul", { key: kind, class: "rows" }, rows.map(({ cells, actions, done }, index) =>
        h("li", { key: keys[index], class: done && "done" }, cells.map(([, cell]) => cell), actions)))];
    }
    const acts = rows.some((row) => row.actions);
    return [h("table", { key: kind }, h("thead", null, h("tr", null, columns.map((key) => h("th", { scope: "col" }, words(key))),
      acts && h("th", { scope: "col" }, h("span", { class: "hidden-text" }, "Actions")))),
    h("tbody", null, rows.map(({ cells, actions, done }, index) => h("tr", { key: keys[index], class: done && "done" },
      cells.map(([key, cell]) => h("td", { "data-label": words(key) }, cell)), acts && h("td", null, actions)))))];
  }

  /** The cells of a row, and its actions. In a row without columns a checkbox is named by the text beside it. */
  row(entries, path, columns, joined) {
    const values = new Map(entries);
    const sinks = this.beside(entries, path);
    const checks = sinks.find((sink) => sink.toggles);
    const text = joined && columns.find((key) => isText(values.get(key)));
    const cells = columns.filter((key) => !(joined && checks && key === text)).map((key) => {
      const slice = values.get(key);
      const leaf = slice === undefined ? undefined : this.leaf(slice, childPath(path, key));
      if (checks?.toggles !== key) return [key, leaf];
      const label = text ? this.leaf(values.get(text), childPath(path, text)) : h("span", { class: joined ? undefined : "hidden-text" }, words(key));
      return [key, checks.draw({ check: { checked: slice, label } })];
    });
    const others = sinks.filter((sink) => sink !== checks);
    return {
      cells, done: values.get("done") === true,
      actions: others.length > 0 && h("span", { class: "actions" }, others.map((sink) => sink.draw({ bare: true }))),
    };
  }

  board(rows, at) {
    return h("table", { key: "board", class: "board" }, h("tbody", null, rows.map((row, y) => h("tr", null, row.entries.map((cell, x) => {
      const path = childPath(at(y), x + 1);
      const entries = cell?.entries ?? [["", cell]];
      const [name, mark] = entries.find(([, slice]) => isLeaf(slice)) ?? [""];
      const sink = entries.find(([, slice]) => isSink(slice));
      const shown = mark === undefined || mark === null || mark === "" ? "" : this.leaf(mark, name ? childPath(path, name) : path);
      if (!sink) return h("td", null, shown);
      const label = [h("span", { class: "hidden-text" }, `${words(sink[0])} row ${y + 1}, column ${x + 1}: `), shown];
      return h("td", null, this.sink(sink[1], childPath(path, sink[0]), label));
    })))));
  }
}

function viewElement() {
  const element = document.createElement("div");
  element.className = "rendering";
  element.tabIndex = -1;
  return element;
}
