// A rendering as a user interface, by convention. Every plain value has one, and nothing is hidden.

import { h, patch } from "./dom.js";
import { childPath, parsePath } from "./path.js";
import { Sinks, isNumber, isSeen, openFields, sinkName, words } from "./forms.js";

/** Keys whose texts are headings, stand without a label, or warn. */
const headings = ["title", "heading", "name", "greeting", "question"];
const leads = ["message", "description", "summary", "text", "body"];
const alerts = ["problem", "error", "warning"];

/** Keys that need no label. */
const seenNames = new Set("rows items entries list screens screen content body fields values value".split(" "));

/** Actions that leave or destroy: they come last and never stand out. */
const isQuiet = (key) => /^(back|cancel|clear|close|delete|finish|leave|quit|remove|reset|stop)/.test(key);

/** Actions that make something new, of which nothing is known yet. */
const makesNew = (name) => /^(add|append|create|insert|new)(?![a-z])/.test(name);

const isText = (slice) => typeof slice === "string" || slice?.$ === "text";
const isContainer = (slice) => slice?.$ === "list" || slice?.$ === "record";
const isSink = (slice) => slice?.$ === "sink";
const isLeaf = (slice) => !isContainer(slice) && !isSink(slice);
const isTotal = ([key]) => key === "total" || key === "sum";

/** Texts come before numbers, numbers before booleans, and totals last. */
function inOrder(entries) {
  const rank = ([key, slice]) => isTotal([key]) ? 4 : headings.includes(key) ? 0 : isText(slice) ? 1 : isNumber(slice) ? 2 : 3;
  return entries.toSorted((a, b) => rank(a) - rank(b));
}

/** How the entries of a record are shown. */
export function arrange(entries) {
  const texts = (names) => names.flatMap((name) => entries.filter(([key, slice]) => key === name && isText(slice)));
  const isShort = ([, slice]) => typeof slice === "string" && /^.{1,120}$/.test(slice);
  const screen = texts(["screen"]).find(isShort);
  const heading = texts(headings).find(isShort) ?? screen;
  const [lead, alert] = [texts(leads), texts(alerts)];
  const taken = [heading, screen, ...lead, ...alert];
  return {
    heading, eyebrow: screen === heading ? undefined : screen, lead, alert,
    facts: inOrder(entries.filter((entry) => isLeaf(entry[1]) && !taken.includes(entry))),
    sections: entries.filter(([, slice]) => isContainer(slice)),
    sinks: entries.filter(([, slice]) => isSink(slice)).sort(([a], [b]) => isQuiet(a) - isQuiet(b)),
  };
}

/** How a list is shown: "empty", "values", "actions", "board", "rows", "table", or "items" if the entries differ. */
export function listKind(entries) {
  if (entries.length === 0) return "empty";
  if (entries.every(isLeaf)) return "values";
  if (entries.every(isSink)) return "actions";
  if (isBoard(entries)) return "board";
  if (!entries.every((entry) => entry?.$ === "record" && entry.entries?.length === entry.of)) return "items";
  const columns = columnsOf(entries);
  const isRow = ({ entries: fields }) => fields.every(([key, slice]) => isSink(slice) || (isLeaf(slice) && key !== "screen"))
    && fields.filter(([, slice]) => isLeaf(slice)).length * 2 >= columns.length;
  if (columns.length === 0 || columns.length > 12 || !entries.every(isRow)) return "items";
  return columns.length - columns.some(([, slice]) => typeof slice === "boolean") <= 1 ? "rows" : "table";
}

/** True if a list is a grid of marks, which may have sinks. */
function isBoard(rows) {
  const isCell = (slice) => isLeaf(slice) || (slice.$ === "record" && slice.of <= 2 && slice.entries?.length === slice.of
    && [isLeaf, isSink].every((kind) => slice.entries.filter(([, value]) => kind(value)).length < 2)
    && !slice.entries.some(([, value]) => isContainer(value)));
  const width = rows[0]?.of;
  return rows.length > 1 && width > 1
    && rows.every((row) => row?.$ === "list" && row.of === width && row.entries?.length === width && row.entries.every(isCell));
}

/** The keys of the values in records, each with an example. */
const columnsOf = (records) => inOrder([...new Map(records.flatMap(({ entries }) => entries.filter(([, slice]) => isLeaf(slice))))]);

