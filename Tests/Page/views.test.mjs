import assert from "node:assert/strict";
import { test } from "node:test";
import { commandsOf } from "../../Sources/Web/CPages/inspector/commands.js";
import { arrowsOf, barsOf, lanesOf, linesOf } from "../../Sources/Web/CPages/inspector/lanes.js";
import { openJournal } from "../../Sources/Web/CPages/inspector/offline.js";
import { matching } from "../../Sources/Web/CPages/inspector/palette.js";
import { layoutOfChart } from "../../Sources/Web/CPages/inspector/states.js";
import { chartFields, chartKey, initialState, reduce, withEdges } from "../../Sources/Web/CPages/inspector/store.js";
import { ago, exactTime } from "../../Sources/Web/CPages/inspector/times.js";
import { ticksOf } from "../../Sources/Web/CPages/inspector/timeline.js";
import { makeJournal } from "./journal.mjs";

const record = (fields) => ({ $: "record", of: fields.length, from: 0, entries: Object.entries(fields) });
const sent = (node, type, source = "client") => ({ node, action: record({ type }), source });
const action = (step, actions, more = {}) => ({ step, at: step, kind: "action", node: actions[0].node, actions, outputs: [], workers: [], ...more });

test("a step is arrows from who sent to whom", () => {
  const toggled = action(1, [sent("todo/item:2", "toggle"), sent("todo", "toggle", "child:todo/item:2")], { outputs: [record({ count: 1 })] });
  assert.deepEqual(arrowsOf(toggled, "todo"), [
    { from: "", to: "node todo/item:2", text: "toggle" }, { from: "node todo/item:2", to: "node todo", text: "toggle" },
    { from: "node todo", to: "", text: "{ count = 1 }", isOutput: true },
  ]);
  const worker = { step: 2, kind: "worker", node: "a", worker: "clock.every", key: "k", title: "clock.every output", workers: [] };
  const own = 'worker ["a","clock.every","k"]';
  assert.deepEqual(arrowsOf({ ...worker, actions: [sent("a", "tick", "worker:clock.every"), sent("b", "tick", "worker:clock.every")] }, "a").map((arrow) => arrow.from),
    [own, 'worker ["b","clock.every",""]']);
  // The end of a worker leads to no action.
  assert.deepEqual(arrowsOf({ ...worker, actions: [] }, "a"), [{ from: own, to: "node a", text: "clock.every output" }]);
  assert.deepEqual(arrowsOf({ step: 3, kind: "props", workers: [] }, "a"), [{ from: "", to: "node a", text: "props" }]);
});

test("lanes are nodes in the order of the tree, each before its workers", () => {
  const page = {
    running: [{ node: "r", name: "clock.every" }],
    steps: [
      action(1, [sent("r/item:10", "go")]), action(2, [sent("r/item:2", "go")]), action(3, [sent("r/item:2/part", "go")]),
      action(4, [sent("r/item:2", "go")], { workers: [{ node: "r/item:2", name: "http.get", key: "k", kind: "started" }] }),
    ],
  };
  const { lanes, at, count, others } = lanesOf([page], "r");
  assert.deepEqual(lanes.map(({ node, title }) => title ?? node), ["r", "clock.every", "r/item:2", "http.get k", "r/item:2/part", "r/item:10"]);
  assert.deepEqual([at(""), at("node r"), at("node r/item:10"), count, others], [0, 1, 6, 7, 0]);
});

test("lanes beyond the most share the last one", () => {
  const steps = Array.from({ length: 200 }, (_, index) => action(index + 1, [sent(index % 2 ? "r/often" : `r/${index}`, "go")]));
  const { lanes, at, count, others } = lanesOf([{ running: [], steps }], "r");
  assert.deepEqual([lanes.length, count, others], [24, 26, 102 - 24]);
  assert.ok(lanes.some(({ node }) => node === "r/often") && lanes.some(({ node }) => node === "r"));
  assert.equal(at("node r/198"), 25);
});

