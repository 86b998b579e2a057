// Lists as tables and in pages: sorted and filtered on the page, so that a click takes no request.

import { h } from "./dom.js";
import { isNumber } from "./forms.js";
import { counted } from "./words.js";

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** A value as sorting sees it: numbers before texts, and nothing last. */
function sortKey(slice) {
  if (isNumber(slice)) return [0, Number(slice.text ?? slice)];
  if (typeof slice === "boolean") return [0, Number(slice)];
  return slice === null || slice === undefined || slice === "" ? [2, ""] : [1, slice.start ?? String(slice)];
}

function compared([kind, a], [other, b]) {
  if (kind !== other) return kind - other;
  return kind === 0 ? a - b : collator.compare(a, b);
}

/** What the filter looks for in rows. */
const texts = new WeakMap();

function textOf(row) {
  let text = texts.get(row);
  if (text === undefined) {
    const leaves = row?.entries?.map((entry) => (row.$ === "record" ? entry[1] : entry)) ?? [row];
    text = leaves.map((slice) => (isNumber(slice) ? slice.text ?? slice : slice?.start ?? (typeof slice === "object" ? "" : slice)))
      .join("\n").toLowerCase();
    if (row && typeof row === "object") texts.set(row, text);
  }
  return text;
}

/** The indices of the rows that are wanted, in the wanted order: `sort` has a `key` and may be `down`. */
export function rowsInOrder(rows, { filter = "", sort } = {}) {
  const wanted = filter.toLowerCase();
  const found = [];
  for (const [index, row] of rows.entries()) if (!wanted || textOf(row).includes(wanted)) found.push(index);
  if (!sort) return found;
  const keys = rows.map((row) => sortKey(row.entries.find(([key]) => key === sort.key)?.[1]));
  const sign = sort.down ? -1 : 1;
  // Nothing is last in both directions.
  return found.sort((a, b) => keys[a][0] === 2 || keys[b][0] === 2 ? keys[a][0] - keys[b][0] : sign * compared(keys[a], keys[b]) || a - b);
}

/** The part of a list that a page shows. */
export function pageOf(indices, size, { page = 0 } = {}) {
  const pages = Math.max(Math.ceil(indices.length / size), 1);
  const at = Math.min(page, pages - 1);
  return { pages, at, shown: indices.slice(at * size, (at + 1) * size) };
}

/** Buttons for the pages of a list; nothing if there is one page. */
export function drawPages({ pages, at }, { count, known, of, size, name, turn }) {
  if (pages < 2 && count === of) return null;
  // The rest is on its way.
  if (known < of && count === known) return h("p", { key: "pages", class: "pages", role: "status" }, `1 to ${counted(Math.min(count, size))} of ${counted(of)} …`);
  const step = (to, label, sign) => h("button", { type: "button", class: "bare", disabled: to < 0 || to >= pages, "aria-label": `${label} of ${name}`, onclick: () => turn({ page: to }) }, sign);
  const range = count === 0 ? "None" : `${counted(at * size + 1)} to ${counted(Math.min((at + 1) * size, count))}`;
  return h("p", { key: "pages", class: "pages", role: "status" },
    pages > 1 && step(at - 1, "Earlier page", "‹"), pages > 1 && step(at + 1, "Later page", "›"),
    h("span", null, pages > 1 || count === 0 ? `${range} of ` : "", count === of ? counted(of) : `${counted(count)} (${counted(of)} in all)`));
}

/**
 * A table. `columns` are its columns as `{ key, label, isNumber }`, `rows` the rows that are shown as
 * `{ key, cells }`, `state` how they are sorted and filtered, and `change` is called with another state.
 */
export function drawTable({ columns, rows, hasActions, state, change, canSort, canFilter, name, pages }) {
  const turn = (key) => {
    const { sort } = state;
    change({ page: 0, sort: sort?.key !== key ? { key, down: false } : sort.down ? undefined : { key, down: true } });
  };
  const head = ({ key, label, isNumber: isRight }) => {
    const sorted = state.sort?.key === key && (state.sort.down ? "descending" : "ascending");
    return h("th", { scope: "col", class: isRight && "right", "aria-sort": sorted || null },
      canSort ? h("button", { type: "button", class: "bare", onclick: () => turn(key) }, label,
        h("span", { class: "arrow", "aria-hidden": "true" }, sorted ? (state.sort.down ? "↓" : "↑") : "")) : label);
  };
  return h("div", { key: "table", class: "table" },
    canFilter && h("input", {
      key: "filter", class: "filter", type: "search", "aria-label": `Filter ${name}`, placeholder: "Filter", autocomplete: "off",
      oninput: ({ currentTarget }) => change({ page: 0, filter: currentTarget.value }),
    }),
    h("div", { key: "scroll", class: "scroll" }, h("table", null,
      h("thead", null, h("tr", null, columns.map(head), hasActions && h("th", { scope: "col" }, h("span", { class: "hidden-text" }, "Actions")))),
      h("tbody", null, rows.map(({ key, cells }) => h("tr", { key },
        cells.map((cell, index) => h("td", { class: columns[index]?.isNumber && "right", "data-label": columns[index]?.label ?? null }, cell))))))),
    pages);
}