/** Identifies rows by their sinks, so that input moves with its row. */
function rowKeys(rows) {
  const keys = rows.map((row) => {
    const sink = row?.$ === "record" && row.entries?.find(([, slice]) => isSink(slice))?.[1];
    return sink && JSON.stringify([sink.node, { ...sink.action, type: "" }]);
  });
  return new Set(keys).size === keys.length && !keys.includes(undefined) ? keys : keys.map((_, index) => `row ${index}`);
}

export class RenderingView {
  /** `onPick` is called when a value is clicked; `level` is the level of the first headings. */
  constructor({ request, onPick, level = 2 }) {
    const element = document.createElement("div");
    element.className = "rendering";
    element.tabIndex = -1;
    const sinks = new Sinks(request, () => this.draw());
    Object.assign(this, { level, element, sinks, request, pages: new Map(), used: new Set() });
    element.onclick = ({ target }) => {
      const place = target.closest("[data-path]");
      if (place && !target.closest("button, input, textarea, label")) onPick?.(place.dataset.path);
    };
  }

  /**
   * Shows a rendering. Sinks can be sent only if it is `live` and `canAct`.
   */
  show(slice, { step, live = true, canAct = true }) {
    const isNew = this.slice !== slice;
    Object.assign(this, { slice, step, enabled: live && canAct });
    if (isNew) for (const [path, page] of this.pages) this.fetch(path, page);
    if (this.enabled && this.asked !== this.sinks.sent) {
      this.asked = this.sinks.sent;
      this.ask({ do: "forms" }, () => true).catch(() => ({})).then(({ forms }) => {
        this.sinks.forms = forms ?? this.sinks.forms ?? [];
        this.draw();
      });
    }
    this.draw();
  }

  /** The answer to a question. One that is lost is asked again after a pause while it is `wanted`. */
  ask(message, wanted) {
    return this.request(message).catch(async (error) => {
      if (error.code !== "connection" || !wanted()) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return this.ask(message, wanted);
    });
  }

  draw() {
    // A button that becomes a form is not shown before.
    if (this.enabled && !this.sinks.forms) return;
    const controls = () => [...this.element.querySelectorAll("button, input, textarea")];
    const { activeElement } = document;
    const position = controls().indexOf(activeElement);
    this.used.clear();
    patch(this.element, this.any(this.slice, "", this.level));
    for (const path of this.pages.keys()) if (!this.used.has(path)) this.pages.delete(path);
    this.sinks.end();
    // The focus stays near a removed control.
    if (position >= 0 && !activeElement.isConnected) (controls()[position] ?? controls().pop() ?? this.element).focus();
  }

  /** Requests the rest of a cut value. */
  want(path, limit) {
    const page = { limit, slice: this.pages.get(path)?.slice };
    this.pages.set(path, page);
    this.fetch(path, page);
  }

  fetch(path, page) {
    const shown = this.slice;
    const wanted = () => this.slice === shown && this.pages.get(path) === page;
    this.ask({ do: "value", of: "rendering", path, step: this.step, limit: page.limit }, wanted).then(({ slice }) => {
      if (!wanted()) return;
      page.slice = slice;
      this.draw();
    }, () => {});
  }

  /** A slice with the parts that were requested since. */
  whole(slice, path) {
    const more = this.pages.get(path)?.slice;
    this.used.add(path);
    if (slice.$ === "text") return isText(more) ? more : slice;
    const { entries = [] } = slice;
    return more?.$ === slice.$ ? { ...slice, entries: [...entries, ...(more.entries ?? []).slice(entries.length)].slice(0, slice.of) } : slice;
  }

  /** The children that show a slice. One that cannot be shown takes no other with it. */
  any(slice, path, level) {
    try {
      return this.parts(slice, path, level);
    } catch (error) {
      console.error(error);
      return [h("p", { class: "quiet" }, "This value cannot be shown."), h("pre", { "data-path": path }, JSON.stringify(slice, undefined, 2))];
    }
  }

