// The messages of each step: nodes and workers as lanes, actions and outputs as arrows, workers at work as bars.

import { h } from "./dom.js";
import { keyProps, longList, rowProps, visibleRows } from "./list.js";
import { panel, quiet } from "./panel.js";
import { errorView } from "./errors.js";
import { messagesPage, messagesSize, shownStep, timelineKey, versionOf } from "./store.js";
import { timeView } from "./times.js";
import { actionInBrief, inBrief } from "./value.js";
import { counted } from "./words.js";

const messagesView = "messages";
const laneHeight = 44;
const laneHeadHeight = 34;
/** Arrows of a step in separate lines; further ones are counted. */
const mostLines = 2;
const mostLanes = 24;

/** The lane of all that is outside of the flow. */
const outsideLane = "";
const nodeLane = (path) => `node ${path}`;
const workerLane = ({ node, name, key = "" }) => `worker ${JSON.stringify([node, name, key])}`;
const isOfWorker = (lane) => lane.startsWith("worker ");

/** A lane in words. */
function laneName(lane) {
  if (lane === outsideLane) return "outside";
  if (!isOfWorker(lane)) return lane.slice("node ".length);
  const [node, name, key] = JSON.parse(lane.slice("worker ".length));
  return `${key ? `${name} ${key}` : name} of ${node}`;
}

/** The messages of a step, from lane to lane. */
export function arrowsOf(step, root) {
  const own = step.kind === "worker" ? workerLane({ node: step.node, name: step.worker, key: step.key }) : undefined;
  const sender = ({ source, node }) => {
    if (source.startsWith("child:")) return nodeLane(source.slice("child:".length));
    if (!source.startsWith("worker:")) return outsideLane;
    const name = source.slice("worker:".length);
    return own && step.worker === name && step.node === node ? own : workerLane({ node, name });
  };
  const arrows = (step.actions ?? []).map((sent) => ({ from: sender(sent), to: nodeLane(sent.node), text: actionInBrief(sent.action, 60) }));
  // The end of a worker may lead to no action.
  if (own && !arrows.length) arrows.push({ from: own, to: nodeLane(step.node), text: step.text || step.title });
  if (step.kind === "props") arrows.unshift({ from: outsideLane, to: nodeLane(root), text: "props" });
  for (const output of step.outputs ?? []) arrows.push({ from: nodeLane(root), to: outsideLane, text: inBrief(output, 60), isOutput: true });
  return arrows;
}

const byName = new Intl.Collator("en", { numeric: true }).compare;

/** Compares paths as a tree shows them: each node before its children. */
function byPath(one, other) {
  const [left, right] = [one.split("/"), other.split("/")];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const order = byName(left[index], right[index]);
    if (order) return order;
  }
  return left.length - right.length;
}

/**
 * The lanes of some pages: the outside, and the nodes in their order, each before its workers. If there are too many,
 * those with the fewest messages share the last lane.
 */
export function lanesOf(pages, root) {
  const found = new Map([[nodeLane(root), { name: nodeLane(root), node: root, uses: Infinity }]]);
  const use = (name, node, title) => {
    if (!found.has(name)) found.set(name, { name, node, title, uses: 0 });
    found.get(name).uses += 1;
  };
  const useWorker = ({ node, name, key }) => use(workerLane({ node, name, key }), node, key ? `${name} ${key}` : name);
  for (const { running, steps } of pages) {
    running.forEach(useWorker);
    for (const step of steps) {
      step.workers.forEach(useWorker);
      if (step.kind === "worker") useWorker({ node: step.node, name: step.worker, key: step.key });
      for (const { from, to } of arrowsOf(step, root)) {
        for (const end of [from, to]) if (end !== outsideLane && !isOfWorker(end)) use(end, laneName(end));
      }
    }
  }
  const most = [...found.values()].sort((one, other) => other.uses - one.uses).slice(0, mostLanes);
  const lanes = most.sort((one, other) => byPath(one.node, other.node) || byName(one.title ?? "", other.title ?? ""));
  const positions = new Map([[outsideLane, 0], ...lanes.map(({ name }, index) => [name, index + 1])]);
  const others = found.size - lanes.length;
  return { lanes, others, count: lanes.length + 1 + (others ? 1 : 0), at: (name) => positions.get(name) ?? lanes.length + 1 };
}

/** The lines of arrows such that those of a line do not overlap, and the number of arrows left out. */
export function linesOf(arrows, at) {
  const lines = [];
  let left = 0;
  for (const arrow of arrows) {
    const [from, to] = [at(arrow.from), at(arrow.to)];
    const [start, end] = [Math.min(from, to), Math.max(from, to)];
    const isFree = (line) => line.every((other) => other.end <= start || other.start >= end);
    let line = lines.find(isFree);
    if (!line && lines.length < mostLines) lines.push(line = []);
    if (line) line.push({ ...arrow, start, end, isBack: from > to });
    else left += 1;
  }
  return { lines, left };
}

