import assert from "node:assert/strict";
import { test } from "node:test";
import { findKey, initialState, isLooking, pageSize, reduce, searchKey, shownStep, timelineKey, timelinePage } from "../../Sources/Web/CPages/inspector/store.js";

const entry = (step) => ({ step, at: step, kind: "action", title: "add", text: `add ${step}` });
const entries = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => entry(from + index));
const news = (step, more = {}) => ({ type: "news", step, of: step, past: false, working: false, hash: "a", ...more });
const after = (messages, state = initialState) => messages.reduce(reduce, state);

test("an unknown message changes nothing, whatever its name", () => {
  for (const type of ["nothing", "toString", "__proto__"]) assert.equal(reduce(initialState, { type }), initialState);
});

test("what is looked at stays while the session goes on", () => {
  const state = after([news(4), { type: "look", step: 2 }, news(5)]);
  assert.equal(shownStep(state), 2);
  assert.equal(shownStep(after([{ type: "look", step: null }], state)), 5);
});

test("looking at the step of the session is no looking", () => {
  assert.equal(after([news(4), { type: "look", step: 4 }]).look, null);
  assert.equal(after([news(4), { type: "look", step: 99 }]).look, null);
  assert.equal(after([news(4), { type: "look", step: -1 }]).look, 0);
});

test("what is looked at stays while others move the session through it", () => {
  const here = after([news(4), { type: "look", step: 2 }, news(2, { of: 4, past: true })]);
  assert.deepEqual([here.look, isLooking(here)], [2, true]);
  assert.equal(reduce(here, news(3, { of: 4, past: true })).look, 2);
});

test("the page that takes the session to a step goes with it", () => {
  const taking = after([news(4), { type: "look", step: 2 }, { type: "set", takes: true }]);
  const there = news(2, { of: 4, past: true });
  assert.equal(reduce(taking, news(5)).look, 2);
  assert.equal(reduce(taking, there).look, null);
  for (const other of [{ type: "failed", error: { message: "no" } }, { type: "look", step: 2 }]) {
    assert.equal(after([other, there], taking).look, 2);
  }
});

test("a look at a step that is given up ends, and says so", () => {
  const looking = after([news(4), { type: "look", step: 3 }]);
  for (const more of [news(2, { cut: 2 }), news(6, { cut: 2 })]) {
    const state = reduce(looking, more);
    assert.deepEqual([state.look, state.notice], [null, "Step 3, which you looked at, was given up."]);
  }
  // A reload gives nothing up.
  for (const hash of ["a", "b"]) {
    const state = reduce(looking, news(4, { cut: 0, hash }));
    assert.deepEqual([state.look, state.notice], [3, ""]);
  }
});

test("steps that were given up are forgotten", () => {
  const outputs = [{ step: 1, output: 1 }, { step: 3, output: 3 }];
  const state = after([
    news(3, { outputs }), { type: "reloaded", changed: [1, 3] }, { type: "look", step: 3 }, { type: "filter", text: "x" },
    { type: "answered", slot: "search", key: '{"kinds":[],"text":"x"} 1 1', value: { of: 3, entries: entries(3, 3) } },
  ]);
  assert.equal(state.found.entries.length, 1);
  const cut = reduce(state, news(2, { cut: 2 }));
  assert.deepEqual(cut.outputs, [outputs[0]]);
  assert.deepEqual(cut.marks, [1]);
  assert.deepEqual(cut.found, { entries: [], next: 1 });
  assert.equal(cut.look, null);
  assert.ok(cut.epoch > state.epoch);
});

test("the steps that a load has changed stay marked, whether its answer or its news come first", () => {
  const load = [{ type: "reloaded", changed: [2, 3], hash: "b" }, news(3, { cut: 0, hash: "b" })];
  for (const messages of [load, load.toReversed()]) {
    const state = after([news(3), ...messages]);
    assert.deepEqual(state.marks, [2, 3]);
    // What is given up then is not, and other code marks others.
    assert.deepEqual(reduce(state, news(2, { cut: 2, hash: "b" })).marks, [2]);
    assert.deepEqual(reduce(state, news(3, { cut: 0, hash: "c" })).marks, []);
  }
});

test("outputs, logs and errors are bounded", () => {
  const many = Array.from({ length: 500 }, (_, index) => ({ step: index, message: String(index) }));
  const state = after([news(1), news(1, { outputs: many, logs: many, errors: many })]);
  assert.deepEqual([state.outputs.length, state.logs.length, state.errors.length], [100, 200, 20]);
  assert.equal(state.logs.at(-1).message, "499");
});

