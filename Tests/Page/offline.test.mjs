import test from "node:test";
import assert from "node:assert/strict";
import { openJournal, sliceOf } from "../../Sources/Web/CPages/inspector/offline.js";
import { Moments, applied, differences } from "../../Sources/Web/CPages/inspector/moments.js";
import { makeJournal, markupJournal } from "./journal.mjs";

const ask = (journal, message) => openJournal(journal).request(message);

test("an operation changes a copy", () => {
  const old = { a: [1, { b: 2 }], "x/y": 0 };
  const now = applied(old, { op: "replace", path: "/a/1/b", value: 3 }, new Set());
  assert.deepEqual(now, { a: [1, { b: 3 }], "x/y": 0 });
  assert.deepEqual(old, { a: [1, { b: 2 }], "x/y": 0 });
  assert.deepEqual(applied(now, { op: "add", path: "/a/0", value: 0 }, new Set()).a, [0, 1, { b: 3 }]);
  assert.deepEqual(applied(now, { op: "remove", path: "/a/0" }, new Set()).a, [{ b: 3 }]);
  assert.deepEqual(applied(now, { op: "add", path: "/a/-", value: 9 }, new Set()).a, [1, { b: 3 }, 9]);
  assert.deepEqual(applied(now, { op: "replace", path: "/x~1y", value: 1 }, new Set())["x/y"], 1);
  assert.deepEqual(applied(now, { op: "remove", path: "/x~1y" }, new Set()), { a: [1, { b: 3 }] });
  assert.equal(applied(now, { op: "replace", path: "", value: 7 }, new Set()), 7);
});

test("an operation on a key of all objects changes that object alone", () => {
  const now = applied({}, { op: "add", path: "/__proto__", value: { polluted: true } }, new Set());
  assert.deepEqual(Object.keys(now), ["__proto__"]);
  assert.equal({}.polluted, undefined);
  assert.equal(Object.getPrototypeOf(now), Object.prototype);
});

test("the moment of a step is the same, whichever was looked at before", () => {
  const journal = makeJournal({ steps: 500 });
  const plain = [structuredClone(journal.first)];
  for (const step of journal.steps) {
    plain.push(step.ops.reduce((moment, operation) => applied(moment, operation, new Set()), plain.at(-1)));
  }
  const moments = new Moments(journal.first, journal.steps);
  for (const step of [0, 500, 63, 64, 65, 1, 499, 300, 128, 127, 0]) assert.deepEqual(moments.at(step), plain[step]);
  assert.deepEqual(journal, makeJournal({ steps: 500 }), "the journal itself is not written");
});

test("few moments of many steps are kept", () => {
  const journal = makeJournal({ steps: 40_000 });
  const moments = new Moments(journal.first, journal.steps);
  moments.at(40_000);
  assert.ok(moments.kept.length <= 513, String(moments.kept.length));
});

test("differences are told by path", () => {
  assert.deepEqual(differences({ a: [1, 2], b: 1 }, { a: [1, 3, 4], c: 1 }, 10), {
    count: 4,
    changes: [
      { path: ["a", 2], kind: "changed", old: 2, new: 3 }, { path: ["a", 3], kind: "added", old: undefined, new: 4 },
      { path: ["b"], kind: "removed", old: 1, new: undefined }, { path: ["c"], kind: "added", old: undefined, new: 1 },
    ],
  });
  assert.equal(differences([1, 2, 3], [4, 5, 6], 1).count, 3);
  assert.equal(differences([1, 2, 3], [4, 5, 6], 1).changes.length, 1);
});

test("a row that comes or goes is one difference", () => {
  const rows = [1, 2, 3].map((id) => ({ id, done: false }));
  assert.deepEqual(differences(rows, [rows[0], { id: 9 }, rows[1], rows[2]], 9).changes, [{ path: [2], kind: "added", old: undefined, new: { id: 9 } }]);
  assert.deepEqual(differences(rows, [rows[0], structuredClone(rows[2])], 9).changes, [{ path: [2], kind: "removed", old: rows[1], new: undefined }]);
});

test("a slice is as deep and as long as was asked for", () => {
  assert.deepEqual(sliceOf({ a: { b: {} }, l: [1, 2, 3] }, { depth: 1, limit: 2 }), {
    $: "record", of: 2, from: 0,
    entries: [["a", { $: "record", of: 1, from: 0 }], ["l", { $: "list", of: 3, from: 0 }]],
  });
  assert.deepEqual(sliceOf([1, 2, 3, 4], { from: 1, limit: 2 }), { $: "list", of: 4, from: 1, entries: [2, 3] });
  assert.deepEqual(sliceOf([], { depth: 0 }), { $: "list", of: 0, from: 0, entries: [] });
  assert.deepEqual(sliceOf({ $sink: { node: "t", action: { type: "x", at: [1] } } }), {
    $: "sink", node: "t", action: { type: "x", at: { $: "list", of: 1, from: 0, entries: [1] } },
  });
  assert.deepEqual(sliceOf("[secret]"), { $: "secret" });
});

test("keys of a flow that begin with $ are keys like others", () => {
  const record = (fields) => ({ $: "record", of: fields.length, from: 0, entries: fields });
  assert.deepEqual(sliceOf({ $: "number", text: "1" }), record([["$", "number"], ["text", "1"]]));
  assert.deepEqual(sliceOf({ $view: { as: "board" } }), record([["$view", record([["as", "board"]])]]));
  for (const $sink of [true, null, { node: "t" }]) assert.deepEqual(sliceOf({ $sink }).entries.map(([key]) => key), ["$sink"]);
});