/** The workers that run at each step of a page, and those that start or end there. */
export function barsOf({ running, steps }) {
  const names = (workers) => workers.map(workerLane);
  let now = new Set(names(running));
  const bars = steps.map((step) => {
    const before = now;
    now = new Set(before);
    for (const change of step.workers) {
      const [name] = names([change]);
      if (change.kind === "started") now.add(name);
      else now.delete(name);
    }
    return [...new Set([...before, ...now])].map((name) => ({ name, starts: !before.has(name), ends: !now.has(name) }));
  });
  return { bars };
}

/** The view of the messages. */
export function messagesPanel(state, context, root) {
  const count = state.of + 1;
  const scroll = state.scroll[messagesView];
  const { first, last } = visibleRows(count, scroll, laneHeight);
  const pages = new Map();
  let error;
  for (let number = Math.floor(Math.max(0, first - 1) / messagesSize); number * messagesSize < Math.max(1, last - 1); number++) {
    const page = messagesPage(number, state.of);
    const answer = context.ask(page.slot, { do: "messages", from: page.from, limit: messagesSize }, timelineKey(page, versionOf(state)));
    error ??= answer.error;
    if (answer.value) pages.set(number, { ...answer.value, ...barsOf(answer.value) });
  }
  const lanes = lanesOf([...pages.values()], root);
  const shown = shownStep(state);
  const go = { ArrowUp: shown - 1, ArrowDown: shown + 1, Home: 0, End: state.of, PageUp: Math.max(0, shown - 10), PageDown: Math.min(state.of, shown + 10) };
  const row = (step) => {
    const page = pages.get(Math.floor((step - 1) / messagesSize));
    const index = (step - 1) % messagesSize;
    return h("div", {
      ...rowProps(context, { role: "option", view: messagesView, path: step, selected: step === shown }),
      class: `lane-row${step > state.step ? " later" : ""}`, onclick: () => context.look(step),
    },
    h("span", { class: "number" }, counted(step)),
    step === 0 ? [h("span", { class: "lane-time quiet" }, "start"), barViews(pages.get(0)?.running.map((worker) => ({ name: workerLane(worker), starts: true })), lanes)]
      : page ? stepView(state, page.steps[index], page.bars[index], lanes, root) : h("span", { class: "lane-time quiet" }, "…"));
  };
  const list = longList(state, context, {
    view: messagesView, count, each: laneHeight, headHeight: laneHeadHeight, reveal: { of: `${shown}`, index: shown },
    head: laneHead(lanes),
    props: {
      ...keyProps(context, {
        role: "listbox", label: "Messages", view: messagesView, path: shown,
        pressed: ({ key, repeat }) => (go[key] >= 0 && go[key] <= state.of ? { type: "look", step: go[key], scrubs: repeat } : null),
      }),
      vars: { "--lanes": lanes.count },
    },
    row,
  });
  return panel(context, { name: "Messages", title: null, kind: "messages" }, error && errorView(error), list);
}

function laneHead({ lanes, others }) {
  const head = (name, key, props) => h("span", { key, class: "lane-name", ...props }, name);
  return h("div", { key: "head", class: "lane-head", role: "presentation" },
    head("outside", "outside", { class: "lane-name quiet" }),
    lanes.map(({ name, node, title }) => (title
      ? head(title, name, { class: "lane-name worker-name", title: `${title} of ${node}` })
      : head(node.split("/").at(-1), name, { title: node }))),
    others > 0 && head(`${counted(others)} others`, "others", { class: "lane-name quiet" }));
}

const barViews = (bars, lanes) => bars?.map(({ name, starts, ends }) =>
  h("span", { class: `bar${starts ? " starts" : ""}${ends ? " ends" : ""}`, vars: { "--of": lanes.at(name) } }));

function stepView(state, step, bars, lanes, root) {
  if (!step) return null;
  const { lines, left } = linesOf(arrowsOf(step, root), lanes.at);
  return [
    h("span", { class: "lane-time quiet" }, timeView(step.at, state.now)),
    barViews(bars, lanes),
    lines.map((line, index) => line.map((arrow) => {
      const kind = arrow.isOutput ? "output" : isOfWorker(arrow.from) ? "worker" : arrow.from === outsideLane ? step.kind : "inner";
      return h("span", {
        class: `arrow ${kind}${arrow.isBack ? " back" : ""}${arrow.start === arrow.end ? " self" : ""}`,
        title: `${laneName(arrow.from)} → ${laneName(arrow.to)}: ${arrow.text}`,
        vars: { "--start": arrow.start, "--span": arrow.end - arrow.start, "--line": lines.length === 1 ? 0.5 : index },
      }, h("span", { class: "arrow-text" }, h("span", { class: "hidden-text" }, `${laneName(arrow.from)} to ${laneName(arrow.to)}: `), arrow.text));
    })),
    left > 0 && h("span", { class: "lane-more" }, quiet(`+${left}`)),
    step.failure && h("span", { class: "lane-more bad", title: step.failure.message }, "failed"),
  ];
}
