// Long lists, of which only the rows on the screen are made, and trees that are moved in by keys.

import { h } from "./dom.js";

/** The height of a row of a long list, in pixels; `--row` in the stylesheet. */
export const rowHeight = 26;

/** The first and the last row, exclusive, that are made of a list that is scrolled to `top`. */
export function visibleRows(count, { top = 0, height = 400 } = {}) {
  const spare = 4;
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + spare);
  return { first: Math.max(0, Math.min(Math.floor(top / rowHeight) - spare, last - 1)), last: Math.max(0, last) };
}

/** Where a list is to be scrolled to so that a row is seen: as little as that takes. */
export function scrolledTo(index, top, height) {
  const at = index * rowHeight;
  if (at < top) return at;
  return at + rowHeight > top + height ? at + rowHeight - height : top;
}

const revealed = new WeakMap();
const sizes = typeof ResizeObserver === "undefined" ? null
  : new ResizeObserver((changes) => changes.forEach(({ target }) => target.onscroll?.({ currentTarget: target })));

/**
 * A list whose rows have one height.
 * @param {{view: string, count: number, row: (index: number) => any, props?: object,
 *   reveal?: {of: any, index: number}}} options a row is revealed when it is that of something else than before
 */
export function longList(state, context, { view, count, row, props, reveal }) {
  const { first, last } = visibleRows(count, state.scroll[view]);
  const rows = [];
  for (let index = first; index < last; index++) {
    const made = row(index);
    if (made) rows.push({ ...made, props: { ...made.props, vars: { ...made.props.vars, "--top": `${index * rowHeight}px` } } });
  }
  return h("div", {
    key: view, class: "long-list", ...props,
    onscroll: ({ currentTarget: list }) =>
      context.dispatch({ type: "scrolled", view, top: list.scrollTop, height: list.clientHeight }),
    made: (list) => sizes?.observe(list),
    shown: (list) => {
      if (!reveal || revealed.get(list) === reveal.of) return;
      revealed.set(list, reveal.of);
      list.scrollTop = scrolledTo(reveal.index, list.scrollTop, list.clientHeight);
    },
  }, h("div", { class: "long-list-inside", role: "presentation", vars: { "--height": `${count * rowHeight}px` } }, rows));
}

/**
 * What a key does in a tree: a message, or nothing. Rows have path, depth, opens and open.
 * @param {{at: (index: number) => any, count: number, index: number}} tree
 */
export function treeKey(key, view, { at, count, index }) {
  const row = at(index);
  const go = (to) => (to >= 0 && to < count && at(to) ? { type: "cursor", view, path: at(to).path, index: to } : null);
  switch (key) {
    case "ArrowDown": return go(index + 1);
    case "ArrowUp": return go(Math.max(0, index - 1));
    case "Home": return go(0);
    case "End": return go(count - 1);
    case "ArrowRight":
      if (!row?.opens) return null;
      return row.open ? go(index + 1) : { type: "toggled", view, path: row.path, open: true };
    case "ArrowLeft":
      if (row?.open) return { type: "toggled", view, path: row.path, open: false };
      for (let to = index - 1; to >= 0 && at(to); to--) if (at(to).depth < row.depth) return go(to);
      return null;
    default: return null;
  }
}

/**
 * The attributes by which an element is a tree: one place for the keyboard, which moves from row to row.
 * @param {(row: any) => void} [chosen] what Enter does
 */
export function treeProps(context, { view, label, at, count, index, chosen }) {
  const selected = at(index);
  return {
    role: "tree", "aria-label": label, tabindex: 0,
    "aria-activedescendant": selected && rowId(context, view, selected.path),
    onkeydown: (event) => {
      if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return;
      let message = treeKey(event.key, view, { at, count, index });
      if (event.key === "Enter" && selected) {
        chosen?.(selected);
        if (selected.opens && !chosen) message = { type: "toggled", view, path: selected.path, open: !selected.open };
      } else if (!message) return;
      event.preventDefault();
      if (message) context.dispatch(message);
    },
  };
}

/** The id of a row of a tree. */
export const rowId = (context, view, path) => `${context.isFork ? "fork " : ""}${view} ${path}`.replace(/[^\w-]/g, (one) => `.${one.codePointAt(0).toString(36)}`);

/** The attributes and the mark of one row of a tree. */
export function treeRow(context, { view, row, selected, marked, chosen }, ...children) {
  const toggle = () => context.dispatch({ type: "toggled", view, path: row.path, open: !row.open });
  return h("div", {
    key: row.path, id: rowId(context, view, row.path), role: "treeitem", class: marked ? "row marked" : "row",
    "aria-level": row.depth, "aria-selected": String(Boolean(selected)),
    "aria-expanded": row.opens ? String(Boolean(row.open)) : null,
    vars: { "--depth": row.depth - 1 },
    onclick: (event) => {
      if (event.target.closest("button")) return;
      context.dispatch({ type: "cursor", view, path: row.path });
      if (chosen) chosen(row);
      else if (row.opens) toggle();
    },
  }, h("span", {
    class: "fold", "aria-hidden": "true",
    onclick: chosen && row.opens ? (event) => { event.stopPropagation(); toggle(); } : null,
  }, row.opens ? (row.open ? "▾" : "▸") : ""), children);
}

/** A tree of a few hundred rows, all of which are made. */
export function treeView(state, context, { view, label, rows, row }) {
  const index = Math.max(0, rows.findIndex((one) => one.path === state.cursor[view]));
  const used = state.cursor[view] !== undefined;
  const props = treeProps(context, { view, label, at: (at) => rows[at], count: rows.length, index });
  return h("div", { key: view, class: "value-tree", ...props },
    rows.map((one, at) => treeRow(context, { view, row: one, selected: used && at === index }, row(one, used && at === index))));
}
