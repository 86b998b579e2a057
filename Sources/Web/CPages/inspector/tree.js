// The tree of nodes. Children are loaded in pages, only as far as they are visible.

import { h } from "./dom.js";
import { panel } from "./panel.js";
import { longList, treeProps, treeRow } from "./list.js";
import { shownStep } from "./store.js";
import { counted } from "./words.js";

const childrenPage = 100;
/** A tree of at most this many nodes is loaded whole and open. */
const smallTree = 150;

/**
 * The rows of a node and the open nodes below it.
 * `known` returns the positions of the loaded children.
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

/** The row at a position: a node and its index in its parent; an unloaded node has only these. */
export function rowAt(layout, position, tree) {
  if (!(position >= 0 && position < layout.count)) return undefined;
  const { node: parent, depth, opens, open } = layout;
  if (position === 0) return { path: parent.path, node: parent, depth, opens, open };
  let extra = 0;
  for (const kid of layout.kids) {
    const start = 1 + kid.index + extra;
    if (position < start) break;
    if (position < start + kid.layout.count) {
      return { parent, place: { under: parent.path, index: kid.index }, ...rowAt(kid.layout, position - start, tree) };
    }
    extra += kid.layout.count - 1;
  }
  const index = position - 1 - extra;
  const node = tree.child(parent, index);
  const row = { parent, place: { under: parent.path, index }, depth: depth + 1 };
  return node ? { ...row, path: node.path, node, opens: node.children > 0, open: false }
    : { ...row, path: `${parent.path} #${index}`, wait: true };
}

/** The position of a node's row, or -1 if it is not loaded. */
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

/** Requests the root and the number of nodes. */
export function rootOf(state, context) {
  const isSmall = state.answers.tree?.value?.nodes <= smallTree;
  return context.ask("tree", { do: "tree", step: shownStep(state), from: 0, limit: childrenPage, depth: isSmall ? 12 : 1 });
}

/** The loaded children of nodes. */
function childrenIn(state, context, nodes) {
  const opened = state.open.tree ?? {};
  const slotOf = (node, number) => `tree ${node.path} ${number}`;
  const isInside = (node, number) => number === 0 && node.entries?.length > 0;
  const pageOf = (node, number) =>
    (isInside(node, number) ? node.entries : state.answers[slotOf(node, number)]?.value?.tree.entries);
  const ask = ({ under, index }) => {
    const number = Math.floor(index / childrenPage);
    if (isInside(under, number)) return;
    context.ask(slotOf(under, number), {
      do: "tree", step: shownStep(state), under: under.path, from: number * childrenPage, limit: childrenPage, depth: 1,
    });
  };
  return {
    ask,
    isOpen: (node) => Boolean(opened[node.path] ?? (nodes <= smallTree || !node.path.includes("/"))),
    child: (node, index) => pageOf(node, Math.floor(index / childrenPage))?.[index % childrenPage],
    known: (node) => {
      // The open nodes of a page that was scrolled away must be known, or rows would jump.
      for (const place of Object.values(opened)) if (place?.under === node.path) ask({ under: node, index: place.index });
      const positions = [];
      for (let number = 0; number * childrenPage < node.children; number++) {
        pageOf(node, number)?.forEach((_, index) => positions.push(number * childrenPage + index));
      }
      return positions;
    },
  };
}

/** The panel of the tree; nothing if there is only one node. */
export function treePanel(state, context, changed) {
  const { value } = rootOf(state, context);
  if (!value || value.nodes < 2) return null;
  const view = "tree";
  const tree = childrenIn(state, context, value.nodes);
  const layout = layoutOf(value.tree, tree);
  const { count } = layout;
  const at = (position) => rowAt(layout, position, tree);
  const selected = state.node ?? value.tree.path;
  const index = Math.max(0, positionOf(layout, selected, tree));
  const title = ["Tree", h("span", { class: "count" }, `${counted(value.nodes)} nodes`)];
  return panel(context, { name: "Tree", title, kind: "tree" }, longList(state, context, {
    view, count, reveal: { of: selected, index }, props: treeProps(context, { view, label: "Nodes", at, count, index }),
    row: (position) => {
      const row = at(position);
      if (!row) return null;
      if (row.place) tree.ask({ under: row.parent, index: row.place.index });
      return treeRow(context, { view, row, selected: row.path === selected, marked: changed.has(row.path), selects: true },
        row.wait ? "…" : nodeLabel(row.node, row.open));
    },
  }));
}

const nodeLabel = (node, open) => [
  h("span", { class: "node-name" }, node.name),
  node.key !== undefined && h("span", { class: "key" }, node.key),
  node.working > 0 && h("span", { class: "working", title: "workers at work" }, `● ${node.working}`),
  node.children > 0 && !open && h("span", { class: "count" }, counted(node.children)),
];
