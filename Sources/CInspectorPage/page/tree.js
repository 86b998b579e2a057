// The tree of nodes. Children come by pages: only those on the screen are asked for and made.

import { h } from "./dom.js";
import { panel } from "./panel.js";
import { longList, treeProps, treeRow, visibleRows } from "./list.js";
import { shownStep } from "./store.js";

const childrenPage = 100;
/** A tree of at most so many nodes is asked for as a whole, and is open. */
const smallTree = 150;

/**
 * @typedef {{path: string, name: string, key?: string, children: number, workers?: number, working?: number,
 *   from?: number, entries?: TreeNode[]}} TreeNode
 * @typedef {{node: TreeNode, depth: number, opens: boolean, open: boolean, count: number,
 *   kids: {index: number, layout: Layout}[]}} Layout
 */

/**
 * How many rows a node and what is open below it take.
 * @param {{isOpen: (node: TreeNode) => boolean, child: (node: TreeNode, index: number) => TreeNode | undefined,
 *   known: (node: TreeNode) => number[]}} tree `known` gives the positions of the children that are known
 * @returns {Layout}
 */
export function layoutOf(node, tree, depth = 1) {
  const opens = node.children > 0;
  const open = opens && tree.isOpen(node);
  const layout = { node, depth, opens, open, count: 1, kids: [] };
  if (!open) return layout;
  layout.count += node.children;
  for (const index of tree.known(node)) {
    const child = tree.child(node, index);
    if (!child?.children || !tree.isOpen(child)) continue;
    const below = layoutOf(child, tree, depth + 1);
    layout.kids.push({ index, layout: below });
    layout.count += below.count - 1;
  }
  return layout;
}

/** The row at a position: what to show of a node, or the place of one that is not known yet. */
export function rowAt(layout, position, tree) {
  if (position < 0 || position >= layout.count) return undefined;
  const { node, depth } = layout;
  if (position === 0) return { path: node.path, node, depth, opens: layout.opens, open: layout.open };
  let extra = 0;
  for (const kid of layout.kids) {
    const start = 1 + kid.index + extra;
    if (position < start) break;
    if (position < start + kid.layout.count) {
      return { under: node, index: kid.index, ...rowAt(kid.layout, position - start, tree) };
    }
    extra += kid.layout.count - 1;
  }
  const index = position - 1 - extra;
  const child = tree.child(node, index);
  if (!child) return { path: `${node.path} #${index}`, under: node, index, depth: depth + 1, wait: true };
  return { path: child.path, node: child, under: node, index, depth: depth + 1, opens: child.children > 0, open: false };
}

/** The position of the row of a node, or -1 if it is not among the rows that are known. */
export function positionOf(layout, path, tree) {
  if (layout.node.path === path) return 0;
  if (!layout.open || !path.startsWith(`${layout.node.path}/`)) return -1;
  let extra = 0;
  const kids = new Map(layout.kids.map((kid) => [kid.index, kid.layout]));
  for (const index of tree.known(layout.node)) {
    const child = tree.child(layout.node, index);
    const below = kids.get(index);
    const at = child?.path === path ? 0 : below ? positionOf(below, path, tree) : -1;
    if (at >= 0) return 1 + index + extra + at;
    if (below) extra += below.count - 1;
  }
  return -1;
}

/** Asks for the root, and gives it with how many nodes there are. */
export function rootOf(state, context) {
  const known = state.answers.tree?.value;
  const depth = known && known.nodes <= smallTree ? 12 : 1;
  return context.ask("tree", { do: "tree", step: shownStep(state), from: 0, limit: childrenPage, depth });
}