test("a long text comes in pieces", () => {
  const text = "é".repeat(2500);
  assert.deepEqual(sliceOf(text), { $: "text", of: 5000, from: 0, start: text.slice(0, 1000) });
  assert.deepEqual(sliceOf(text, { from: 2000 }), { $: "text", of: 5000, from: 2000, start: text.slice(2000) });
  assert.equal(sliceOf("a".repeat(1000)), "a".repeat(1000));
});

test("a value at a path of an earlier step", async () => {
  const journal = makeJournal({ steps: 12 });
  assert.deepEqual(await ask(journal, { do: "value", of: "rendering", path: "rows[1].done", step: 2 }), { step: 2, path: "rows[1].done", slice: false });
  assert.deepEqual(await ask(journal, { do: "value", of: "state", path: "next_id", step: 2 }), { step: 2, path: "next_id", slice: 3 });
  assert.deepEqual(await ask(journal, { do: "value", of: "input", path: "action.type", step: 3 }), { step: 3, path: "action.type", slice: "toggle" });
  assert.deepEqual(await ask(journal, { do: "value", of: "rendering", path: "rows[99]" }), { step: 12, path: "rows[99]", slice: null });
});

test("the tree has its children by pages", async () => {
  const journal = makeJournal({ rows: 250, steps: 0 });
  const { nodes, tree } = await ask(journal, { do: "tree", limit: 100 });
  assert.equal(nodes, 251);
  assert.equal(tree.children, 250);
  assert.equal(tree.entries.length, 100);
  assert.deepEqual(tree.entries[0], { path: "todo/item:1", name: "item", key: "1", children: 0, workers: 0, working: 0, from: 0, entries: [] });
  const next = await ask(journal, { do: "tree", under: "todo", from: 200, limit: 100, depth: 1 });
  assert.equal(next.tree.from, 200);
  assert.deepEqual(next.tree.entries.map((node) => node.key).slice(-1), ["250"]);
});

test("a node has its props, state and workers", async () => {
  const node = await ask(makeJournal({ steps: 1 }), { do: "node", path: "todo" });
  assert.equal(node.children, 1);
  assert.deepEqual(node.workers, [{ name: "clock.every", key: "", ended: false, input: { $: "record", of: 1, from: 0, entries: [["seconds", 1]] } }]);
});

test("the difference of a step", async () => {
  const diff = await ask(makeJournal({ steps: 3 }), { do: "diff", from: 0, to: 1 });
  assert.deepEqual(diff.rendering.changes.map(({ path, kind }) => [path, kind]).sort(), [["rows[1]", "added"], ["title", "changed"]]);
  assert.deepEqual(diff.nodes.map(({ path, kind }) => [path, kind]), [["todo", "changed"], ["todo/item:1", "appeared"]]);
  assert.deepEqual(diff.nodes[0].state.changes.map((change) => change.path), ["items[1]", "next_id"]);
  assert.equal(diff.count, 2);
  assert.equal(diff.actions[0].source, "client");
  const back = await ask(makeJournal({ steps: 3 }), { do: "diff", from: 3, to: 0 });
  assert.equal(back.actions, undefined);
  assert.deepEqual(back.nodes.filter((node) => node.kind === "vanished").length, 2);
});

test("inputs are found by a word, and read on", async () => {
  const journal = makeJournal({ steps: 40 });
  const first = await ask(journal, { do: "inputs", limit: 3, match: "TOGGLE" });
  assert.deepEqual(first.entries.map((entry) => entry.step), [3, 6, 9]);
  assert.equal(first.next, 10);
  const last = await ask(journal, { do: "inputs", from: 38 });
  assert.deepEqual([last.of, last.entries.length, last.next], [40, 3, undefined]);
});

test("the overview counts all inputs", async () => {
  const overview = await ask(makeJournal({ steps: 1003 }), { do: "overview", buckets: 10 });
  assert.equal(overview.buckets.length, 10);
  assert.equal(overview.buckets.flat().reduce((sum, count) => sum + count), 1003);
  assert.deepEqual((await ask(makeJournal({ steps: 0 }), { do: "overview" })).buckets, []);
});

test("what needs a program says so", async () => {
  await assert.rejects(ask(makeJournal(), { do: "find", expression: "true" }), { code: "offline", help: "Open the session itself for that." });
  await assert.rejects(ask(makeJournal(), { do: "value", step: 13 }), { code: "bad_request", message: "There is no step 13; the last one is 12." });
  await assert.rejects(ask(makeJournal(), { do: "node", path: "constructor" }), { code: "unknown_node" });
  await assert.rejects(ask(makeJournal(), { do: "value", path: "rows[" }), { code: "bad_request", help: "A path is like 'rows[1].done'." });
});

test("keys of all objects are keys like others", async () => {
  const journal = markupJournal();
  const { slice } = await ask(journal, { do: "value", of: "state", path: "worse" });
  assert.equal(Object.fromEntries(slice.entries).constructor, "constructor");
  assert.equal(slice.entries.find(([key]) => key === "__proto__")[1], "own");
});

test("the first news comes by itself", async () => {
  const news = await new Promise((resolve) => openJournal(makeJournal()).onNews(resolve));
  assert.deepEqual([news.step, news.of, news.entries], [12, 12, []]);
});
