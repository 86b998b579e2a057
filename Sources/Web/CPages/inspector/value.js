// Values on demand: slices as rows of a tree, and as short texts.

import { h } from "./dom.js";
import { treeView } from "./list.js";
import { bare, quiet } from "./panel.js";
import { childPath } from "./path.js";
import { counted } from "./words.js";

/** The entries of a level that are shown at once. */
export const levelSize = 100;
/** The rows that are opened automatically. */
const openedRows = 40;

/** The kind of a slice: nil, boolean, number, string, text, record, list, sink or secret. */
export function kindOf(slice) {
  if (slice === null || slice === undefined) return "nil";
  return typeof slice === "object" ? slice.$ : typeof slice;
}

const isLevel = (slice) => kindOf(slice) === "record" || kindOf(slice) === "list";

/** The entries of a slice as pairs of name and slice, positions from 1; undefined if they are unknown. */
export function entriesOf(slice) {
  if (slice.$ !== "list") return slice.entries;
  return slice.entries?.map((entry, index) => [(slice.from ?? 0) + index + 1, entry]);
}

const quoted = (text) => JSON.stringify(text);
const plural = (count, one, many) => `${counted(count)} ${count === 1 ? one : many}`;

/** A slice as a short text of about `room` characters at most. */
export function inBrief(slice, room = 60) {
  switch (kindOf(slice)) {
    case "nil": return "nil";
    case "string": return slice.length > room ? `${quoted(slice.slice(0, room - 1)).slice(0, -1)}…"` : quoted(slice);
    case "text": return `${quoted(slice.start.slice(0, room - 1)).slice(0, -1)}…" (${plural(slice.of, "byte", "bytes")})`;
    case "number": return typeof slice === "object" ? slice.text : String(slice);
    case "sink": return `→ ${actionInBrief(slice.action, room)}`;
    case "secret": return "•••";
    case "record": case "list": return levelInBrief(slice, room);
    default: return String(slice);
  }
}

/** An action as a short text: `toggle { id = 1 }`. */
export function actionInBrief(action, room = 60) {
  const fields = isLevel(action) ? entriesOf(action) ?? [] : Object.entries(action ?? {});
  const type = fields.find(([name]) => name === "type")?.[1] ?? "";
  const more = fields.filter(([name]) => name !== "type").map(([name, field]) => `${name} = ${inBrief(field, 20)}`);
  const text = more.length ? `${type} { ${more.join(", ")} }` : String(type);
  return text.length > room ? `${text.slice(0, room - 1)}…` : text;
}

const sizeOf = ({ $: kind, of }) => (kind === "list" ? plural(of, "entry", "entries") : plural(of, "field", "fields"));

function levelInBrief(slice, room) {
  const list = slice.$ === "list";
  if (slice.of === 0) return list ? "{}" : "{ }";
  const parts = [];
  let left = room - 4;
  for (const [name, entry] of entriesOf(slice)?.slice(0, 8) ?? []) {
    const value = isLevel(entry) && entry.of ? "{…}" : inBrief(entry, 20);
    const part = list ? value : `${name} = ${value}`;
    left -= part.length + 2;
    if (left < 0) break;
    parts.push(part);
  }
  if (!parts.length || (list && slice.of > 8)) return sizeOf(slice);
  return `{ ${parts.join(", ")}${parts.length < slice.of ? ", …" : ""} }`;
}

/** The paths that are open by default: the first levels if they are small. */
export function openedAtFirst(slice, path) {
  const opened = new Set([path]);
  let rows = isLevel(slice) ? Math.min(slice.of, levelSize) : 0;
  let level = [[path, slice]];
  while (level.length) {
    const below = [];
    for (const [at, of] of level) {
      for (const [name, entry] of (isLevel(of) && entriesOf(of)) || []) {
        if (!isLevel(entry) || !entry.of || !entry.entries || entry.of > levelSize) continue;
        if (rows + entry.of > openedRows) continue;
        rows += entry.of;
        opened.add(childPath(at, name));
        below.push([childPath(at, name), entry]);
      }
    }
    level = below;
  }
  return opened;
}

/**
 * The visible rows of a value, from the outside in.
 * The options are the opened and closed paths, the pages of long levels, and a function that requests a level.
 */
export function valueRows(slice, { path = "", open = {}, from = {}, deeper }) {
  const rows = [];
  const first = openedAtFirst(slice, path);
  const level = (at, known, depth) => {
    const start = from[at] ?? 0;
    const has = known.entries && (known.from ?? 0) === start;
    const whole = has && start + known.entries.length >= Math.min(known.of, start + levelSize);
    const now = whole ? known : deeper(at, start);
    if (!now?.entries) {
      rows.push({ path: `${at} …`, depth, wait: true });
      return;
    }
    if (start > 0) rows.push({ path: `${at} <`, depth, at, page: Math.max(0, start - levelSize), of: now.of });
    for (const [name, entry] of entriesOf(now).slice(0, levelSize)) {
      const here = childPath(at, name);
      const opens = isLevel(entry) ? entry.of > 0 : kindOf(entry) === "text" || (typeof entry === "string" && entry.length > 60);
      const isOpen = opens && (open[here] ?? first.has(here));
      rows.push({ path: here, depth, name, slice: entry, opens, open: isOpen });
      if (isOpen && isLevel(entry)) level(here, entry, depth + 1);
    }
    const end = start + levelSize;
    if (end < now.of) rows.push({ path: `${at} >`, depth, at, page: end, of: now.of });
  };
  if (isLevel(slice)) level(path, slice, 1);
  else rows.push({ path, depth: 1, name: "", slice, opens: false });
  return rows;
}

/**
 * A value as a tree that loads on demand.
 * `request` is the request for the value; a path, a page and a depth are added to it.
 */
export function valueView(state, context, { view, label, slice, request, actions }) {
  const deeper = (path, from) =>
    context.ask(`${view} ${path}`, { ...request, path, from, limit: levelSize, depth: 2 }).value?.slice;
  const rows = valueRows(slice, { open: state.open[view], from: state.from[view], deeper });
  const row = (one, selected) => {
    if (one.wait) return "…";
    if (one.page !== undefined) {
      const last = Math.min(one.page + levelSize, one.of);
      const turn = () => context.dispatch({ type: "paged", view, path: one.at, from: one.page });
      return bare(`${counted(one.page + 1)} to ${counted(last)} of ${counted(one.of)}`, turn);
    }
    const whole = one.open && !isLevel(one.slice);
    return [
      one.name !== "" && h("span", { class: "name" }, String(one.name)),
      whole ? textInFull(one.slice)
        : one.open ? quiet(sizeOf(one.slice))
        : valueInBrief(one.slice),
      selected && h("span", { class: "row-actions" },
        bare("Copy path", () => context.copy(one.path)), actions?.(one.path)),
    ];
  };
  return treeView(state, context, { view, label, rows, row });
}

/** A slice as a short text in the colour of its kind. */
export function valueInBrief(slice, room) {
  return h("span", { class: `value ${kindOf(slice)}` }, inBrief(slice, room));
}

function textInFull(slice) {
  const text = typeof slice === "string" ? slice : slice.start;
  const rest = typeof slice === "string" ? null
    : quiet(` … the first ${counted(text.length)} characters of ${counted(slice.of)} bytes`);
  return h("span", { class: "value string whole" }, text, rest);
}
