// The timeline: a ribbon of all steps for scrubbing, and the list of inputs.

import { h } from "./dom.js";
import { bare, panel } from "./panel.js";
import { keyProps, longList, rowProps, visibleRows } from "./list.js";
import { errorView } from "./errors.js";
import { can, findKey, may, pageSize, searchKey, shownStep, timelineKey, timelinePage, versionOf } from "./store.js";
import { ago, timeView, timeWords } from "./times.js";
import { counted } from "./words.js";

const inputKinds = { action: "Actions", worker: "Workers", props: "Props" };
const mostBuckets = 500;

/** The first and last step of the ribbon. */
export const shownRange = (state) => state.zoom ?? { from: 0, to: state.of };

/** The step at a position of the ribbon, from 0 to 1. */
export function stepAt(place, { from, to }) {
  return Math.max(from, Math.min(to, from + Math.floor(place * (to - from + 1))));
}

/** The steps with a number on the scale, of which `room` can be read. */
export function ticksOf({ from, to }, room) {
  const each = (to - from + 1) / Math.max(1, room);
  const power = 10 ** Math.max(0, Math.floor(Math.log10(each)));
  const apart = [1, 2, 5, 10].map((factor) => factor * power).find((steps) => steps >= each);
  const ticks = [];
  for (let step = Math.ceil(from / apart) * apart; step <= to; step += apart) ticks.push(step);
  return ticks;
}

/** Half or double the range around the shown step; nothing if that is all steps. */
export function zoomed(state, factor) {
  const { from, to } = shownRange(state);
  const size = Math.max(20, Math.round((to - from + 1) * factor));
  if (size > state.of) return null;
  const start = Math.max(0, Math.min(shownStep(state) - Math.floor(size / 2), state.of - size + 1));
  return { from: start, to: start + size - 1 };
}

/** The entry of a step, if its page was loaded. */
export function entryOfStep(state, context, step) {
  if (step < 1 || step > state.of) return undefined;
  const page = timelinePage(Math.floor((step - 1) / pageSize), state.of);
  const { value } = context.ask(page.slot, { do: "inputs", from: page.from, limit: pageSize },
    timelineKey(page, versionOf(state)));
  return value?.entries[(step - 1) % pageSize];
}

/** The panel of the timeline; nothing before the first step. */
export function timelinePanel(state, context) {
  if (!state.of) return null;
  const { zoom, find, found } = state;
  const range = shownRange(state);
  // A long timeline is not recounted for each new step.
  const coarse = zoom ? "" : Math.floor(state.of / Math.ceil(state.of / (2 * mostBuckets)));
  const part = zoom && { from: Math.max(1, zoom.from), to: zoom.to };
  const overview = context.ask("overview", { do: "overview", buckets: mostBuckets, ...part },
    `${versionOf(state)} ${coarse} ${JSON.stringify(zoom)}`).value;
  const zoomBy = (label, name, factor, disabled) =>
    bare(label, () => context.dispatch({ type: "set", zoom: zoomed(state, factor) }), { "aria-label": name, disabled });
  return panel(context, { name: "Timeline", title: null, kind: state.steps ? "timeline open" : "timeline" },
    h("div", { class: "ribbon-row" }, moves(state, context), ribbon(state, context, range, overview),
      state.of > 100 && h("span", { key: "zoom", class: "buttons zoom" }, zoomBy("−", "Zoom out", 2, !zoom), zoomBy("+", "Zoom in", 0.5)),
      h("button", {
        key: "steps", class: "opener", "aria-expanded": String(state.steps), onclick: () => context.dispatch({ type: "set", steps: !state.steps }),
      }, "Steps")),
    h("div", { key: "inputs", class: "inputs" },
      filterBar(state, context), find?.error && errorView(find.error), found?.error && errorView(found.error),
      entryList(state, context, overview?.first)));
}

/** The buttons that move the session, and those that move the look. */
function moves(state, context) {
  const { step, of } = state;
  const shown = shownStep(state);
  const to = (target) => `The session goes to step ${counted(target)}`;
  const change = (name, verb, isPossible, target) => h("button", {
    key: name, disabled: !isPossible || !can(state, verb), title: isPossible ? to(target) : null, onclick: () => context.change({ do: verb }),
  }, name);
  const look = (label, name, target) =>
    bare(label, () => context.look(target), { key: name, "aria-label": name, title: name, disabled: target < 0 || target > of });
  return [
    may(state, "travel") && h("span", { key: "travel", class: "buttons" },
      change("Undo", "undo", step > 0, step - 1), change("Redo", "redo", step < of, step + 1)),
    h("span", { key: "look", class: "buttons" },
      look("‹", "Look at the step before", shown - 1), look("›", "Look at the step after", shown + 1)),
  ];
}

