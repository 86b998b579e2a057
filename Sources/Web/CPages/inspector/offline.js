// A host over a journal, for a saved page without a program.

import { parsePath, childPath } from "./path.js";
import { Moments, differences, entryOf } from "./moments.js";
import { HostError } from "./protocol.js";
import { isExact, readJSON, writeJSON } from "./json.js";

/** The longest text that is not cut. */
const wholeText = 1000;

/**
 * A slice of a plain value: `limit` entries from `from` on, and below them the first `limit`, up to `depth`
 * levels.
 */
export function sliceOf(value, { from = 0, limit = 100, depth = 3 } = {}) {
  if (value === undefined) return null;
  if (typeof value === "string") return textSlice(value, from, limit);
  if (value === null || typeof value !== "object" || isExact(value)) return value;
  const sink = entryOf(value, "$sink");
  const action = entryOf(sink, "action");
  if (action !== undefined) {
    const fields = Object.entries(action ?? {}).map(([key, field]) => [key, sliceOf(field, { limit })]);
    return { $: "sink", node: sink.node ?? "", action: Object.fromEntries(fields) };
  }
  const inner = { limit, depth: depth - 1 };
  if (Array.isArray(value)) {
    const list = { $: "list", of: value.length, from: Math.min(from, value.length) };
    if (depth > 0 || value.length === 0) {
      list.entries = value.slice(from, from + limit).map((entry) => sliceOf(entry, inner));
    }
    return list;
  }
  const keys = Object.keys(value).sort();
  const record = { $: "record", of: keys.length, from: Math.min(from, keys.length) };
  if (depth > 0 || keys.length === 0) {
    record.entries = keys.slice(from, from + limit).map((key) => [key, sliceOf(value[key], inner)]);
  }
  return record;
}

function textSlice(text, from, limit) {
  if (text === "[secret]") return { $: "secret" };
  if (text.length <= wholeText && from === 0) return text;
  return {
    $: "text", of: new TextEncoder().encode(text).length, from,
    start: text.slice(from, from + Math.max(limit, wholeText)),
  };
}

/** The journal of a saved page; `null` in a page with a program. */
export function savedJournal(page = document) {
  const element = page.getElementById("journal");
  return element && readJSON(element.textContent);
}