test("arrows that overlap are in lines below each other, and some are counted", () => {
  const at = Number;
  const arrows = [["0", "2"], ["2", "1"], ["2", "4"], ["3", "0"], ["4", "4"]].map(([from, to]) => ({ from, to }));
  const { lines, left } = linesOf(arrows, at);
  assert.deepEqual(lines.map((line) => line.map(({ from, to }) => from + to)), [["02", "24", "44"], ["21"]]);
  assert.equal(left, 1);
  assert.deepEqual(lines[1].map(({ start, end, isBack }) => [start, end, isBack]), [[1, 2, true]]);
});

test("a worker is a bar from its start to its end", () => {
  const change = (kind) => ({ node: "r", name: "w", kind });
  const steps = [[], [change("gone")], [], [change("started")], [change("ended")], [change("started"), change("gone")]].map((workers) => ({ workers }));
  const { bars } = barsOf({ running: [{ node: "r", name: "w" }], steps });
  assert.deepEqual(bars.map(([bar]) => bar && [bar.starts, bar.ends]), [
    [false, false], [false, true], undefined, [true, false], [false, true], undefined,
  ]);
});

test("a journal has the messages of its steps", async () => {
  const host = openJournal(makeJournal({ steps: 9 }));
  const { running, steps, of } = await host.request({ do: "messages", from: 3, limit: 2 });
  assert.deepEqual([of, running], [9, [{ node: "todo", name: "clock.every", key: "" }]]);
  assert.deepEqual(steps.map(({ step, kind, actions }) => [step, kind, actions.map(({ node }) => node)]), [
    [3, "action", ["todo/item:2", "todo"]], [4, "action", ["todo"]],
  ]);
  assert.deepEqual((await host.request({ do: "messages", from: 99 })).steps, []);
});

test("a journal has the states of a field, in parts as in whole", async () => {
  const host = openJournal(makeJournal({ steps: 9 }));
  const whole = await host.request({ do: "states", by: "rendering.title" });
  assert.deepEqual([whole.first, whole.last, whole.next], ["0 of 0 done", "3 of 6 done", undefined]);
  assert.deepEqual(whole.edges[0], { from: "0 of 0 done", to: "0 of 1 done", by: "add", count: 1, step: 1 });
  let chart = { by: "rendering.title", edges: [] };
  for (let from = 0; from !== undefined;) {
    const part = await host.request({ do: "states", by: "rendering.title", from, most: 2 });
    chart = withEdges(chart, part);
    from = part.next;
  }
  assert.deepEqual([chart.edges, chart.first, chart.last], [whole.edges, whole.first, whole.last]);
  assert.equal((await host.request({ do: "states", by: "state.next_id", most: 1 })).last, "2");
  assert.equal((await host.request({ do: "states", by: "props.none" })).first, "nil");
  await assert.rejects(host.request({ do: "states", by: "title" }), { code: "bad_request" });
});

test("a journal's nodes are found by a text", async () => {
  const host = openJournal(makeJournal({ steps: 0, rows: 30 }));
  const { found } = await host.request({ do: "tree", match: "ITEM:2", limit: 4 });
  assert.deepEqual(found.map(({ path }) => path), ["todo/item:2", "todo/item:20", "todo/item:21", "todo/item:22"]);
});

test("a chart is asked for in parts, as long as there are further steps", () => {
  const news = (of, more) => ({ type: "news", step: of, of, past: false, working: false, hash: "a", ...more });
  let state = reduce(reduce(initialState, news(0)), { type: "chart", by: "state.step" });
  const answer = (to) => ({ type: "answered", slot: "states", key: chartKey(state), value: { to, first: "a", last: "a", edges: [{ from: "a", to: "a", by: "x", count: 1, step: 1 }] } });
  assert.ok(chartKey(state));
  state = reduce(state, answer(0));
  assert.equal(chartKey(state), null);
  state = reduce(state, news(2));
  state = reduce(state, answer(2));
  assert.equal(chartKey(state), null);
  assert.equal(state.chart.edges[0].count, 2);
  // Steps that are given up are not in it.
  state = reduce(state, news(1, { cut: 1 }));
  assert.deepEqual([state.chart.to, state.chart.edges], [0, []]);
  // A late answer to another question is dropped.
  const late = answer(1);
  state = reduce(state, { type: "chart", by: "state.other" });
  assert.deepEqual(reduce(state, late).chart.edges, []);
});