/** The children of nodes, as far as the answers have them. */
function childrenIn(state, context, nodes) {
  const opened = state.open.tree ?? {};
  const step = shownStep(state);
  const slotOf = (node, number) => `tree ${node.path} ${number}`;
  const pageOf = (node, number) => {
    const from = node.from ?? 0;
    if (node.entries && number * childrenPage >= from && node.entries.length) {
      const entries = node.entries.slice(number * childrenPage - from, (number + 1) * childrenPage - from);
      if (entries.length) return entries;
    }
    return state.answers[slotOf(node, number)]?.value?.tree?.entries;
  };
  const ask = (node, number) => {
    const from = number * childrenPage;
    const inside = node.entries && from >= (node.from ?? 0) && from < (node.from ?? 0) + node.entries.length;
    if (inside) return;
    const message = { do: "tree", step, under: node.path, from, limit: childrenPage, depth: 1 };
    context.ask(slotOf(node, number), message);
  };
  return {
    isOpen: (node) => Boolean(opened[node.path] ?? (nodes <= smallTree || !node.path.includes("/"))),
    child: (node, index) => pageOf(node, Math.floor(index / childrenPage))?.[index % childrenPage],
    known: (node) => {
      // What is open in a page that was scrolled away has to be known, or rows would jump.
      for (const [, at] of Object.entries(opened)) {
        if (at?.under === node.path) ask(node, Math.floor(at.index / childrenPage));
      }
      const positions = [];
      for (let number = 0; number * childrenPage < node.children; number++) {
        pageOf(node, number)?.forEach((_, index) => positions.push(number * childrenPage + index));
      }
      return positions;
    },
    ask,
  };
}

/** The panel of the tree, or nothing if there is but one node. */
export function treePanel(state, context, changed) {
  const { value } = rootOf(state, context);
  if (!value || value.nodes < 2) return null;
  const view = "tree";
  const tree = childrenIn(state, context, value.nodes);
  const layout = layoutOf(value.tree, tree);
  const selected = state.node ?? value.tree.path;
  const { first, last } = visibleRows(layout.count, state.scroll[view]);
  for (let position = first; position < last; position++) {
    const { under, index } = rowAt(layout, position, tree) ?? {};
    if (under) tree.ask(under, Math.floor(index / childrenPage));
  }
  const at = (position) => rowAt(layout, position, tree);
  const index = Math.max(0, positionOf(layout, selected, tree));
  const moved = { ...context, dispatch: (message) => context.dispatch(asSelection(message, at)) };
  const choose = (row) => row.node && context.dispatch({ type: "select", node: row.path });
  const title = ["Tree", h("span", { class: "count" }, `${value.nodes.toLocaleString("en")} nodes`)];
  return panel(context, { name: "Tree", title, kind: "tree" },
    longList(state, context, {
      view, count: layout.count, reveal: { of: selected, index },
      props: treeProps(moved, { view, label: "Nodes", at, count: layout.count, index, chosen: choose }),
      row: (position) => {
        const row = at(position);
        return row && treeRow(moved, {
          view, row, selected: row.path === selected, marked: changed.has(row.path), chosen: choose,
        }, row.wait ? h("span", { class: "quiet" }, "…") : nodeLabel(row.node, row.open));
      },
    }));
}

/** In the tree the row of the keyboard is the node that is selected; what is opened keeps its place. */
function asSelection(message, at) {
  if (message.type === "cursor") {
    const node = message.index === undefined ? null : at(message.index)?.node;
    return node ? { type: "select", node: node.path } : { type: "none" };
  }
  if (message.type !== "toggled" || !message.open) return message;
  for (let position = 0; ; position++) {
    const row = at(position);
    if (!row) return message;
    if (row.path === message.path) {
      return { ...message, open: row.under ? { under: row.under.path, index: row.index } : true };
    }
  }
}

function nodeLabel(node, open) {
  return [
    h("span", { class: "node-name" }, node.name),
    node.key !== undefined && h("span", { class: "key" }, node.key),
    node.working ? h("span", { class: "working", title: "workers at work" }, `● ${node.working}`) : null,
    node.children > 0 && !open && h("span", { class: "count" }, node.children.toLocaleString("en")),
  ];
}
