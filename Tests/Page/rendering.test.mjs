import test from "node:test";
import assert from "node:assert/strict";
import { RenderingView, arrange, listKind } from "../../Sources/Web/CPages/inspector/rendering.js";
import { orderOf } from "../../Sources/Web/CPages/inspector/hints.js";
import { rowsInOrder } from "../../Sources/Web/CPages/inspector/tables.js";
import { makePage } from "./elements.mjs";
import { exactNumber } from "../../Sources/Web/CPages/inspector/json.js";
import { sliceOf } from "../../Sources/Web/CPages/inspector/offline.js";

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

/** A view without a program, with what the host knows about forms and orders. */
function viewOf(value, { forms = [], orders = [], request = () => new Promise(() => {}) } = {}) {
  const view = new RenderingView({ request });
  Object.assign(view, { orders, asked: 0 });
  view.sinks.forms = forms;
  view.show(sliceOf(value, { depth: 8, limit: 100_000 }), { step: 1 });
  return view;
}

const all = (view, selectors) => view.element.querySelectorAll(selectors);
const said = (view, selectors) => all(view, selectors).map((element) => element.textContent);

test("a field is filled where the code assigns it, and never by one that makes something new", () => {
  const filled = (type, sets) => all(viewOf({ name: "N", city: "Oslo", amount: 3, act: sink(type) }, {
    forms: [{ action: type, fields: [{ name: "name", sets }, { name: "city", sets }, { name: "amount", kind: "number", sets }] }],
  }), "input").map((input) => input.defaultValue);
  assert.deepEqual(filled("transfer"), ["", "", ""], "nothing says that the action changes the record");
  assert.deepEqual(filled("continue", true), ["", "Oslo", "3"], "but not from the heading");
  assert.deepEqual(filled("edit"), ["N", "Oslo", "3"]);
  assert.deepEqual(filled("create_entry", true), ["", "", ""]);
  assert.deepEqual(filled("new", true), ["", "", ""]);
});

test("fields and sinks come in the order of the table in the code, and else by convention", () => {
  const value = { aged: "old", zone: "z", city: "c", zap: sink("zap"), act: sink("act") };
  assert.deepEqual(said(viewOf(value, { orders: [["x", "y"], ["zone", "city", "aged", "zap", "act"]] }), "dt, button"), ["Zone", "City", "Aged", "Zap", "Act"]);
  assert.deepEqual(said(viewOf({ ...value, $view: { order: ["city", "zone", "act"] } }), "dt, button"), ["City", "Zone", "Aged", "Act", "Zap"]);
});

test("the order of keys is that of the tables which have most of them", () => {
  assert.deepEqual(orderOf(["a", "b", "c"], [["c", "b"], ["b", "a", "z", "c"]]), ["b", "a", "c"]);
  assert.deepEqual(orderOf(["a", "b", "c", "d"], [["b", "a"], ["d", "c"]]), ["b", "a", "d", "c"]);
  assert.deepEqual(orderOf(["a", "b"], [["a", "x"]]), [], "one key says nothing about an order");
});

test("numbers are grouped and rounded, with the exact value behind", () => {
  const view = viewOf({ account: 12345678901234, ratio: 1 / 3, year: 2026, big: exactNumber("9007199254740993"), float: exactNumber("12.0") });
  const shown = new Map(all(view, "span").filter((span) => span.attributes.get("class") === "number")
    .map((span) => [span.attributes.get("data-path"), [span.textContent, span.attributes.get("title")]]));
  assert.deepEqual(shown.get("account"), ["12,345,678,901,234", "12345678901234"]);
  assert.deepEqual(shown.get("ratio"), ["0.333, exactly 0.3333333333333333", "0.3333333333333333"]);
  assert.deepEqual(shown.get("year"), ["2026", undefined]);
  assert.deepEqual(shown.get("big"), ["9,007,199,254,740,993", "9007199254740993"]);
  assert.deepEqual(shown.get("float"), ["12", "12.0"]);
});

test("at most four figures are large, and only at the top", () => {
  const numbers = { a: 1, b: 2, c: 3, d: 4, e: 5 };
  const figures = (value) => all(viewOf(value), ".figures").flatMap((list) => list.querySelectorAll("dt")).map((term) => term.textContent);
  assert.deepEqual(figures(numbers), ["A", "B", "C", "D"]);
  assert.deepEqual(figures({ inner: numbers }), []);
});

test("records with one list each stand side by side, and other lists as they are", () => {
  const kind = (value, as) => listKind(entries(value), as);
  const column = { name: "To do", cards: [{ title: "A", flag: sink("flag") }] };
  assert.equal(kind([column, { name: "Done", cards: [] }]), "columns");
  assert.equal(kind([{ name: "a", children: [{ name: "b" }] }, { name: "c", children: [] }]), "items", "a tree");
  const message = { author: "Mira", text: "Hello", at: "09:00" };
  assert.equal(kind([message, { ...message, likes: 2 }]), "chat");
  assert.equal(kind([message], "table"), "table");
  assert.equal(kind([{ a: 1, b: 2 }, { a: 3, b: 4 }], "cards"), "items");
  assert.equal(kind([[sink("press", { key: 1 }), sink("press", { key: 2 })], [sink("press", { key: 3 }), sink("press", { key: 4 })]]), "board");
});