test("fields that name states come first", () => {
  const node = { state: record({ items: record({}), name: "x", running: true, screen: "cart", "two words": "x" }), props: record({ mode: "fast" }) };
  assert.deepEqual(chartFields(node), ["state.screen", "props.mode", "state.name", "state.running"]);
  assert.deepEqual(chartFields(undefined), []);
});

test("states stand in columns by their distance from the first", () => {
  const edge = (from, to, by = "go") => ({ from, to, by, count: 1, step: 1 });
  const { places, ways, width, height } = layoutOfChart({ first: "a", last: "d", edges: [edge("a", "b"), edge("a", "c"), edge("b", "d"), edge("c", "d"), edge("d", "a", "back"), edge("d", "a", "undo"), edge("d", "d")] });
  const column = (name) => places.get(name).x;
  assert.ok(column("a") < column("b") && column("b") === column("c") && column("c") < column("d"));
  assert.equal(ways.length, 6);
  assert.deepEqual(ways.find(({ from, to }) => from === "d" && to === "a").edges.map(({ by }) => by), ["back", "undo"]);
  for (const { curve } of ways) {
    assert.equal(curve.length, 4);
    for (const { x, y } of curve) assert.ok(x > -20 && x < width + 20 && y > -20 && y < height + 20, `${x} ${y}`);
  }
  assert.equal(layoutOfChart({ first: "only", last: "only", edges: [] }).places.size, 1);
});

test("commands are found by words, those that begin with them first", () => {
  const names = (text) => matching([{ name: "Take here" }, { name: "Undo" }, { name: "Look here" }, { name: "Here" }], text).map(({ name }) => name);
  assert.deepEqual(names("here"), ["Here", "Take here", "Look here"]);
  assert.deepEqual(names("HE ta"), ["Take here"]);
  assert.equal(names("").length, 4);
});

test("a command that is impossible cannot be run", () => {
  const state = { ...initialState, connection: "open", scopes: ["view", "travel"], step: 2, of: 4, past: true, known: true };
  const possible = (more) => commandsOf({ ...state, ...more }, { save: undefined }).filter(({ run }) => run).map(({ name }) => name);
  assert.ok(["Undo", "Redo", "Return to the end", "Go on from here…", "Show messages"].every((name) => possible().includes(name)));
  assert.ok(!possible().includes("Reload files") && !possible().includes("Interrupt") && !possible().includes("Back to now"));
  assert.ok(!possible({ scopes: ["view"] }).includes("Undo"));
  assert.ok(!possible({ connection: "lost" }).includes("Undo"));
  assert.ok(possible({ look: 1 }).includes("Take the session here"));
  const keys = commandsOf(state, {}).map(({ key }) => key).filter(Boolean);
  assert.equal(new Set(keys).size, keys.length);
});

test("times are said as seen from now, with the exact one behind", () => {
  const now = Date.UTC(2026, 10, 22, 12);
  const said = [0, 999, 12_400, 59_999, 125_000, 3_600_000, 86_399_000].map((past) => ago(now - past, now));
  assert.deepEqual(said, ["now", "now", "12 s ago", "59 s ago", "2 min ago", "1 h ago", "23 h ago"]);
  assert.equal(ago(now + 5000, now), "now");
  assert.equal(ago(now - 90_000_000, now), exactTime(now - 90_000_000).slice(0, 16));
  assert.match(exactTime(now + 7), /^2026-11-2\d \d\d:\d\d:00\.007$/);
});

test("the scale has as many numbers as can be read", () => {
  assert.deepEqual(ticksOf({ from: 0, to: 9 }, 20), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  assert.deepEqual(ticksOf({ from: 0, to: 100_000 }, 6), [0, 20_000, 40_000, 60_000, 80_000, 100_000]);
  assert.deepEqual(ticksOf({ from: 250, to: 750 }, 6), [300, 400, 500, 600, 700]);
  for (const to of [0, 1, 7, 99, 12_345, 1e6]) for (const room of [0.5, 1, 3, 12]) assert.ok(ticksOf({ from: 0, to }, room).length <= Math.max(1, room) + 1);
});