test("an error is shown until something else has worked", () => {
  const failed = after([news(1), news(1, { errors: [{ message: "no" }] })]);
  assert.equal(failed.errors.length, 1);
  assert.equal(reduce(failed, news(1)).errors.length, 1);
  assert.equal(reduce(failed, news(2)).errors.length, 0);
});

test("news are put at the end of the pages of the timeline that are known", () => {
  const page = timelinePage(0, 3);
  const state = after([news(3), { type: "answered", slot: page.slot, key: timelineKey(page, "0 a"), value: { of: 3, entries: entries(1, 3) } }]);
  const longer = reduce(state, news(5, { entries: entries(4, 5) }));
  assert.equal(longer.answers[page.slot].value.entries.length, 5);
  assert.equal(longer.answers[page.slot].key, timelineKey(timelinePage(0, 5), "0 a"));
  // What came is not all that there is: the page is asked for.
  const gap = reduce(state, news(9, { entries: entries(8, 9) }));
  assert.equal(gap.answers[page.slot], state.answers[page.slot]);
});

test("news go on to the next page", () => {
  const page = timelinePage(0, pageSize - 1);
  const state = after([
    news(pageSize - 1), { type: "answered", slot: page.slot, key: timelineKey(page, "0 a"), value: { entries: entries(1, pageSize - 1) } },
    news(pageSize + 2, { entries: entries(pageSize, pageSize + 2) }),
  ]);
  assert.equal(state.answers["inputs 0"].value.entries.length, pageSize);
  assert.deepEqual(state.answers["inputs 1"].value.entries, entries(pageSize + 1, pageSize + 2));
});

test("what fails shows no value of another step", () => {
  const known = reduce(initialState, { type: "answered", slot: "node", key: "1", value: 7 });
  const failed = reduce(known, { type: "answered", slot: "node", key: "2", error: { message: "no" } });
  assert.deepEqual({ ...failed.answers.node }, { key: "2", value: undefined, error: { message: "no" } });
});

test("a request that is lost is unanswered, of each kind", () => {
  const error = { code: "connection", message: "lost" };
  let state = after([news(9), { type: "answered", slot: "node", key: "1", value: 7 }, { type: "filter", text: "m" }, { type: "find", expression: "x" }]);
  const keys = { node: "2", search: searchKey(state), find: findKey(state) };
  for (const [slot, key] of Object.entries(keys)) {
    state = reduce(state, { type: "answered", slot, key, error });
    assert.deepEqual(state.answers[slot], { error });
  }
  assert.deepEqual([searchKey(state), findKey(state)], [keys.search, keys.find]);
});

test("a late answer to another search is no result", () => {
  const first = after([news(9), { type: "filter", text: "m" }]);
  const key = searchKey(first);
  const second = reduce(first, { type: "filter", text: "mi" });
  assert.equal(after([{ type: "answered", slot: "search", key, value: { of: 9, entries: entries(1, 3) } }], second).found.entries.length, 0);
  const found = after([{ type: "answered", slot: "search", key: searchKey(second), value: { of: 9, entries: entries(1, 1), next: 5 } }], second);
  assert.deepEqual(found.found, { entries: entries(1, 1), next: 5 });
});

test("a question is asked on until there is an answer", () => {
  let state = after([news(9000), { type: "find", expression: "x" }]);
  state = reduce(state, { type: "answered", slot: "find", key: findKey(state), value: { next: 2001 } });
  assert.equal(state.find.from, 2001);
  const late = findKey(state);
  state = reduce(state, { type: "answered", slot: "find", key: findKey(state), value: { step: 2500 } });
  assert.deepEqual([state.find.step, state.look], [2500, 2500]);
  const other = reduce(state, { type: "find", expression: "y" });
  assert.equal(reduce(other, { type: "answered", slot: "find", key: late, value: { step: 1 } }).find.step, undefined);
  assert.equal(reduce(other, { type: "answered", slot: "find", key: findKey(other), value: {} }).find.none, true);
});

test("everything is asked again when the connection is back", () => {
  const lost = after([news(1), { type: "connection", to: "lost" }]);
  assert.equal(reduce(lost, { type: "connection", to: "open" }).epoch, lost.epoch + 1);
});
