// A rendering as a user interface, by convention. Every plain value has one, and nothing is hidden.

import { h, patch } from "./dom.js";
import { childPath, parsePath } from "./path.js";
import { Sinks, carried, isNumber, isSeen, openFields, plainOf, sinkName, words } from "./forms.js";
import { fractionDigits, isRounded, numberText, timeText } from "./formats.js";
import { Hints, isHint, orderOf } from "./hints.js";
import { drawPages, drawTable, pageOf, rowsInOrder } from "./tables.js";

/** Keys whose texts are headings, stand without a label, or warn. */
const headings = ["title", "heading", "name", "greeting", "question"];
const leads = ["message", "description", "summary", "text", "body"];
const alerts = ["problem", "error", "warning"];

/** Keys of those who write, of what they write, and of when. */
const authors = ["author", "from", "sender", "user", "speaker", "who"];
const writings = ["text", "message", "body"];
const times = ["at", "time", "when", "sent", "sent_at", "date"];

/** Keys that need no label. */
const seenNames = new Set((
  "rows items entries list lists columns cards messages board grid cells children branches nodes replies"
  + " screens screen content body fields values value").split(" "));

/** Lists of those below, which are no columns of a board. */
const branches = ["children", "branches", "nodes", "replies"];

/** Actions that leave or destroy: they come last and never stand out. */
const isQuiet = (key) => /^(back|cancel|clear|close|delete|finish|leave|quit|remove|reset|stop)/.test(key);

/** Actions that ask before they are sent. */
const destroys = (key) => /^(delete|destroy|drop|erase|reset|wipe)(?![a-z])/.test(key);

/** Actions that make something new, of which nothing is known yet, and those that change what there is. */
const makesNew = (name) => /^(add|append|create|insert|new)(?![a-z])/.test(name);
const changesSome = (name) => /^(change|edit|modify|put|rename|save|set|update)(?![a-z])/.test(name);

/** The longest list that is fetched whole, and the most rows of a table and of another list that are shown at once. */
const wholeList = 20_000;
const tableRows = 50;
const listRows = 200;

const isText = (slice) => typeof slice === "string" || slice?.$ === "text";
const isContainer = (slice) => slice?.$ === "list" || slice?.$ === "record";
const isSink = (slice) => slice?.$ === "sink";
const isLeaf = (slice) => !isContainer(slice) && !isSink(slice);
const isTotal = ([key]) => key === "total" || key === "sum";
const isWhole = (slice) => slice?.entries?.length === slice?.of;
const isShort = ([, slice]) => typeof slice === "string" && /^.{1,120}$/.test(slice);

/** The entries of a record without what only says how it is shown. */
const fieldsOf = (record) => record.entries?.some(([key]) => key === "$view") ? record.entries.filter((entry) => !isHint(entry)) : record.entries;

/**
 * Entries in the order of the keys in `order`. The others follow: texts before numbers, numbers before booleans, and
 * totals last.
 */
function inOrder(entries, order = []) {
  const rank = ([key, slice]) => {
    const place = order.indexOf(key);
    if (place >= 0) return place - order.length;
    return isTotal([key]) ? 4 : headings.includes(key) ? 0 : isText(slice) ? 1 : isNumber(slice) ? 2 : 3;
  };
  return entries.map((entry) => [rank(entry), entry]).sort((a, b) => a[0] - b[0]).map(([, entry]) => entry);
}

/** How the entries of a record are shown, as far as known in the order of the keys in `order`. */
export function arrange(entries, order = []) {
  const sorted = inOrder(entries, order);
  const texts = (names) => names.flatMap((name) => entries.filter(([key, slice]) => key === name && isText(slice)));
  const screen = texts(["screen"]).find(isShort);
  const heading = texts(headings).find(isShort) ?? screen;
  const [lead, alert] = [texts(leads), texts(alerts)];
  const taken = [heading, screen, ...lead, ...alert];
  const byUse = ([a], [b]) => order.includes(a) || order.includes(b) ? 0 : isQuiet(a) - isQuiet(b);
  return {
    heading, eyebrow: screen === heading ? undefined : screen, lead, alert,
    facts: sorted.filter((entry) => isLeaf(entry[1]) && !taken.includes(entry)),
    sections: sorted.filter(([, slice]) => isContainer(slice)),
    sinks: sorted.filter(([, slice]) => isSink(slice)).sort(byUse),
  };
}