  parts(slice, path, level) {
    if (isSink(slice)) {
      const { type, ...fields } = slice.action;
      return [this.sink(slice, path, String(parsePath(path)?.at(-1) ?? ""), [sinkName("", { type }), ...Object.values(fields).filter((one) => typeof one !== "object")].join(" "))];
    }
    if (isLeaf(slice)) return [this.leaf(slice, path)];
    const { of, entries } = this.whole(slice, path);
    if (!entries && !this.pages.has(path) && this.pages.size < 50) this.want(path, 50);
    if (!entries && this.pages.has(path)) return [h("p", { class: "quiet" }, "…")];
    const count = entries?.length ?? 0;
    const shown = slice.$ === "record" ? this.record(entries ?? [], path, level) : this.list(entries ?? [], path, level);
    const rest = of - count;
    return rest === 0 ? shown
      : [...shown, this.more(rest > 100 ? `100 of ${rest} more` : `${rest} more`, path, count + 100)];
  }

  more(text, path, limit) {
    return h("button", { type: "button", class: "more", onclick: () => this.want(path, limit) }, text);
  }

  leaf(slice, path) {
    const span = (kind, ...shown) => h("span", { "data-path": path, class: kind }, shown);
    if (slice === null || slice === "") return span("quiet", "–");
    if (slice.$ === "secret") return span("quiet", "•••");
    if (typeof slice === "boolean") return span(null, slice ? "Yes" : "No");
    if (isNumber(slice)) return span("number", slice.text ?? String(slice));
    const text = slice.$ === "text" ? this.whole(slice, path) : slice;
    if (typeof text === "string") return span(/^.{1,120}$/.test(text) ? null : "long", text);
    return span("long", text.start, "… ", text === slice ? this.more(`All ${text.of} bytes`, path, 100000) : `(${text.of} bytes in all)`);
  }

  /** A sink; `name` distinguishes it from others of the same action beside it. */
  sink(slice, path, name, label, options) {
    const key = JSON.stringify([slice.node, slice.action, name]);
    return this.sinks.draw(slice, { key, name, path, label, step: this.step, enabled: this.enabled, ...options });
  }

  /** The sinks of a record, each with the value that it switches or changes. */
  acts(entries, path) {
    const values = new Map(entries.filter(([key, slice]) => !isTotal([key]) && (isNumber(slice) || ["string", "boolean"].includes(typeof slice))));
    const flags = entries.filter(([, slice]) => typeof slice === "boolean");
    return arrange(entries).sinks.map(([key, slice]) => {
      const beside = makesNew(key) || makesNew(slice.action.type) ? new Map() : values;
      const open = openFields(slice, this.sinks.forms ?? [], beside);
      const checks = key === "toggle" && open.length === 0 && flags.length === 1;
      return {
        key, open, checks, switched: checks && sinkName(flags[0][0], slice.action), target: checks ? flags[0][0] : open.length === 1 && beside.has(open[0].name) ? open[0].name : undefined,
        draw: (more) => this.sink(slice, childPath(path, key), key, sinkName(key === "toggle" ? "" : key, slice.action), { beside, ...more }),
      };
    });
  }

  record(entries, path, level) {
    const { heading, eyebrow, lead, alert, facts, sections } = arrange(entries);
    const at = (key) => childPath(path, key);
    const title = (depth) => `h${Math.min(depth, 6)}`;
    const inner = level + (heading ? 1 : 0);
    const acts = this.acts(entries, path);
    const values = [...facts, ...lead];
    const owner = ([key]) => acts.find((act) => act.target === key);
    const owners = values.map(owner);
    const free = acts.filter((act) => !owners.includes(act));
    const buttons = free.filter((act) => act.open.length === 0);
    const loud = buttons.filter((act) => !isQuiet(act.key));
    const forms = free.filter((act) => act.open.length > 0);
    const small = forms.filter((act) => act.open.length === 1);
    const numbers = facts.filter((entry) => isNumber(entry[1]) && !owner(entry));
    const sums = sections.length > 0 ? numbers.filter(isTotal) : [];
    const rest = values.filter((entry) => !numbers.includes(entry) && (facts.includes(entry) || owner(entry)));

