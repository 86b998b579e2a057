// Any plain value is drawn, changed to another one and back: no exception, and each sink has one control with a name.
// VALUES says how many, 4,000 unless it is set; SEED draws the same ones again.

import test from "node:test";
import assert from "node:assert/strict";
import { makePage } from "./elements.mjs";

makePage();
const { RenderingView } = await import("../../Sources/Web/CPages/inspector/rendering.js");
const { exactNumber } = await import("../../Sources/Web/CPages/inspector/json.js");
const { sliceOf } = await import("../../Sources/Web/CPages/inspector/offline.js");
const { valueRows } = await import("../../Sources/Web/CPages/inspector/value.js");

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32));
const count = Number(process.env.VALUES ?? 4000);

/** Random numbers from 0 to 1, the same ones for a seed. */
function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

class Values {
  constructor(seed) { this.random = numbers(seed); }
  below(limit) { return Math.floor(this.random() * limit); }
  one(list) { return list[this.below(list.length)]; }

  text() {
    return this.one(["", " ", "a", "Milk", "two words", "a\nb", "\u200b", "ü😀", "x".repeat(200), "y".repeat(3000), "[secret]", "<b>no</b>", "__proto__"]);
  }

  key() {
    return this.one([
      "title", "name", "screen", "message", "error", "rows", "items", "count", "total", "done", "text", "toggle", "add", "delete", "back",
      "author", "at", "children", "cards", "price", "$view", "$sink", "$", "$number", "reset", "edit",
      "", " ", "\u200b", "main.lua", "util.lua", "a]", "b]", "[1]", "1", "unit price", "constructor", "toString", "\"quoted\"", "\u0000", "heading", "actions",
    ]);
  }

  scalar() {
    return this.one([
      () => this.text(), () => this.below(100), () => -1.5, () => exactNumber(this.one(["9007199254740993", "1.0", "1e300", "-0.0"])),
      () => null, () => true, () => false,
    ])();
  }

  sink() {
    const action = { type: this.one(["add", "toggle", "", " ", "z".repeat(2000), this.text()]) };
    for (let left = this.below(3); left > 0; left -= 1) action[this.key()] = this.one([this.scalar(), [this.scalar()], { a: this.scalar() }]);
    return { $sink: { node: this.one(["f", "f/row:1", "f/row:a%2Fb", ""]), action } };
  }

  /** Hints as flows write them, and others that mean nothing. */
  hints() {
    const keyed = (make) => Object.fromEntries([[this.key(), make()], [this.key(), make()]]);
    const shown = () => this.one(["board", "table", "chat", "form", "text", "list", "cards", "tree", "nonsense", "", 3, null]);
    const said = { as: this.one([shown, () => keyed(shown)])() };
    if (this.below(2)) said.order = this.one([[this.key(), this.key()], "title", 7, [1, null, {}]]);
    if (this.below(2)) said.label = this.one([keyed(() => this.scalar()), "no", []]);
    if (this.below(2)) said.options = this.one([keyed(() => [1, "two", { value: 3, label: "Three" }, null]), keyed(() => this.scalar()), []]);
    if (this.below(2)) said.format = keyed(() => this.one(["percent", "money EUR", "money nothing", "date", "time", "bytes", "number 2", "number x", "plain", "text", "link", "code", "", 9]));
    if (this.below(2)) said[this.one(["confirm", "primary"])] = this.one([true, false, this.key(), [this.key()], { a: 1 }, 0]);
    return this.below(20) ? said : this.one([3, "text", [], { sink: this.sink() }]);
  }

  /** Sometimes with hints. */
  hinted(record) { return this.below(4) ? record : { ...record, $view: this.hints() }; }

  list(make) { return Array.from({ length: this.below(60) === 0 ? 60 : this.below(5) }, make); }

  record(make) { return Object.fromEntries(this.list(() => [this.key(), make()])); }

  value(depth) {
    if (depth === 0) return this.scalar();
    const inner = () => this.value(depth - 1);
    return this.one([
      () => this.scalar(), () => this.sink(), () => this.record(inner), () => this.hinted(this.record(inner)),
      () => this.list(() => this.hinted({ author: this.scalar(), text: this.text(), at: this.scalar(), act: this.sink() })),
      () => this.list(() => ({ name: this.text(), cards: this.list(() => this.hinted(this.record(inner))) })), () => this.list(inner), () => { const alike = inner(); return this.list(() => alike); },
      () => this.list(() => this.list(() => this.scalar())), () => this.list(() => this.record(() => this.one([this.scalar(), this.sink()]))),
    ])();
  }
}

