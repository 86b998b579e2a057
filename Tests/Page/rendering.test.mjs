import test from "node:test";
import assert from "node:assert/strict";
import { RenderingView, arrange, listKind } from "../../Sources/CInspectorPage/page/rendering.js";
import { makePage } from "./elements.mjs";
import { sliceOf } from "../../Sources/CInspectorPage/page/offline.js";

makePage();
const sink = (type, fields = {}) => ({ $sink: { node: "todo", action: { type, ...fields } } });
const entries = (value) => sliceOf(value, { depth: 4 }).entries;
const names = (value) => {
  const { heading, eyebrow, lead, alert, facts, sections, sinks } = arrange(entries(value));
  const keys = (list) => list.map(([key]) => key);
  return [heading?.[0], eyebrow?.[0], keys(lead), keys(alert), keys(facts), keys(sections), keys(sinks)];
};

test("a record has a heading, facts, sections and sinks, and each entry is somewhere once", () => {
  assert.deepEqual(names({ title: "T", message: "M", rows: [], add: sink("add"), count: 2, sky: "rain", open: true, problem: "P" }),
    ["title", undefined, ["message"], ["problem"], ["sky", "count", "open"], ["rows"], ["add"]]);
});

test("the screen is the heading where there is no other", () => {
  assert.deepEqual(names({ screen: "login", email: "" }).slice(0, 2), ["screen", undefined]);
  assert.deepEqual(names({ screen: "splash", title: "Welcome" }).slice(0, 2), ["title", "screen"]);
});

test("what cannot be a heading is a fact", () => {
  assert.deepEqual(names({ title: 12, name: "a\nb", message: 3 }), [undefined, undefined, [], [], ["name", "title", "message"], [], []]);
  assert.deepEqual(names({ title: "x".repeat(2000) })[4], ["title"]);
});

test("a total is the last of the facts", () => {
  assert.deepEqual(names({ total: 1, zebra: 2, name: "N", sku: "s" })[4], ["sku", "zebra", "total"]);
});

test("lists of records with the same keys are rows and tables", () => {
  const kind = (value) => listKind(entries(value));
  assert.equal(kind([]), "empty");
  assert.equal(kind([1, "two", true]), "values");
  assert.equal(kind([{ text: "a", done: false, toggle: sink("toggle") }, { text: "b", done: true, edit: sink("edit") }]), "rows");
  assert.equal(kind([{ sku: "a", price: 1, quantity: 2 }, { sku: "b", price: 2 }]), "table");
  assert.equal(kind([{ screen: "splash", title: "Welcome" }]), "items");
  assert.equal(kind([{ a: 1 }, { b: 2 }, { c: 3 }]), "items");
  assert.equal(kind([{ text: "a", rows: [1] }]), "items");
  assert.equal(kind([1, { a: 1 }]), "items");
  assert.equal(kind([sink("a"), sink("b")]), "actions");
  assert.equal(listKind(sliceOf([{ a: 1 }], { depth: 1 }).entries), "items", "records that were not asked for yet");
});

test("a grid of marks and sinks is a board", () => {
  const board = (cell) => listKind(entries([[cell, cell], [cell, cell]]));
  assert.equal(board({ mark: "", tap: sink("take", { row: 1 }) }), "board");
  assert.equal(board("X"), "board");
  assert.equal(board({ mark: "X", other: 1 }), "items");
  assert.equal(listKind(entries([[1, 2], [3]])), "items");
});

test("a form starts with the values that its action changes, and one that makes something new is empty", () => {
  const view = new RenderingView({ request: () => new Promise(() => {}) });
  const fields = [{ name: "title", kind: "string", seen: [] }, { name: "points", kind: "number", seen: [] }];
  view.sinks.forms = [{ action: "add_card", fields }, { action: "edit", fields }, { action: "set_total", fields: [{ name: "total", kind: "number", seen: [] }] }];
  const filled = (type) => {
    view.show(sliceOf({ title: "Board", points: 19, total: 19, act: sink(type) }, { depth: 4 }), { step: 1 });
    return view.element.querySelectorAll("input").map((input) => input.defaultValue);
  };
  assert.deepEqual(filled("add_card"), ["", ""]);
  assert.deepEqual(filled("edit"), ["Board", "19"]);
  assert.deepEqual(filled("set_total"), [""]);
});