    const fact = ([key, slice]) => {
      const act = owner([key]);
      const hidden = act?.checks || seenNames.has(key);
      return h("div", { key }, h("dt", { class: hidden && "hidden-text", "data-path": at(key) }, words(key)),
        h("dd", null, act ? act.draw(act.checks ? { check: { checked: slice, label: act.switched } } : { named: !hidden }) : this.leaf(slice, at(key))));
    };
    const tiles = (kind, list) => list.length > 0 && h("dl", { key: `${kind} ${list[0][0]}`, class: kind }, list.map(fact));
    const form = (act) => act.draw({ main: forms.length === 1 && loud.length === 0 });
    return [
      eyebrow && h("p", { key: "eyebrow", class: "eyebrow", "data-path": at("screen") }, words(eyebrow[1])),
      heading && h(title(level), { key: "heading", "data-path": at(heading[0]) }, heading[0] === "screen" ? words(heading[1]) : heading[1]),
      lead.filter((entry) => !owner(entry)).map(([key, slice]) => h("p", { key }, this.leaf(slice, at(key)))),
      alert.map(([key, slice]) => h("p", { key, class: "alert", role: "status" }, h("b", null, words(key)), " ", this.leaf(slice, at(key)))),
      tiles("figures", numbers.filter((entry) => !sums.includes(entry))), tiles("facts", rest), small.map(form),
      sections.map(([key, slice]) => h("section", { key: `section ${key}` },
        h(title(inner), { class: seenNames.has(key) && "hidden-text" }, words(key)), this.any(slice, at(key), inner + 1))),
      tiles("figures", sums), forms.filter((act) => !small.includes(act)).map(form),
      buttons.length > 0 && h("div", { key: "actions", class: "actions" },
        buttons.map((act) => act.draw({ main: loud.length === 1 && act === loud[0] && small.length === 0 }))),
    ].flat();
  }

  list(entries, path, level) {
    const kind = listKind(entries);
    const at = (index) => childPath(path, index + 1);
    const items = (kinds, draw, keys = []) =>
      [h("ul", { key: kind, class: kinds }, entries.map((entry, index) => h("li", { key: keys[index] }, draw(entry, index))))];
    if (kind === "empty") return [h("p", { key: kind, class: "quiet" }, "Nothing here yet.")];
    if (kind === "values") return items(kind, (entry, index) => this.leaf(entry, at(index)));
    if (kind === "board") return [this.board(entries, at)];
    const keys = rowKeys(entries);
    if (kind === "items" || kind === "actions") return items(kind, (entry, index) => this.any(entry, at(index), level), keys);
    const columns = columnsOf(entries).map(([key]) => key);
    const row = (entry, index) => this.row(entry.entries, at(index), columns, kind === "rows");
    if (kind === "rows") return items(kind, (entry, index) => row(entry, index).flat(), keys);
    return [h("table", { key: kind },
      h("thead", null, h("tr", null, columns.map((key) => h("th", { scope: "col" }, words(key))), h("th", { scope: "col" }, h("span", { class: "hidden-text" }, "Actions")))),
      h("tbody", null, entries.map((entry, index) => h("tr", { key: keys[index] },
        row(entry, index).map((cell, column) => h("td", { "data-label": columns[column] && words(columns[column]) }, cell))))))];
  }

  /** The cells of a row, actions last. In a row without columns a checkbox is named by the text next to it. */
  row(entries, path, columns, joined) {
    const values = new Map(entries);
    const acts = this.acts(entries, path);
    const check = acts.find((act) => act.checks);
    const text = joined && check && columns.find((key) => isText(values.get(key)) && isSeen(values.get(key).start ?? values.get(key)));
    const leaf = (key) => values.has(key) ? this.leaf(values.get(key), childPath(path, key)) : null;
    const cells = columns.filter((key) => key !== text).map((key) => check?.target !== key ? leaf(key)
      : check.draw({ check: { checked: values.get(key), done: key === "done", label: text ? leaf(text) : h("span", { class: !joined && "hidden-text" }, check.switched) } }));
    const others = acts.filter((act) => act !== check);
    return [...cells, others.length > 0 && h("span", { class: "actions" }, others.map((act) => act.draw({ bare: true })))];
  }

  board(rows, at) {
    const cell = (slice, path, place) => {
      const entries = slice?.entries ?? [["", slice]];
      const [name, mark = ""] = entries.find((entry) => isLeaf(entry[1])) ?? [""];
      const shown = mark === "" ? null : this.leaf(mark, name ? childPath(path, name) : path);
      const [key, sink] = entries.find((entry) => isSink(entry[1])) ?? [];
      return h("td", null, sink
        ? this.sink(sink, childPath(path, key), key, [h("span", { class: "hidden-text" }, `${words(key)} ${place}: `), shown]) : shown);
    };
    return h("table", { key: "board", class: "board" }, h("tbody", null, rows.map((row, y) =>
      h("tr", null, row.entries.map((slice, x) => cell(slice, childPath(at(y), x + 1), `row ${y + 1}, column ${x + 1}`))))));
  }
}
