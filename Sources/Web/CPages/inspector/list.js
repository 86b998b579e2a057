// Long lists that make only the visible rows, and trees with keyboard navigation.

import { h } from "./dom.js";

/** The height of a row of a long list, in pixels; `--row` in the stylesheet. */
export const rowHeight = 26;
const spareRows = 4;

/** The first row and the end of the rows to make for a list scrolled to `top`. */
export function visibleRows(count, { top = 0, height = 400 } = {}, each = rowHeight) {
  const last = Math.min(count, Math.ceil((top + height) / each) + spareRows);
  return { first: Math.max(0, Math.min(Math.floor(top / each) - spareRows, last - 1)), last };
}

/** The scroll position that shows a row with the least movement. */
export function scrolledTo(index, top, height, each = rowHeight) {
  const at = index * each;
  if (at < top) return at;
  return at + each > top + height ? at + each - height : top;
}

const sizes = typeof ResizeObserver === "undefined" ? null
  : new ResizeObserver((changes) => changes.forEach(({ target }) => target.onscroll?.({ currentTarget: target })));

/**
 * A list whose rows have the same height, `each`.
 * A row is revealed when its content changes. A `head` of the height `headHeight` stays above the rows.
 */
export function longList(state, context, { view, count, row, props, reveal, each = rowHeight, head, headHeight = 0 }) {
  let scroll = state.scroll[view];
  const reveals = scroll && context.revealed[view] !== reveal.of;
  if (reveals) {
    context.revealed[view] = reveal.of;
    scroll = { ...scroll, top: Math.max(0, scrolledTo(reveal.index, scroll.top, scroll.height - headHeight, each)) };
  }
  const { first, last } = visibleRows(count, scroll, each);
  const rows = [];
  for (let index = first; index < last; index++) {
    const made = row(index);
    if (made) rows.push({ ...made, props: { ...made.props, vars: { ...made.props.vars, "--top": `${index * each}px` } } });
  }
  return h("div", {
    key: view, class: `long-list ${view}-list`, ...props,
    onscroll: ({ currentTarget: { scrollTop: top, clientHeight: height } }) => context.dispatch({ type: "scrolled", view, top, height }),
    made: (list) => sizes?.observe(list),
    shown: reveals ? (list) => (list.scrollTop = scroll.top) : null,
  }, head, h("div", { class: "long-list-inside", role: "presentation", vars: { "--height": `${count * each}px` } }, rows));
}

/** The message that opens or closes a row. A row of a page keeps its index, so that the page stays known. */
const toggled = (view, row) => ({ type: "toggled", view, path: row.path, open: row.open ? false : row.place ?? true });

/** The effect of a key in a tree: a message, or nothing. Rows have path, depth, opens and open. */
export function treeKey(key, { view, at, count, index }) {
  const row = at(index);
  const go = (to) => (at(to) && !at(to).wait ? { type: "cursor", view, path: at(to).path } : null);
  switch (key) {
    case "ArrowDown": return go(index + 1);
    case "ArrowUp": return go(index - 1);
    case "Home": return go(0);
    case "End": return go(count - 1);
    case "Enter": return row?.opens ? toggled(view, row) : null;
    case "ArrowRight": return !row?.opens ? null : row.open ? go(index + 1) : toggled(view, row);
    case "ArrowLeft": {
      if (row?.open) return toggled(view, row);
      let to = index - 1;
      while (to >= 0 && at(to).depth >= row.depth) to--;
      return go(to);
    }
    default: return null;
  }
}

const rowId = (context, view, path) =>
  `${context.isFork ? "fork " : ""}${view} ${path}`.replace(/[^\w-]/g, (sign) => `.${sign.codePointAt(0).toString(36)}`);

/** The attributes of a tree or list: a single tab stop, with arrow keys between the rows. */
export function keyProps(context, { role, label, view, path, pressed }) {
  return {
    role, "aria-label": label, tabindex: 0, "aria-activedescendant": path === undefined ? null : rowId(context, view, path),
    onkeydown: (event) => {
      if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return;
      const message = pressed(event);
      if (!message) return;
      event.preventDefault();
      context.dispatch(message);
    },
  };
}

/** The attributes of a row in such an element. */
export const rowProps = (context, { role, view, path, selected }) =>
  ({ key: path, id: rowId(context, view, path), role, "aria-selected": String(Boolean(selected)) });

/** The attributes of a tree whose row at `index` has the focus. */
export const treeProps = (context, tree) => keyProps(context, {
  ...tree, role: "tree", path: tree.at(tree.index)?.path, pressed: (event) => treeKey(event.key, tree),
});

/** A row of a tree. A click opens it, or only selects it if `selects` is set. */
export function treeRow(context, { view, row, selected, marked, selects }, ...children) {
  const toggle = () => row.opens && context.dispatch(toggled(view, row));
  return h("div", {
    ...rowProps(context, { role: "treeitem", view, path: row.path, selected }), class: marked ? "row marked" : "row",
    "aria-level": row.depth, "aria-expanded": row.opens ? String(Boolean(row.open)) : null, vars: { "--depth": row.depth - 1 },
    onclick: ({ target }) => {
      if (target.closest("button")) return;
      if (!row.wait) context.dispatch({ type: "cursor", view, path: row.path });
      if (!selects || target.closest(".fold")) toggle();
    },
  }, h("span", { class: "fold", "aria-hidden": "true" }, row.opens ? (row.open ? "▾" : "▸") : ""), children);
}

/** A tree of a few hundred rows, all made. */
export function treeView(state, context, { view, label, rows, row }) {
  const cursor = state.cursor[view];
  const index = Math.max(0, rows.findIndex((one) => one.path === cursor));
  const tree = { view, label, at: (at) => rows[at], count: rows.length, index };
  return h("div", { key: view, class: "value-tree", ...treeProps(context, tree) }, rows.map((one) => {
    const selected = one.path === cursor;
    return treeRow(context, { view, row: one, selected }, row(one, selected));
  }));
}