/**
 * How a list is shown: "empty", "values", "actions", "board", "chat", "columns", "rows", "table", or "items" if the
 * entries differ. A hint is followed where the list can be shown so.
 */
export function listKind(entries, as) {
  if (entries.length === 0) return "empty";
  if (entries.every(isLeaf)) return "values";
  if (entries.every(isSink)) return "actions";
  if (isBoard(entries)) return "board";
  if (!entries.every((entry) => entry?.$ === "record" && isWhole(entry))) return "items";
  const rows = entries.map(fieldsOf);
  if (as === "cards" || as === "tree") return "items";
  if (as === "board" ? rows.some((fields) => fields.some(([, slice]) => isContainer(slice))) : as === undefined && isColumns(rows)) return "columns";
  const columns = columnsOf(rows);
  const keys = new Map(columns);
  const written = (names) => names.some((name) => isText(keys.get(name)));
  const areLeaves = rows.every((fields) => fields.every(([, slice]) => !isContainer(slice)));
  if (areLeaves && written(writings) && (as === "chat" || (as === undefined && written(authors)))) return "chat";
  if (areLeaves && as === "table") return "table";
  const isRow = (fields) => fields.every(([key, slice]) => isSink(slice) || (isLeaf(slice) && key !== "screen"))
    && fields.filter(([, slice]) => isLeaf(slice)).length * 2 >= columns.length;
  if (columns.length === 0 || columns.length > 12 || !rows.every(isRow)) return "items";
  return columns.length - columns.some(([, slice]) => typeof slice === "boolean") <= 1 || as === "list" ? "rows" : "table";
}

/** True if each record has one list, and little else. */
function isColumns(rows) {
  const lists = rows.map((fields) => fields.filter(([, slice]) => isContainer(slice)));
  const isList = (slice) => slice.$ === "list" || slice.of === 0;
  return rows.length > 1 && rows.length <= 12
    && lists.every((found, index) => found.length === 1 && isList(found[0][1]) && !branches.includes(found[0][0]) && found[0][0] === lists[0][0][0] && rows[index].length <= 8)
    && lists.some(([[, { entries = [] }]]) => entries.some((entry) => entry?.$ === "record"));
}

/** True if a list is a grid of marks, which may have sinks. */
function isBoard(rows) {
  const isCell = (slice) => isLeaf(slice) || isSink(slice) || (slice.$ === "record" && slice.of <= 2 && isWhole(slice)
    && [isLeaf, isSink].every((kind) => slice.entries.filter(([, value]) => kind(value)).length < 2)
    && !slice.entries.some(([, value]) => isContainer(value)));
  const width = rows[0]?.of;
  return rows.length > 1 && width > 1
    && rows.every((row) => row?.$ === "list" && row.of === width && isWhole(row) && row.entries.every(isCell));
}

/** The keys of the values in rows, each with an example. */
const columnsOf = (rows, order) => inOrder([...new Map(rows.flatMap((fields) => fields.filter(([, slice]) => isLeaf(slice))))], order);

/** Identifies rows by their sinks, so that input moves with its row. */
function rowKeys(rows) {
  const keys = rows.map((row) => {
    const sink = row?.$ === "record" && row.entries?.find(([, slice]) => isSink(slice))?.[1];
    return sink && JSON.stringify([sink.node, { ...sink.action, type: "" }]);
  });
  return new Set(keys).size === keys.length && !keys.includes(undefined) && !keys.includes(false) ? keys : keys.map((_, index) => `row ${index}`);
}

export class RenderingView {
  /** `onPick` is called when a value is clicked; `level` is the level of the first headings. */
  constructor({ request, onPick, level = 2 }) {
    const element = document.createElement("div");
    element.className = "rendering";
    element.tabIndex = -1;
    const sinks = new Sinks(request, () => this.draw());
    Object.assign(this, { level, element, sinks, request, orders: [], pages: new Map(), lists: new Map(), used: new Set() });
    element.onclick = ({ target }) => {
      const place = target.closest("[data-path]");
      if (place && !target.closest("button, input, textarea, select, label, summary, dialog")) onPick?.(place.dataset.path);
    };
  }

