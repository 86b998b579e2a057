import assert from "node:assert/strict";
import { test } from "node:test";
import { Asking } from "../../Sources/Web/CPages/inspector/ask.js";
import { comparedSteps } from "../../Sources/Web/CPages/inspector/changes.js";
import { placeOf } from "../../Sources/Web/CPages/inspector/errors.js";
import { readAddress, writeAddress } from "../../Sources/Web/CPages/inspector/inspector.js";
import { rowHeight, scrolledTo, treeKey, visibleRows } from "../../Sources/Web/CPages/inspector/list.js";
import { initialState } from "../../Sources/Web/CPages/inspector/store.js";
import { duration } from "../../Sources/Web/CPages/inspector/words.js";
import { stepAt, zoomed } from "../../Sources/Web/CPages/inspector/timeline.js";
import { layoutOf, positionOf, rowAt } from "../../Sources/Web/CPages/inspector/tree.js";
import { actionInBrief, inBrief, openedAtFirst, valueRows } from "../../Sources/Web/CPages/inspector/value.js";

const record = (fields, of = fields.length) => ({ $: "record", of, from: 0, entries: fields });
const list = (entries, of = entries.length, from = 0) => ({ $: "list", of, from, entries });

test("slices in a few words", () => {
  const words = [
    [null, "nil"], [true, "true"], [3, "3"], [{ $: "number", text: "1.0" }, "1.0"], ["a \"b\"\n", '"a \\"b\\"\\n"'], [{ $: "secret" }, "•••"],
    [{ $: "sink", node: "todo", action: { type: "toggle", id: 1 } }, "→ toggle { id = 1 }"],
    [record([["id", 1], ["text", "milk"]]), '{ id = 1, text = "milk" }'], [list([1, 2]), "{ 1, 2 }"], [list([], 0), "{}"],
    [{ $: "list", of: 1000, from: 0 }, "1,000 entries"], [{ $: "record", of: 1, from: 0 }, "1 field"],
    [{ $: "text", of: 5000, start: "abc" }, '"abc…" (5,000 bytes)'],
  ];
  for (const [slice, said] of words) assert.equal(inBrief(slice), said);
  assert.equal(actionInBrief(record([["id", 2], ["type", "toggle"]])), "toggle { id = 2 }");
  assert.ok(inBrief("x".repeat(900)).length < 70);
});

test("levels that are small are open at first", () => {
  const value = record([["rows", list([record([["id", 1]]), record([["id", 2]])])], ["long", list(Array(90).fill(0))]]);
  assert.deepEqual([...openedAtFirst(value, "")], ["", "rows", "rows[1]", "rows[2]"]);
});

test("a value's rows are those that are open, and pages of long levels", () => {
  const asked = [];
  const deeper = (path, from) => {
    asked.push([path, from]);
    return path === "far" ? undefined : list([200, 201], 300, from);
  };
  const value = record([["list", list(Array.from({ length: 100 }, (_, index) => index), 300)], ["far", { $: "list", of: 3, from: 0 }]]);
  const names = (options) => valueRows(value, { deeper, ...options }).map((row) => row.path);
  assert.deepEqual(names({}), ["list", "far"]);
  const open = { list: true, far: true };
  assert.equal(names({ open }).length, 1 + 100 + 1 + 1 + 1);
  assert.deepEqual(names({ open, from: { list: 100 } }), ["list", "list <", "list[101]", "list[102]", "list >", "far", "far …"]);
  assert.deepEqual(asked.at(-2), ["list", 100]);
});

test("a long list makes the rows on the screen, and a few more", () => {
  assert.deepEqual(visibleRows(100_000, { top: 0, height: 10 * rowHeight }), { first: 0, last: 14 });
  const far = visibleRows(100_000, { top: 50_000 * rowHeight, height: 10 * rowHeight });
  assert.deepEqual(far, { first: 49_996, last: 50_014 });
  assert.deepEqual(visibleRows(3, { top: 9000, height: 100 }), { first: 2, last: 3 });
  assert.deepEqual(visibleRows(0), { first: 0, last: 0 });
});

test("a row is scrolled to by as little as that takes", () => {
  assert.equal(scrolledTo(0, 100, 200), 0);
  assert.equal(scrolledTo(5, 100, 200), 100);
  assert.equal(scrolledTo(50, 100, 260), 41 * rowHeight);
});

/** A tree of wide levels: a root with `width` children, each of which has three. */
function wideTree(width, open = [], loaded = () => true) {
  const leaf = (path) => ({ path, name: "leaf", children: 0 });
  const child = (node, index) => {
    if (!loaded(node, index)) return undefined;
    return node.path === "r" ? { path: `r/${index}`, name: "child", children: 3 } : leaf(`${node.path}/${index}`);
  };
  return {
    root: { path: "r", name: "r", children: width },
    isOpen: (node) => node.path === "r" || open.includes(node.path), child,
    known: (node) => Array.from({ length: node.children }, (_, index) => index).filter((index) => loaded(node, index)),
  };
}

test("a tree's rows are found by position, and positions by node", () => {
  const tree = wideTree(10_000, ["r/1", "r/5000"]);
  const layout = layoutOf(tree.root, tree);
  assert.equal(layout.count, 10_001 + 6);
  const paths = [0, 1, 2, 3, 5, 6, 5004, 5005, 10_006].map((position) => rowAt(layout, position, tree).path);
  assert.deepEqual(paths, ["r", "r/0", "r/1", "r/1/0", "r/1/2", "r/2", "r/5000", "r/5000/0", "r/9999"]);
  for (const path of ["r", "r/1", "r/1/2", "r/2", "r/5000/1", "r/9999"]) {
    assert.equal(rowAt(layout, positionOf(layout, path, tree), tree).path, path);
  }
  assert.equal(rowAt(layout, 10_007, tree), undefined);
  assert.equal(positionOf(layout, "r/7/1", tree), -1);
});