test("buttons of one action in a list have the names of their fields", () => {
  assert.deepEqual(said(viewOf({ colours: [sink("set", { colour: "green" }), sink("set", { colour: "blue" })] }), "button"), ["green", "blue"]);
  assert.deepEqual(said(viewOf({ ways: [sink("go", { to: "a" }), sink("stop")] }), "button"), ["Go a", "Stop"]);
});

test("a form does not repeat the values that it holds", () => {
  const fields = [{ name: "email", sets: true }, { name: "tags", kind: "list", sets: true }];
  const view = viewOf({ email: "a@b", tags: ["x", "y"], since: "May", save: sink("save") }, { forms: [{ action: "save", fields }] });
  assert.deepEqual(said(view, "dt"), ["Since"]);
  assert.deepEqual(all(view, "input, textarea").map((input) => input.defaultValue).slice(0, 2), ["a@b", "x\ny"]);
});

test("hints say labels, formats, options, and what asks and stands out", () => {
  const view = viewOf({
    $view: {
      label: { rate: "Interest", drop: "Throw away", size: "Shirt" }, format: { rate: "percent", price: "money EUR", born: "date" },
      options: { size: ["S", { value: "M", label: "Medium" }] }, confirm: "drop", primary: "keep",
    },
    rate: 0.0342, price: 5, born: "1815-12-10", drop: sink("drop"), keep: sink("keep"), choose: sink("choose"),
  }, { forms: [{ action: "choose", fields: [{ name: "size" }] }] });
  assert.deepEqual(said(view, "dt").toSorted(), ["Born", "Interest", "Price"]);
  assert.match(view.element.textContent, /3\.42%/);
  assert.match(view.element.textContent, /€5\.00/);
  assert.match(view.element.textContent, /Dec 10, 1815/);
  assert.doesNotMatch(view.element.textContent, /view/);
  assert.deepEqual(said(view, "legend, label").filter((text) => text !== "Fields, as JSON"), ["Shirt", "S", "Medium"]);
  const button = (name) => all(view, "button").find((one) => one.textContent === name);
  assert.equal(button("Keep").attributes.get("class"), "main");
  button("Throw away").onclick();
  assert.equal(all(view, "dialog").length, 1);
});

test("what deletes asks first", async () => {
  const sent = [];
  const request = async (message) => { sent.push(message); return {}; };
  const view = viewOf({ delete_all: sink("delete_all"), remove: sink("remove") }, { request });
  const button = (name) => all(view, "button").find((one) => one.textContent === name);
  button("Delete all").onclick();
  assert.deepEqual(sent, []);
  all(view, "dialog")[0].querySelectorAll("button")[0].onclick();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(sent.map(({ action }) => action.type), ["delete_all"]);
  assert.equal(all(view, "dialog").length, 0);
  button("Remove").onclick();
  assert.equal(sent.length, 2);
});

test("ten thousand rows are a page of rows, sorted and filtered on the page", () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => ({ name: `n${index}`, size: index * 7919 % 10_007, open: sink("open", { index }) }));
  const view = viewOf({ rows });
  assert.equal(all(view, "tr").length, 51);
  const count = (element) => 1 + element.childNodes.filter((node) => node.nodeType === 1).reduce((sum, node) => sum + count(node), 0);
  assert.ok(count(view.element) < 2000);
  const first = () => all(view, "tr")[1].childNodes.slice(0, 2).map((cell) => cell.textContent);
  const head = (name) => all(view, "th").find((cell) => cell.textContent.startsWith(name)).querySelectorAll("button")[0];
  head("Size").onclick();
  assert.deepEqual(first(), ["n0", "0"]);
  head("Size").onclick();
  assert.equal(first()[1], "10,006");
  head("Size").onclick();
  assert.deepEqual(first(), ["n0", "0"]);
  all(view, "input")[0].oninput({ currentTarget: { value: "N4711" } });
  assert.equal(all(view, "tr").length, 2);
});

test("sorting keeps nothing at the end", () => {
  const rows = entries([{ a: 2 }, { a: null }, { a: 10 }, { a: "x" }]);
  assert.deepEqual(rowsInOrder(rows, { sort: { key: "a" } }), [0, 2, 3, 1]);
  assert.deepEqual(rowsInOrder(rows, { sort: { key: "a", down: true } }), [3, 2, 0, 1]);
});

test("a conversation shows its newest end, in whatever order the flow keeps it", () => {
  const messages = Array.from({ length: 500 }, (_, index) => ({ author: "A", text: `m${index}`, at: index }));
  const texts = (list) => said(viewOf({ messages: list, say: sink("say") }, { forms: [{ action: "say", fields: [{ name: "text" }] }] }), ".said");
  assert.deepEqual([texts(messages).length, texts(messages).at(-1)], [50, "m499"]);
  assert.equal(texts(messages.toReversed()).at(-1), "m499");
});