  /**
   * Shows a rendering. Sinks can be sent only if it is `live` and `canAct`.
   */
  show(slice, { step, live = true, canAct = true }) {
    const isNew = this.slice !== slice;
    Object.assign(this, { slice, step, enabled: live && canAct });
    if (isNew) for (const [path, page] of this.pages) this.fetch(path, page);
    if (this.asked === undefined || (this.enabled && this.asked !== this.sinks.sent)) {
      this.asked = this.sinks.sent;
      this.ask({ do: "forms" }, () => true).catch(() => ({})).then(({ forms, orders }) => {
        this.sinks.forms = forms ?? this.sinks.forms ?? [];
        this.orders = orders ?? this.orders;
        this.known = new Map();
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
    if (!this.sinks.forms) return;
    const controls = () => [...this.element.querySelectorAll("button, input, textarea, select")];
    const { activeElement } = document;
    const position = controls().indexOf(activeElement);
    this.used.clear();
    patch(this.element, this.any(this.slice, "", { level: this.level }));
    for (const kept of [this.pages, this.lists]) for (const path of kept.keys()) if (!this.used.has(path)) kept.delete(path);
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

  async fetch(path, page) {
    const shown = this.slice;
    const wanted = () => this.slice === shown && this.pages.get(path) === page;
    const request = { do: "value", of: "rendering", path, step: this.step, depth: 4 };
    try {
      let { slice } = await this.ask({ ...request, limit: page.limit }, wanted);
      // A host gives a part of a long list at a time.
      while (wanted() && slice?.entries?.length > 0 && slice.entries.length < Math.min(slice.of, page.limit)) {
        const from = slice.entries.length;
        const { slice: more } = await this.ask({ ...request, from, limit: page.limit - from }, wanted);
        if (!more?.entries?.length) break;
        slice = { ...slice, entries: [...slice.entries, ...more.entries] };
      }
      if (!wanted()) return;
      page.slice = slice;
      this.draw();
    } catch { /* the part that is there stays */ }
  }

  /** A slice with the parts that were requested since. */
  whole(slice, path) {
    const more = this.pages.get(path)?.slice;
    this.used.add(path);
    if (slice.$ === "text") return isText(more) ? more : slice;
    const { entries = [] } = slice;
    return more?.$ === slice.$ ? { ...slice, entries: [...entries, ...(more.entries ?? []).slice(entries.length)].slice(0, slice.of) } : slice;
  }

  /** The hints of a record, which may have been cut as other values are. */
  hintsOf(entries, path, above) {
    const slice = entries.find(isHint)?.[1];
    if (!slice) return new Hints(undefined, above);
    const place = childPath(path, "$view");
    const { entries: known } = this.whole(slice, place);
    if (!known && !this.pages.has(place) && this.pages.size < 50) this.want(place, 100);
    return new Hints(known && { ...slice, entries: known }, above);
  }

  /** The order of keys: that of the hints, and else that of the code. */
  orderFor(keys, hints) {
    const name = keys.join("\n");
    if (!this.known || this.known.size > 1000) this.known = new Map();
    const { known } = this;
    if (!known.has(name)) known.set(name, orderOf(keys, this.orders));
    return hints.order.length > 0 ? [...new Set([...hints.order, ...known.get(name)])] : known.get(name);
  }

  /** How a list is sorted, filtered and turned. */
  listState(path) {
    this.used.add(path);
    if (!this.lists.has(path)) this.lists.set(path, {});
    return this.lists.get(path);
  }

  /**
   * The children that show a slice. One that cannot be shown takes no other with it. `about` has the `level` of the
   * headings, and of what is around the slice its `hints`, what to show it `as`, its `name`, and its `format`.
   */
  any(slice, path, about) {
    try {
      return this.parts(slice, path, { hints: new Hints(), name: "list", ...about });
    } catch (error) {
      console.error(error);
      return [h("p", { class: "quiet" }, "This value cannot be shown."), h("pre", { "data-path": path }, JSON.stringify(slice, undefined, 2))];
    }
  }

  parts(slice, path, about) {
    if (isSink(slice)) return [this.sink(slice, path, String(parsePath(path)?.at(-1) ?? ""), [sinkName("", slice.action), ...carried(slice.action)].join(" "))];
    if (isLeaf(slice)) return [this.leaf(slice, path)];
    const { of, entries } = this.whole(slice, path);
    const count = entries?.length ?? 0;
    if (count < of && of <= wholeList && !this.pages.has(path) && this.pages.size < 50) this.want(path, of);
    if (!entries && this.pages.has(path)) return [h("p", { class: "quiet" }, "…")];
    const shown = slice.$ === "record" ? this.record(entries ?? [], path, about) : this.list(entries ?? [], path, { ...about, of });
    const rest = of - count;
    return rest === 0 || this.pages.get(path)?.slice === undefined && this.pages.has(path) ? shown
      : [...shown, this.more(rest > 100 ? `100 of ${rest} more` : `${rest} more`, path, count + 100)];
  }

  more(text, path, limit) {
    return h("button", { type: "button", class: "more", onclick: () => this.want(path, limit) }, text);
  }

  /** A leaf; `shown` has its `key`, its `format` and the `digits` of its column. */
  leaf(slice, path, shown = {}) {
    const span = (kind, ...inner) => h("span", { "data-path": path, class: kind }, inner);
    if (slice === null || slice === "") return span("quiet", "–");
    if (slice.$ === "secret") return span("quiet", "•••");
    if (typeof slice === "boolean") return span(null, slice ? "Yes" : "No");
    if (isNumber(slice)) {
      const number = numberText(slice, shown);
      return h("span", { "data-path": path, class: "number", title: number.text === number.exact ? null : number.exact },
        isRounded(number) ? [h("span", null, number.text), h("span", { class: "hidden-text" }, `, exactly ${number.exact}`)] : number.text);
    }
    const text = slice.$ === "text" ? this.whole(slice, path) : slice;
    const { format = "" } = shown;
    if (typeof text !== "string") return span("long", text.start, "… ", text === slice ? this.more(`All ${text.of} bytes`, path, 100000) : `(${text.of} bytes in all)`);
    const time = timeText(text, format);
    if (time !== text) return h("span", { "data-path": path, title: text }, time);
    return span(format === "text" || !/^.{1,120}$/.test(text) ? "long" : ["link", "code"].includes(format) ? format : null, text);
  }

  /** A sink; `name` distinguishes it from others of the same action beside it. */
  sink(slice, path, name, label, options) {
    const key = JSON.stringify([slice.node, slice.action, name]);
    const asks = options?.hints?.says("confirm", name) ?? (destroys(name) || destroys(String(slice.action.type)));
    return this.sinks.draw(slice, { key, name, path, label, asks, step: this.step, enabled: this.enabled, ...options });
  }

  /** The sinks of a record, each with the value that it switches or changes. */
  acts(entries, path, { hints, order, heading }) {
    const { sinks } = arrange(entries, order);
    if (sinks.length === 0) return [];
    const isSimple = (slice) => isNumber(slice) || ["string", "boolean"].includes(typeof slice) || (slice?.$ === "list" && plainOf(slice)?.every((one) => typeof one !== "object"));
    const values = new Map(entries.filter(([key, slice]) => !isTotal([key]) && isSimple(slice)));
    const flags = entries.filter(([, slice]) => typeof slice === "boolean");
    const rows = entries.filter(([, slice]) => slice?.$ === "list").map(([, slice]) => slice.entries?.[0]).filter((row) => row?.$ === "record");
    const alike = new Map([...rows.flatMap((row) => row.entries ?? []), ...entries].filter(([key, slice]) => !isTotal([key]) && isSimple(slice)));
    const isForm = hints.as() === "form";
    return sinks.map(([key, slice]) => {
      const type = String(slice.action.type);
      const changes = changesSome(key) || changesSome(type);
      const fills = ({ name, sets }) => isForm || changes || (sets && name !== heading);
      const isNew = !isForm && (makesNew(key) || makesNew(type));
      const fields = openFields(slice, this.sinks.forms ?? [], new Map(), alike);
      const filled = isNew ? [] : fields.filter((field) => values.has(field.name) && fills(field));
      const beside = new Map(filled.map(({ name }) => [name, values.get(name)]));
      const fieldOrder = this.orderFor(fields.map(({ name }) => name), hints);
      const open = fields.map((field) => ({ ...field, value: beside.get(field.name) }));
      const checks = key === "toggle" && open.length === 0 && flags.length === 1;
      // One of several that set the same field shows which value it has.
      const given = Object.keys(slice.action).filter((name) => name !== "type");
      const isOneOfSome = given.length === 1 && sinks.some(([, other]) => other !== slice && other.action.type === slice.action.type);
      const chosen = isOneOfSome && values.has(given[0]) && values.get(given[0]) === slice.action[given[0]] ? given[0] : undefined;
      const replaces = open.length === 1 && beside.has(open[0].name) && open[0].name !== heading;
      const label = hints.label(key) ?? sinkName(key === "toggle" ? "" : key, slice.action);
      return {
        key, open, checks, beside, chosen, switched: checks && sinkName(flags[0][0], slice.action),
        target: checks ? flags[0][0] : replaces ? open[0].name : undefined,
        draw: (more) => this.sink(slice, childPath(path, key), key, label, {
          beside, alike, hints, fieldOrder, pressed: chosen !== undefined, ...more,
        }),
      };
    });
  }

  record(all, path, { level, hints: above, isColumn, isItem, isTree }) {
    const hints = this.hintsOf(all, path, above);
    const entries = fieldsOf({ entries: all });
    const order = this.orderFor(entries.map(([key]) => key), hints);
    const { heading, eyebrow, lead, alert, facts, sections } = arrange(entries, order);
    const at = (key) => childPath(path, key);
    const title = (depth) => `h${Math.min(depth, 6)}`;
    const inner = level + (heading ? 1 : 0);
    const acts = this.acts(entries, path, { hints, order, heading: heading?.[0] });
    // A form does not repeat the values that it changes, nor do buttons the value that they show as chosen.
    const held = new Set(acts.flatMap(({ open, beside, chosen }) => chosen ? [chosen] : open.length > 1 ? [...beside.keys()] : []));
    const values = [...facts, ...lead].filter(([key]) => !held.has(key));
    const owner = ([key]) => acts.find((act) => act.target === key);
    const owners = values.map(owner);
    const free = acts.filter((act) => !owners.includes(act));
    const buttons = free.filter((act) => act.open.length === 0);
    const loud = buttons.filter((act) => !isQuiet(act.key));
    const forms = free.filter((act) => act.open.length > 0);
    const stands = (act) => hints.says("primary", act.key);
    const numbers = facts.filter((entry) => isNumber(entry[1]) && values.includes(entry) && !owner(entry));
    const shownSections = sections.filter(([key]) => !held.has(key));
    const sums = shownSections.length > 0 ? numbers.filter(isTotal) : [];
    const isFigure = ([key, slice]) => !sums.some((sum) => sum[0] === key) && numberText(slice, { key, format: hints.format(key) }).text.length <= 14;
    const isProse = hints.as() === "text";
    const isTop = level === this.level;
    const figures = isTop && !isProse ? numbers.filter(isFigure).slice(0, 4) : [];
    const rest = values.filter((entry) => !figures.includes(entry) && !sums.includes(entry) && (facts.includes(entry) || owner(entry)));

    const leaf = ([key, slice], format) => this.leaf(slice, at(key), { key, format: hints.format(key) ?? format });
    const tiles = (kind, list) => list.length > 0
      && h("dl", { key: `${kind} ${list[0][0]}`, class: kind }, list.map((entry) => this.fact(entry, at(entry[0]), hints, owner(entry))));
    const isOnly = forms.length === 1 && (loud.length === 0 || forms[0].open.length > 1);
    const paragraph = (entry) => h("p", { key: entry[0] }, owner(entry)?.draw({ named: false }) ?? leaf(entry, "text"));
    const form = (act) => act.draw({ main: stands(act) ?? (isOnly && !isItem) });
    const actions = (list) => list.length > 0 && h("div", { key: `actions ${list[0].key}`, class: "actions" },
      list.map((act) => act.draw({ main: stands(act) ?? (loud.length === 1 && act === loud[0] && forms.length === 0 && !isItem) })));
    const section = ([key, slice]) => {
      const name = hints.label(key) ?? words(key);
      const as = hints.as(key) ?? (isColumn ? "cards" : branches.includes(key) ? "tree" : undefined);
      return h("section", { key: `section ${key}` },
        h(title(inner), { class: (isColumn || seenNames.has(key)) && "hidden-text" }, name),
        this.any(slice, at(key), { level: inner + 1, hints, as, name }));
    };
    // What stands before the first section in the code stands there on the page, too. A form of one field is at hand above
    // a list, and below a conversation.
    const first = shownSections.length > 0 ? order.indexOf(shownSections[0][0]) : -1;
    const isEarly = ({ key }) => first >= 0 && order.indexOf(key) >= 0 && order.indexOf(key) < first;
    const isTalk = forms.length > 0 && shownSections.some(([key, slice]) =>
      slice.$ === "list" && listKind(this.whole(slice, at(key)).entries ?? [], hints.as(key)) === "chat");
    const top = forms.filter((act) => isTalk ? false : act.open.length === 1 || isEarly(act));
    const early = buttons.filter((act) => isTree || isEarly(act));
    return [
      eyebrow && h("p", { key: "eyebrow", class: "eyebrow", "data-path": at("screen") }, words(eyebrow[1])),
      heading && h(title(level), { key: "heading", "data-path": at(heading[0]) }, heading[0] === "screen" ? words(heading[1]) : heading[1]),
      lead.filter((entry) => !owner(entry) && !held.has(entry[0])).map((entry) => h("p", { key: entry[0] }, leaf(entry))),
      alert.map((entry) => h("p", { key: entry[0], class: "alert", role: "status" }, h("b", null, hints.label(entry[0]) ?? words(entry[0])), " ", leaf(entry))),
      tiles("figures", figures), isProse ? rest.map(paragraph) : tiles("facts", rest), top.map(form), actions(early),
      shownSections.length > 1 && isTop ? h("div", { key: "sections", class: "sections" }, shownSections.map(section)) : shownSections.map(section),
      tiles(isTop ? "figures" : "facts", sums), forms.filter((act) => !top.includes(act)).map(form),
      actions(buttons.filter((act) => !early.includes(act))),
    ].flat();
  }

  /** A value with its name, or the sink that switches or replaces it. */
  fact([key, slice], path, hints, act) {
    const hidden = act?.checks || seenNames.has(key);
    const isWide = typeof slice === "string" && (slice.length > 60 || /\S{24}/.test(slice));
    return h("div", { key, class: isWide && "wide" },
      h("dt", { class: hidden && "hidden-text", "data-path": path }, hints.label(key) ?? words(key)),
      h("dd", null, act ? act.draw(act.checks ? { check: { checked: slice, label: act.switched } } : { named: !hidden })
        : this.leaf(slice, path, { key, format: hints.format(key) })));
  }

  list(entries, path, about) {
    const { level, hints, as, name, of } = about;
    const kind = listKind(entries, as);
    const at = (index) => childPath(path, index + 1);
    const state = this.listState(path);
    const change = (more) => {
      Object.assign(state, more);
      this.draw();
    };
    if (kind === "empty") return [h("p", { key: kind, class: "quiet" }, "Nothing here yet.")];
    if (kind === "board") return [this.board(entries, at)];
    if (kind === "chat") return this.chat(entries, path, about, state, change);
    const isTable = kind === "table";
    const size = isTable ? tableRows : listRows;
    const indices = rowsInOrder(entries, isTable ? state : {});
    const page = pageOf(indices, size, state);
    const pages = drawPages(page, { count: indices.length, known: entries.length, of, size, name, turn: change });
    const shown = page.shown.map((index) => entries[index]);
    const items = (kinds, draw, keys = []) => [
      h("ul", { key: kind, class: kinds }, shown.map((entry, place) => h("li", { key: keys[place] }, draw(entry, page.shown[place])))), pages,
    ];
    if (kind === "values") return items(kind, (entry, index) => this.leaf(entry, at(index)));
    const keys = rowKeys(shown);
    if (kind === "actions") {
      const isOne = new Set(entries.map(({ action }) => action.type)).size === 1;
      return items(kind, (entry, index) => this.sink(entry, at(index), String(index + 1),
        [!(isOne && carried(entry.action).some(isSeen)) && sinkName("", entry.action), ...carried(entry.action)].filter(Boolean).join(" ")), keys);
    }
    if (kind === "items" || kind === "columns") {
      const isTree = as === "tree" || entries.some((entry) => entry?.$ === "record" && entry.entries?.some(([key, slice]) => branches.includes(key) && isContainer(slice)));
      const inner = { level, hints, name, isColumn: kind === "columns", isItem: isTree || entries.length > 1, isTree };
      return items(isTree ? "items tree" : kind, (entry, index) => this.any(entry, at(index), inner), keys);
    }
    return isTable ? this.table(entries, page.shown, keys, at, { hints, name, pages, state, change })
      : items(kind, (entry, index) => this.row(entry, at(index), { hints, joined: true }).flat(), keys);
  }

  table(entries, indices, keys, at, { hints, name, pages, state, change }) {
    const rows = entries.map(fieldsOf);
    const own = this.hintsOf(entries[0].entries, at(0), hints);
    const found = columnsOf(rows);
    const keysOf = new Set([...rows[0], ...found].map(([key]) => key));
    const columns = columnsOf(rows, this.orderFor([...keysOf], own)).map(([key]) => {
      const values = indices.map((index) => rows[index].find((field) => field[0] === key)?.[1]).filter((slice) => slice !== undefined && slice !== null);
      const isRight = values.length > 0 && values.every(isNumber);
      return { key, label: own.label(key) ?? words(key), isNumber: isRight, digits: isRight ? Math.max(...values.map(fractionDigits)) : undefined };
    });
    return [drawTable({
      columns, state, change, name, pages, canSort: entries.length > 5, canFilter: entries.length > 10,
      hasActions: rows.some((fields) => fields.some(([, slice]) => isSink(slice))),
      rows: indices.map((index, place) => ({ key: keys[place], cells: this.row(entries[index], at(index), { hints, columns }) })),
    })];
  }

  /** The cells of a row, actions last. In a row without columns a checkbox is named by the text next to it. */
  row(record, path, { hints: above, columns: given, joined }) {
    const entries = fieldsOf(record);
    const hints = this.hintsOf(record.entries, path, above);
    const order = this.orderFor(entries.map(([key]) => key), hints);
    const columns = given ?? columnsOf([entries], order).map(([key]) => ({ key }));
    const values = new Map(entries);
    const acts = this.acts(entries, path, { hints, order });
    const check = acts.find((act) => act.checks);
    const text = joined && check && columns.find(({ key }) => isText(values.get(key)) && isSeen(values.get(key).start ?? values.get(key)));
    const leaf = ({ key, digits }) => values.has(key) ? this.leaf(values.get(key), childPath(path, key), { key, digits, format: hints.format(key) }) : null;
    const cells = columns.filter((column) => column !== text).map((column) => check?.target !== column.key ? leaf(column)
      : check.draw({ check: { checked: values.get(column.key), done: column.key === "done", label: text ? leaf(text) : h("span", { class: !joined && "hidden-text" }, check.switched) } }));
    const others = acts.filter((act) => act !== check).sort((a, b) => isQuiet(a.key) - isQuiet(b.key));
    return [...cells, others.length > 0 && h("span", { class: "actions" }, others.map((act) => act.draw({ small: true })))];
  }

  /** A conversation, which stays at its end. */
  chat(entries, path, { hints: above, name }, state, change) {
    const { shownFrom = Math.max(entries.length - tableRows, 0) } = state;
    const find = (names, fields) => names.map((key) => fields.find((field) => field[0] === key)).find((field) => field && isLeaf(field[1]) && field[1] !== null);
    const timeOf = (record) => find(times, fieldsOf(record))?.[1];
    // The newest is last, in whatever order the flow keeps them.
    const [start, end] = [timeOf(entries[0]), timeOf(entries.at(-1))];
    const isTurned = start !== undefined && typeof start === typeof end && start > end;
    const order = entries.map((_, index) => index);
    if (isTurned) order.reverse();
    const from = Math.min(shownFrom, Math.max(entries.length - 1, 0));
    const indices = order.slice(from);
    const keys = rowKeys(indices.map((index) => entries[index]));
    const message = (index, key) => {
      const record = entries[index];
      const place = childPath(path, index + 1);
      const hints = this.hintsOf(record.entries, place, above);
      const fields = fieldsOf(record);
      const at = (key) => childPath(place, key);
      const [author, text, time] = [authors, writings, times].map((names) => find(names, fields));
      const facts = inOrder(fields.filter((field) => isLeaf(field[1]) && ![author, text, time].includes(field)));
      const acts = this.acts(fields, place, { hints, order: this.orderFor(fields.map(([name]) => name), hints) });
      const leaf = ([key, slice]) => this.leaf(slice, at(key), { key, format: hints.format(key) ?? (isNumber(slice) && times.includes(key) && slice > 1e8 ? "datetime" : undefined) });
      return h("li", { key, class: author && /^(you|me|i)$/i.test(String(author[1])) && "own" },
        h("p", { class: "who" }, author && h("b", null, leaf(author)), author && " ", time && leaf(time)),
        h("p", { class: "said" }, text ? leaf(text) : null),
        (facts.length > 0 || acts.length > 0) && h("div", { class: "aside" },
          facts.map((field) => h("span", { key: field[0] }, hints.label(field[0]) ?? words(field[0]), " ", leaf(field))),
          h("span", { class: "actions" }, acts.map((act) => act.draw({ small: true })))));
    };
    const stay = (element) => {
      if (!element.isAway) element.scrollTop = element.scrollHeight;
    };
    const onscroll = ({ currentTarget: element }) => { element.isAway = element.scrollHeight - element.scrollTop - element.clientHeight > 48; };
    const earlier = () => change({ shownFrom: Math.max(from - tableRows, 0) });
    return [h("div", { key: "chat", class: "chat", tabindex: 0, role: "log", "aria-label": name, shown: stay, onscroll },
      from > 0 && h("button", { key: "earlier", type: "button", class: "more", onclick: earlier }, `${from} earlier`),
      h("ol", null, indices.map((index, order) => message(index, keys[order]))))];
  }

  board(rows, at) {
    const marks = rows.flatMap((row) => row.entries).map((slice) => (slice?.$ === "record" ? slice.entries.find((entry) => isLeaf(entry[1]))?.[1] : slice));
    const faults = [];
    const isUnique = (mark) => marks.filter((one) => one === mark).length === 1;
    const cell = (slice, path, place) => {
      const entries = slice?.$ === "record" ? slice.entries : [["", slice]];
      const [name, mark = ""] = entries.find((entry) => isLeaf(entry[1])) ?? [""];
      const shown = mark === "" ? null : this.leaf(mark, name ? childPath(path, name) : path);
      const [key, sink] = entries.find((entry) => isSink(entry[1])) ?? [];
      if (!sink) return h("td", null, shown);
      // A mark that is there once says which button it is; another one's place does.
      const said = typeof mark === "string" && isSeen(mark) && isUnique(mark) ? shown : entries.length === 1 && carried(sink.action).some(isSeen) ? carried(sink.action).join(" ")
        : [h("span", { class: "hidden-text" }, `${sinkName(key, sink.action)} ${place}: `), shown];
      return h("td", null, this.sink(sink, key ? childPath(path, key) : path, key, said, { faults }));
    };
    const width = rows[0].of;
    const board = h("table", { class: width > 12 ? "board many" : "board", vars: { "--columns": width } }, h("tbody", null, rows.map((row, y) =>
      h("tr", null, row.entries.map((slice, x) => cell(slice, childPath(at(y), x + 1), `row ${y + 1}, column ${x + 1}`))))));
    return h("div", { key: "board", class: "scroll" }, board, faults);
  }
}