/** The sinks of a slice, as far as it is shown. */
function sinksOf(slice) {
  if (slice?.$ === "sink") return 1;
  if (slice?.$ === "list") return (slice.entries ?? []).reduce((sum, entry) => sum + sinksOf(entry), 0);
  if (slice?.$ === "record") return (slice.entries ?? []).reduce((sum, [, entry]) => sum + sinksOf(entry), 0);
  return 0;
}

const isSeen = (text) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

function check(view, slice) {
  const all = view.element.querySelectorAll(".sink");
  const fail = (what) => assert.fail(`${what}, in ${JSON.stringify(slice)}`);
  if (all.length !== sinksOf(slice)) fail(`${all.length} controls for ${sinksOf(slice)} sinks`);
  for (const sink of all) {
    const controls = [...sink.querySelectorAll("button"), ...sink.querySelectorAll("label")];
    if (!isSeen(controls[0]?.textContent ?? "")) fail("a sink without a name");
  }
}

test(`any value is drawn (SEED=${seed})`, () => {
  const failures = [];
  const report = console.error;
  console.error = (error) => failures.push(error);
  const forms = [
    { action: "add", fields: [{ name: "text", kind: "string", seen: [], sets: true }] },
    { action: "toggle", fields: [{ name: "done", seen: [true] }, { name: "count", seen: [1], default: 2 }] },
    { action: "Milk", fields: ["title", "name", "count", "items"].map((name) => ({ name, sets: true })) },
    { action: "two words", fields: ["string", "number", "integer", "boolean", "list", "record"].map((kind) => ({ name: kind, kind, seen: [null] })) },
  ];
  const view = new RenderingView({ request: () => new Promise(() => {}) });
  view.sinks.forms = forms;
  view.orders = [["title", "items", "add", "done"], ["name", "count", "toggle"], ["constructor", "toString"]];
  let last;
  try {
    for (let index = 0; index < count; index += 1) {
      const value = new Values(seed + index).value([1, 2, 2, 3, 1, 2, 3, 4][index % 8]);
      const slice = sliceOf(value, { depth: 4, limit: 50 });
      // Some of the sinks were refused, ask, or take further fields.
      for (const place of view.sinks.places.values()) {
        if (index % 3 === 0) place.error = Object.assign(new Error(index % 2 ? "" : "add needs a text"), { code: "lua" });
        if (index % 5 === 0) place.takesMore = true;
        if (index % 7 === 0) place.asking = () => {};
      }
      for (const shown of [slice, last ?? slice, slice]) {
        view.show(shown, { step: index });
        check(view, shown);
      }
      valueRows(slice, { deeper: () => undefined });
      assert.deepEqual(failures, [], `value ${index} of SEED=${seed}`);
      last = slice;
    }
  } finally {
    console.error = report;
  }
});

test("a value that cannot be shown takes no other with it", () => {
  const report = console.error;
  console.error = () => {};
  try {
    const view = new RenderingView({ request: () => new Promise(() => {}) });
    view.sinks.forms = [];
    const broken = { $: "list", of: 1, get entries() { throw new Error("broken"); }, toJSON: () => "broken" };
    view.show({ $: "record", of: 2, entries: [["a", "seen"], ["b", broken]] }, { step: 1 });
    assert.match(view.element.textContent, /seen.*This value cannot be shown\./s);
  } finally {
    console.error = report;
  }
});

test("a refusal without a reason is shown", async () => {
  const view = new RenderingView({ request: () => Promise.reject(Object.assign(new Error(""), { code: "lua" })) });
  view.sinks.forms = [];
  view.show(sliceOf({ fail: { $sink: { node: "f", action: { type: "fail" } } } }), { step: 1 });
  view.element.querySelectorAll("button")[0].onclick();
  await new Promise((resolve) => setImmediate(resolve));
  assert.match(view.element.textContent, /It was refused without a reason\./);
});