function ribbon(state, context, range, overview) {
  const step = shownStep(state);
  const scrub = ({ currentTarget, clientX, type }) => {
    const box = currentTarget.getBoundingClientRect();
    context.look(stepAt((clientX - box.left) / box.width, range), type === "pointermove");
  };
  const far = Math.max(10, Math.round((range.to - range.from) / 20));
  const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: -far, PageDown: far, Home: -state.of, End: state.of };
  return h("canvas", {
    class: "ribbon", role: "slider", tabindex: 0, "aria-label": "Step",
    "aria-valuemin": 0, "aria-valuemax": state.of, "aria-valuenow": step,
    "aria-valuetext": `${step} of ${state.of}: ${context.entry(step)?.text ?? "start"}`,
    onpointerdown: (event) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      scrub(event);
    },
    onpointermove: (event) => event.buttons & 1 && scrub(event),
    onkeydown: (event) => {
      if (!(event.key in by)) return;
      event.preventDefault();
      context.look(step + by[event.key], event.repeat);
    },
    shown: (canvas) => drawRibbon(canvas, state, range, overview),
  });
}

const drawn = new WeakMap();

function drawRibbon(canvas, state, { from, to }, overview) {
  const now = [overview, from, to, state.step, state.look, state.marks, canvas.clientWidth, state.now,
    matchMedia("(prefers-color-scheme: dark)").matches];
  if (drawn.get(canvas)?.every((one, index) => one === now[index])) return;
  drawn.set(canvas, now);
  const scale = devicePixelRatio;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  // This also clears it.
  [canvas.width, canvas.height] = [width * scale, height * scale];
  const ink = canvas.getContext("2d");
  const style = getComputedStyle(canvas);
  // Canvas needs resolved colours, not variables. Resolving one is slow.
  const colors = {};
  const color = (name) => {
    if (!colors[name]) canvas.style.color = `var(--${name})`;
    return colors[name] ??= style.color;
  };
  const one = width / (to - from + 1);
  const x = (step) => (step - from) * one;
  ink.scale(scale, scale);
  const [top, bottom] = [8, height - 22];
  const first = Math.max(1, from);
  const each = overview?.buckets.length ? (to - first + 1) / overview.buckets.length : 0;
  const gap = one * each > 6 ? 2 : one * each > 3 ? 1 : 0;
  ink.fillStyle = color("raised");
  if (from === 0) ink.fillRect(0, top, Math.max(1, one - gap), bottom - top);
  overview?.buckets.forEach((counts, index) => {
    const all = counts[0] + counts[1] + counts[2];
    const left = x(first + index * each);
    let y = top;
    ink.globalAlpha = first + index * each > state.step ? 0.25 : 0.7;
    Object.keys(inputKinds).forEach((kind, at) => {
      const part = (bottom - top) * counts[at] / all;
      ink.fillStyle = color(kind);
      if (part) ink.fillRect(left, y, Math.max(0.5, one * each - gap), part);
      y += part;
    });
  });
  ink.globalAlpha = 1;
  ink.fillStyle = color("warn");
  for (const step of state.marks) if (step >= from && step <= to) ink.fillRect(x(step), 0, Math.max(3, one - gap), 4);
  const cursor = (step, name) => {
    if (step < from || step > to) return;
    const middle = Math.min(width - 1.5, Math.max(1.5, x(step) + (one - gap) / 2));
    ink.fillStyle = color(name);
    ink.fillRect(middle - 1, 3, 2, bottom);
    ink.beginPath();
    ink.arc(middle, bottom + 3, 4, 0, 7);
    ink.fill();
  };
  drawScale(ink, { from, to, x, one, width, height, bottom, overview, now: state.now, font: style.fontFamily, color });
  cursor(state.step, state.look === null ? "text" : "edge");
  if (state.look !== null) cursor(state.look, "accent");
}

/** Writes numbers of steps below the bars, and when the first and the last one were. */
function drawScale(ink, { from, to, x, one, width, height, bottom, overview, now, font, color }) {
  ink.font = `11px ${font}`;
  ink.fillStyle = color("quiet");
  const base = height - 3;
  const label = (step, at) => (at === undefined ? counted(step) : `${counted(step)} · ${ago(at, now)}`);
  const [left, right] = [label(from, overview?.first), label(to, overview?.last)];
  const [start, end] = [ink.measureText(left).width, width - ink.measureText(right).width];
  if (start < end - 8) ink.fillText(left, 0, base);
  ink.fillText(right, end, base);
  for (const step of ticksOf({ from, to }, width / 90)) {
    if (step === from || step === to) continue;
    const middle = x(step) + one / 2;
    const half = ink.measureText(counted(step)).width / 2;
    if (middle - half < start + 12 || middle + half > end - 12) continue;
    ink.fillRect(middle - 0.5, bottom + 1, 1, 5);
    ink.fillText(counted(step), middle - half, base);
  }
}