/** A host over the value of the request `journal`. */
export function openJournal(journal) {
  const { steps, flow, hash } = journal;
  const moments = new Moments(journal.first, steps);
  const last = steps.length;
  const entries = steps.map((step) => step.entry);
  const momentAt = (step) => {
    if (step >= 0 && step <= last) return moments.at(step);
    throw refusal("bad_request", `There is no step ${step}; the last one is ${last}.`);
  };

  const answers = {
    status: () => ({ flow, step: last, of: last, actions: [], working: false }),
    value({ of = "rendering", node, path = "", step = last, ...extent }) {
      const value = of === "input" ? steps[step - 1]?.input : whole(momentAt(step), of, node);
      return { step, path, slice: sliceOf(placeAt(value, path), extent) };
    },
    tree({ under, match, step = last, from = 0, limit = 100, depth = 2 }) {
      const tree = treeOf(momentAt(step));
      if (match !== undefined) {
        const found = momentAt(step).order.filter((path) => path.toLowerCase().includes(match.toLowerCase())).slice(0, limit);
        return { step, found: found.map((path) => tree.node(path, 0, 0, 0)) };
      }
      return { step, nodes: tree.count, tree: tree.node(under ?? tree.root, from, limit, depth) };
    },
    node({ path, step = last, limit = 50, depth = 2 }) {
      const moment = momentAt(step);
      const node = nodeOf(moment, path);
      const slice = (value) => (value === undefined ? undefined : sliceOf(value, { limit, depth }));
      return {
        step, path, name: node.name, key: node.key, children: treeOf(moment).children(path).length,
        props: slice(node.props), state: slice(node.state),
        workers: workersOf(node).map((worker) => ({ ...worker, input: slice(worker.input) })),
      };
    },
    diff: ({ from, to, limit = 100 }) => ({
      from, to, ...changesOf(momentAt(from), momentAt(to), limit), ...(to === from + 1 ? told(steps[from]) : {}),
    }),
    inputs({ from = 1, limit = 200, match, kinds }) {
      const word = match?.toLowerCase();
      const found = [];
      let index = Math.max(from, 1) - 1;
      for (; index < last && found.length < limit; index += 1) {
        const { text, title, node = "", kind } = entries[index];
        const fits = (kinds?.includes(kind) ?? true) && (!word || `${text}\n${title}\n${node}`.toLowerCase().includes(word));
        if (fits) found.push(entries[index]);
      }
      return { of: last, entries: found, ...(index < last ? { next: index + 1 } : {}) };
    },
    messages({ from = 1, limit = 100 }) {
      const known = (path, moment) => workersOf(entryOf(moment.nodes, path) ?? {});
      const before = from <= last ? momentAt(from - 1) : { order: [] };
      const running = before.order.flatMap((node) =>
        known(node, before).filter((worker) => !worker.ended).map(({ name, key }) => ({ node, name, key })));
      const found = steps.slice(from - 1, from - 1 + limit).map(({ entry, input, ...step }, index) => {
        const [old, now] = [momentAt(from - 1 + index), momentAt(from + index)];
        const { rendered, ...results } = told(step);
        const { worker, key } = entry.kind === "worker" ? input : {};
        const workers = [...new Set([...old.order, ...now.order])].flatMap((node) =>
          workerChanges(known(node, old), known(node, now)).map((change) => ({ ...change, node })));
        return { ...entry, worker, key, ...results, workers };
      });
      return { of: last, from, running, steps: found };
    },
    states({ by, from = 0, most = 2000 }) {
      const [subject, ...below] = parsePath(by) ?? [];
      if (!["rendering", "state", "props"].includes(subject)) throw refusal("bad_request", `'${by}' does not begin with rendering, state or props.`);
      const nameAt = (step) => stateName(valueAt(whole(momentAt(step), subject), below));
      const to = Math.min(last, from + most);
      const edges = new Map();
      const first = nameAt(from);
      let state = first;
      for (let step = from + 1; step <= to; step += 1) {
        const edge = { from: state, to: nameAt(step), by: entries[step - 1].title };
        const name = JSON.stringify(edge);
        if (edges.has(name)) edges.get(name).count += 1;
        else edges.set(name, { ...edge, count: 1, step });
        state = edge.to;
      }
      return { of: last, from, to, first, last: state, edges: [...edges.values()], ...(to < last ? { next: to } : {}) };
    },
    overview({ buckets = 500, from = 1, to = last }) {
      const part = entries.slice(from - 1, to);
      const rows = Array.from({ length: Math.min(buckets, part.length) }, () => [0, 0, 0]);
      part.forEach(({ kind }, index) => {
        rows[Math.floor((index * rows.length) / part.length)][["action", "worker", "props"].indexOf(kind)] += 1;
      });
      return { of: last, from, to, first: part[0]?.at, last: part.at(-1)?.at, buckets: rows };
    },
    journal: ({ from = 0, to = last }) => ({
      flow, hash, of: last, from, to, first: momentAt(from), steps: steps.slice(from, to),
    }),
    forms: () => ({ forms: [], orders: journal.orders ?? [] }),
  };

  return {
    scopes: ["view"], flow,
    async request({ do: name, ...message }) {
      const answer = entryOf(answers, name);
      if (!answer) throw refusal("offline", "A saved page has no program behind it.", "Open the session itself for that.");
      return answer(message);
    },
    onNews(listener) {
      queueMicrotask(() => listener({
        type: "news", v: 1, step: last, of: last, past: false, working: false, flow, hash, from: last,
        entries: [], changed: [], outputs: [], workers: [], errors: [], logs: [],
      }));
    },
    onState(listener) { queueMicrotask(() => listener("open")); },
    close() {},
  };
}

const refusal = (code, message, help) => new HostError({ code, message, help });