test("a place whose node is not known waits", () => {
  const tree = wideTree(300, [], (_, index) => index < 100);
  const layout = layoutOf(tree.root, tree);
  assert.deepEqual(rowAt(layout, 201, tree), { path: "r #200", parent: tree.root, place: { under: "r", index: 200 }, depth: 2, wait: true });
});

test("keys move in a tree as in all trees", () => {
  const rows = [{ path: "a", depth: 1, opens: true, open: true }, { path: "b", depth: 2, opens: true, open: false }, { path: "c", depth: 2 }];
  const press = (key, index) => treeKey(key, { view: "v", at: (at) => rows[at], count: 3, index });
  assert.equal(press("ArrowDown", 0).path, "b");
  assert.equal(press("ArrowDown", 2), null);
  assert.equal(press("ArrowRight", 0).path, "b");
  assert.deepEqual(press("ArrowRight", 1), { type: "toggled", view: "v", path: "b", open: true });
  assert.equal(press("ArrowLeft", 2).path, "a");
  assert.deepEqual(press("ArrowLeft", 0), { type: "toggled", view: "v", path: "a", open: false });
  assert.equal(press("End", 0).path, "c");
  assert.equal(press("x", 0), null);
});

test("a place of the ribbon is a step", () => {
  assert.equal(stepAt(0, { from: 0, to: 9 }), 0);
  assert.equal(stepAt(0.95, { from: 0, to: 9 }), 9);
  assert.equal(stepAt(2, { from: 5, to: 9 }), 9);
  assert.deepEqual(zoomed({ ...initialState, step: 500, of: 1000 }, 0.5), { from: 250, to: 750 });
  assert.equal(zoomed({ ...initialState, step: 5, of: 1000, zoom: { from: 0, to: 900 } }, 2), null);
});

test("steps that are compared", () => {
  assert.deepEqual(comparedSteps({ ...initialState, step: 4 }), { from: 3, to: 4 });
  assert.deepEqual(comparedSteps({ ...initialState, step: 4, base: 1 }), { from: 1, to: 4 });
});

test("an address says what is looked at", () => {
  for (const place of [{ step: 41, node: "todo/item:a b&c", view: "messages" }, { step: 0, node: null, view: "rendering" }, { step: null, node: null, view: "states" }]) {
    assert.deepEqual(readAddress(writeAddress(place)), place);
  }
  assert.deepEqual(readAddress("#step=x&node=&view=toString"), { step: null, node: null, view: "rendering" });
});

test("durations and places in words", () => {
  assert.deepEqual([0, 999, 1250, 65_000, 3_700_000, 90_000_000].map(duration), ["0 ms", "999 ms", "1.2 s", "1 m 05 s", "1 h 01 m", "1 d 01 h"]);
  assert.equal(placeOf({ file: "a.lua", path: "x/a.lua", line: 3 }), "x/a.lua:3");
  assert.equal(placeOf(undefined), "");
});

test("what is declared is asked once, and late answers are for those who still ask", async () => {
  const sent = [];
  const messages = [];
  const asking = new Asking((message) => new Promise((resolve) => sent.push({ message, resolve })), (message) => messages.push(message));
  const round = (answers, ...slots) => {
    asking.begin();
    for (const [slot, key] of slots) asking.ask(answers, slot, { key }, key);
    asking.end(answers);
  };
  round({}, ["node", "1"]);
  round({}, ["node", "2"]);
  round({}, ["node", "3"]);
  assert.deepEqual(sent.map((one) => one.message.key), ["1"]);
  sent[0].resolve("one");
  await new Promise(setImmediate);
  assert.deepEqual(messages, [{ type: "answered", slot: "node", key: "1", value: "one" }]);
  round({ node: { key: "1", value: "one" } }, ["node", "3"]);
  assert.deepEqual(sent.map((one) => one.message.key), ["1", "3"]);
  round({ node: { key: "1", value: "one" } });
  assert.deepEqual(messages.at(-1), { type: "unneeded", slots: ["node"] });
  sent[1].resolve("three");
  await new Promise(setImmediate);
  assert.equal(messages.length, 2);
});

test("a lost request is sent again after a pause, as it is needed by then", async () => {
  const [sent, messages, waits] = [[], [], []];
  const error = { code: "connection" };
  const asking = new Asking(
    ({ key }) => new Promise((resolve, reject) => sent.push({ key, resolve, reject })), (message) => messages.push(message),
    (action, pause) => waits.push({ action, pause }));
  const round = (...slots) => {
    asking.begin();
    for (const [slot, key] of slots) asking.ask({}, slot, { key }, key);
    asking.end({});
  };
  const lose = async () => {
    sent.at(-1).reject(error);
    await new Promise(setImmediate);
  };
  round(["node", "1"]);
  await lose();
  assert.deepEqual(messages, [{ type: "answered", slot: "node", key: "1", error }]);
  round(["node", "2"]);
  assert.deepEqual([sent.length, waits[0].pause], [1, 1000]);
  waits[0].action();
  assert.deepEqual(sent.map((one) => one.key), ["1", "2"]);
  await lose();
  round();
  waits[1].action();
  assert.equal(sent.length, 2);
  round(["node", "3"]);
  assert.deepEqual(sent.map((one) => one.key), ["1", "2", "3"]);
});