function filterBar(state, context) {
  const { filter, find, found } = state;
  const toggle = (kind) => context.dispatch({
    type: "filter", kinds: filter.kinds.includes(kind) ? filter.kinds.filter((one) => one !== kind) : [...filter.kinds, kind],
  });
  const search = (event) => {
    event.preventDefault();
    const expression = event.target.elements.expression.value.trim();
    const again = find?.expression === expression && find.step !== undefined;
    context.dispatch({ type: "find", expression, from: again ? find.step + 1 : 0 });
  };
  const key = findKey(state);
  if (key) context.ask("find", { do: "find", expression: find.expression, from: find.from, most: 2000 }, key);
  return h("div", { class: "filter-bar" },
    h("input", {
      type: "search", id: context.isFork ? null : "search", placeholder: "Search inputs", "aria-label": "Search inputs",
      value: filter.text,
      oninput: ({ target }) => context.dispatch({ type: "filter", text: target.value }),
    }),
    h("div", { class: "buttons", role: "group", "aria-label": "Kinds of input" }, Object.entries(inputKinds).map(([kind, label]) =>
      bare([h("span", { class: `dot ${kind}` }), label], () => toggle(kind), { "aria-pressed": String(filter.kinds.includes(kind)) }))),
    found && h("span", { class: "quiet", role: "status" }, `${counted(found.entries.length)} found${found.next <= state.of ? " so far" : ""}`),
    may(state, "evaluate") && h("form", { class: "find", onsubmit: search },
      h("input", {
        name: "expression", placeholder: "First step where …", "aria-label": "First step where this Lua expression holds",
        spellcheck: "false", required: true,
      }),
      key ? bare(`Stop at ${find.from}`, () => context.dispatch({ type: "find", expression: null }))
        : h("button", null, find?.step === undefined ? "Find" : "Next"),
      h("span", { class: "quiet", role: "status" }, find?.none ? "at no step" : find?.step === undefined ? "" : `step ${find.step}`)),
    timesButton(state, context));
}

/** The button that goes through the ways to write times. */
function timesButton(state, context) {
  const names = Object.keys(timeWords);
  const next = names[(names.indexOf(state.times) + 1) % names.length];
  return bare(`Times: ${state.times}`, () => context.dispatch({ type: "set", times: next }), { title: `Show them as ${next}` });
}

function entryList(state, context, start) {
  const view = "entries";
  const { found } = state;
  const shown = shownStep(state);
  const { kinds, text } = state.filter;
  if (found?.next <= state.of && found.entries.length <= visibleRows(found.entries.length + 1, state.scroll[view]).last) {
    const only = { ...(text && { match: text }), ...(kinds.length && { kinds }) };
    context.ask("search", { do: "inputs", from: found.next, limit: pageSize, ...only }, searchKey(state));
  }
  const count = found ? found.entries.length : state.of + 1;
  const stepOf = (index) => (found ? found.entries[index]?.step : index);
  const at = (index) => (found ? found.entries[index] : index ? context.entry(index) : { kind: "start", text: "start", at: start });
  const index = found ? found.entries.findIndex((entry) => entry.step >= shown) : shown;
  const go = {
    ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: count - 1,
    PageUp: Math.max(0, index - 10), PageDown: Math.min(count - 1, index + 10),
  };
  return longList(state, context, {
    view, count, reveal: { of: `${shown} ${text}`, index: Math.max(0, index) },
    props: keyProps(context, {
      role: "listbox", label: "Inputs", view, path: stepOf(index) === shown ? shown : undefined,
      pressed: ({ key, repeat }) => {
        const step = key in go ? stepOf(go[key]) : undefined;
        return step >= 0 && step <= state.of ? { type: "look", step, scrubs: repeat } : null;
      },
    }),
    row: (position) => {
      const entry = at(position);
      const step = stepOf(position);
      const time = entry?.at && timeView(entry.at, state.now, timeWords[state.times](entry.at, { now: state.now, start }));
      const is = { now: step === state.step, later: step > state.step, changed: state.marks.includes(step) };
      return h("div", {
        ...rowProps(context, { role: "option", view, path: step, selected: step === shown }),
        class: `entry ${Object.keys(is).filter((name) => is[name]).join(" ")}`, onclick: () => context.look(step),
      },
      h("span", { class: "number" }, counted(step)), h("span", { class: "time" }, time),
      h("span", { class: `dot ${entry?.kind}` }, h("span", { class: "hidden-text" }, entry?.kind)),
      h("span", { class: "what" }, entry ? entry.text || entry.title : "…"),
      h("span", { class: "path quiet" }, entry?.node));
    },
  });
}
