import test from "node:test";
import assert from "node:assert/strict";
import { fieldValue, openFields, plainOf, textAs, words, Sinks } from "../../Sources/Web/CPages/inspector/forms.js";
import { sliceOf } from "../../Sources/Web/CPages/inspector/offline.js";

const sink = (type, fields = {}, node = "todo") => ({ $: "sink", node, action: { type, ...fields } });
const forms = [
  { workflow: "todo", action: "add", fields: [{ name: "text", seen: ["milk"] }] },
  { workflow: "a/b", action: "buy", fields: [{ name: "sku" }, { name: "quantity" }, { name: "gift", kind: "boolean" }, { name: "note", seen: [{ $: "record", of: 0, from: 0, entries: [] }] }] },
];

test("names are words", () => {
  assert.equal(words("clear_done"), "Clear done");
  assert.equal(words("unitPrice"), "Unit price");
  assert.equal(words("_"), "_");
  assert.equal(words("tic-tac-toe"), "Tic-tac-toe");
});

test("the open fields are those that the sink does not carry", () => {
  assert.deepEqual(openFields(sink("add"), forms), [{ name: "text", value: undefined, seen: ["milk"], kind: "text" }]);
  assert.deepEqual(openFields(sink("add", { text: "tea" }), forms), []);
  assert.deepEqual(openFields(sink("remove"), forms), []);
  assert.deepEqual(openFields(sink("add", {}, "todo/item:2"), forms), []);
});

test("fields that an action had are offered where the code tells nothing", () => {
  const seen = [...forms, { action: "put", fields: [{ name: "weight", seen: [40] }] }];
  assert.deepEqual(openFields(sink("put"), seen), [{ name: "weight", value: undefined, seen: [40], kind: "number" }]);
});

test("the kind of a field is that which the host knows, or of what was seen, or guessed by its name", () => {
  const fields = openFields(sink("buy", {}, "x/a%2Fb:k%3A1"), forms);
  assert.deepEqual(fields.map(({ kind }) => kind), ["text", "number", "boolean", "json"]);
  const beside = new Map([["sku", 12]]);
  assert.deepEqual(openFields(sink("buy", {}, "a%2Fb"), forms, beside)[0], { name: "sku", value: 12, seen: [], kind: "number" });
});

test("what was typed becomes a value", () => {
  const field = (kind, seen = []) => ({ name: "unit_price", kind, seen });
  assert.equal(fieldValue(field("text"), "12"), "12");
  assert.equal(fieldValue(field("text"), ""), undefined);
  assert.equal(fieldValue(field("text", ["milk"]), ""), "", "a text that was given before can be emptied");
  assert.equal(fieldValue(field("number"), "-1.5"), -1.5);
  assert.equal(fieldValue(field("number"), ""), undefined);
  assert.equal(fieldValue(field("boolean"), false), false);
  assert.deepEqual(fieldValue(field("json"), '{"a":[1]}'), { a: [1] });
  assert.throws(() => fieldValue(field("number"), "two"), { message: "Unit price is not a number." });
  assert.throws(() => fieldValue(field("number"), '"2"'), { message: "Unit price is not a number." });
  assert.throws(() => fieldValue(field("json"), "{a}"), { message: "Unit price is not written as JSON." });
});

test("lists are typed line by line", () => {
  const list = (seen = [], value) => ({ name: "tags", kind: "list", seen, value });
  assert.deepEqual(fieldValue(list(), "a\n\n b"), ["a", " b"]);
  assert.deepEqual(fieldValue(list([[1, 2]]), "3\n4.5"), [3, 4.5], "numbers where there were numbers");
  assert.deepEqual(fieldValue(list([["1"]]), "3"), ["3"]);
  assert.deepEqual(fieldValue(list(), "[1, [2]]"), [1, [2]]);
  assert.equal(fieldValue(list(), ""), undefined);
});

test("an option is the value that it stands for", () => {
  const field = { name: "size", kind: "text", seen: [], options: [{ value: 1, label: "One" }, { value: true, label: "Yes" }] };
  assert.equal(fieldValue(field, "1"), true);
  assert.equal(fieldValue(field, "0"), 1);
  assert.equal(fieldValue(field, ""), undefined);
});

test("whole numbers are whole", () => {
  assert.equal(fieldValue({ name: "n", kind: "integer", seen: [] }, "3"), 3);
  assert.throws(() => fieldValue({ name: "n", kind: "integer", seen: [] }, "1.5"), { message: "N is not a whole number." });
});

test("a refused text can be sent as another kind of value", () => {
  assert.equal(textAs("number", "12"), 12);
  assert.equal(textAs("number", "twelve"), undefined);
  assert.deepEqual(textAs("json", "[1]"), [1]);
  assert.equal(textAs("json", "12"), undefined, "which is a number");
  assert.equal(textAs("text", "12"), "12");
});

test("a slice that is a sink, or hidden, has no plain value", () => {
  assert.equal(plainOf({ $: "secret" }), undefined);
  assert.equal(plainOf(sink("add")), undefined);
});

test("a slice becomes the value that it was made of, or nothing if it was cut", () => {
  for (const value of [null, 1, "a", [1, [2]], { a: { b: [] } }]) assert.deepEqual(plainOf(sliceOf(value)), value);
  assert.equal(plainOf(sliceOf("a".repeat(1001))), undefined);
  assert.equal(plainOf(sliceOf({ a: { b: 1 } }, { depth: 1 })), undefined);
  assert.equal(plainOf(sliceOf([1, 2, 3], { limit: 2 })), undefined);
  assert.deepEqual(Object.keys(plainOf({ $: "record", of: 1, from: 0, entries: [["__proto__", 1]] })), ["__proto__"]);
});

test("a sink is sent once, however often it is clicked", async () => {
  const sent = [];
  let answer;
  const sinks = new Sinks((message) => { sent.push(message); return new Promise((resolve) => { answer = resolve; }); }, () => {});
  const first = sinks.send(sink("toggle"), { key: "a" }, {});
  assert.equal(await sinks.send(sink("toggle"), { key: "a" }, {}), false);
  answer();
  assert.equal(await first, true);
  assert.deepEqual(sent, [{ do: "send", node: "todo", action: { type: "toggle" } }]);
});

test("a refusal stands at the sink, until it is sent again", async () => {
  let fails = true;
  const sinks = new Sinks(async () => { if (fails) throw new Error("add needs a text"); }, () => {});
  assert.equal(await sinks.send(sink("add"), { key: "a" }, {}), false);
  assert.equal(sinks.place("a").error.message, "add needs a text");
  fails = false;
  assert.equal(await sinks.send(sink("add"), { key: "a" }, { text: "milk" }), true);
  assert.equal(sinks.place("a").error, undefined);
});

test("a sink that came in part is sent by its place", async () => {
  const sent = [];
  const sinks = new Sinks(async (message) => { sent.push(message); }, () => {});
  await sinks.send(sink("keep", { note: { $: "text", of: 5000, from: 0, start: "…" } }), { key: "a", path: "rows[1].keep", step: 3 }, { by: 1 });
  assert.deepEqual(sent, [{ do: "send", at: "rows[1].keep", step: 3, with: { by: 1 } }]);
});

test("sinks that are not shown any more are forgotten", async () => {
  const sinks = new Sinks(async () => {}, () => {});
  for (let round = 0; round < 100; round += 1) {
    sinks.place(`row ${round}`);
    sinks.end();
  }
  assert.equal(sinks.places.size, 1);
});