/** The value at a path. */
export function placeAt(value, path) {
  const steps = parsePath(path);
  if (!steps) throw refusal("bad_request", `'${path}' is not a path.`, "A path is like 'rows[1].done'.");
  return valueAt(value, steps);
}

const valueAt = (value, steps) =>
  steps.reduce((place, step) => entryOf(place, typeof step === "number" ? step - 1 : step), value);

/** The value of a field as the name of a state. */
function stateName(value) {
  if (typeof value === "string") return value.slice(0, 120);
  if (value === undefined || value === null) return "nil";
  return (isExact(value) ? value.text : writeJSON(value)).slice(0, 120);
}

function whole(moment, of, node) {
  return of === "rendering" ? moment.rendering : nodeOf(moment, node ?? moment.order[0])[of];
}

function nodeOf(moment, path) {
  const node = entryOf(moment.nodes, path);
  if (!node) throw refusal("unknown_node", `There is no node '${path}' at this step.`);
  return node;
}

const workersOf = (node) => node.workers ?? [];

/** The nodes of a moment by parent; nodes precede their children. */
function treeOf(moment) {
  const below = new Map();
  for (const path of moment.order) {
    const parent = path.slice(0, Math.max(path.lastIndexOf("/"), 0));
    if (!below.has(parent)) below.set(parent, []);
    below.get(parent).push(path);
  }
  const children = (path) => below.get(path) ?? [];
  const described = (path, from, limit, depth) => {
    const { name, key, ...node } = nodeOf(moment, path);
    const workers = workersOf(node);
    const whole = {
      path, name, ...(key === undefined ? {} : { key }), children: children(path).length, workers: workers.length,
      working: workers.filter((worker) => !worker.ended).length,
    };
    if (depth > 0) {
      whole.from = from;
      whole.entries = children(path).slice(from, from + limit).map((child) => described(child, 0, limit, depth - 1));
    }
    return whole;
  };
  return { root: moment.order[0], count: moment.order.length, children, node: described };
}

function changesOf(old, now, limit) {
  const nodes = [];
  for (const path of old.order) if (!entryOf(now.nodes, path)) nodes.push({ path, kind: "vanished" });
  for (const path of now.order) {
    const [before, after] = [entryOf(old.nodes, path), entryOf(now.nodes, path)];
    if (!before) nodes.push({ path, kind: "appeared" });
    else if (before !== after) {
      const changed = { path, kind: "changed" };
      for (const of of ["state", "props"]) {
        const changes = changesBetween(before[of], after[of], limit);
        if (changes.count > 0) changed[of] = changes;
      }
      const workers = workerChanges(workersOf(before), workersOf(after));
      if (workers.length > 0) changed.workers = workers;
      if (Object.keys(changed).length > 2) nodes.push(changed);
    }
  }
  return {
    rendering: changesBetween(old.rendering, now.rendering, limit), nodes: nodes.slice(0, limit), count: nodes.length,
  };
}

function changesBetween(old, value, limit) {
  const { count, changes } = differences(old, value, limit);
  const slice = (side) => (side === undefined ? undefined : sliceOf(side, { depth: 2, limit: 20 }));
  return {
    count,
    changes: changes.map(({ path, kind, old: before, new: after }) =>
      ({ path: path.reduce(childPath, ""), kind, old: slice(before), new: slice(after) })),
  };
}

function workerChanges(old, now) {
  const named = (worker) => `${worker.name}\n${worker.key ?? ""}`;
  const before = new Map(old.map((worker) => [named(worker), worker]));
  const changes = [];
  for (const worker of now) {
    const known = before.get(named(worker));
    before.delete(named(worker));
    if (!known) changes.push({ name: worker.name, key: worker.key, kind: "started" });
    else if (worker.ended && !known.ended) changes.push({ name: worker.name, key: worker.key, kind: "ended" });
  }
  for (const { name, key } of before.values()) changes.push({ name, key, kind: "gone" });
  return changes;
}

/** The parts of a step that only a session could compute. */
const told = ({ actions = [], outputs = [], rendered = [], failure }) => ({ rendered, actions, outputs, failure });
