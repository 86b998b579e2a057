// The timeline: a ribbon of all steps, in which one scrubs, and the list of inputs.

import { h } from "./dom.js";
import { panel } from "./panel.js";
import { longList, rowId, visibleRows } from "./list.js";
import { errorView } from "./errors.js";
import { findKey, may, pageSize, searchKey, shownStep, timelineKey, timelinePage, versionOf } from "./store.js";
import { duration, moment } from "./time.js";

const inputKinds = ["action", "worker", "props"];
const kindWords = { action: "Actions", worker: "Workers", props: "Props" };
const buckets = 500;

/** The steps that the ribbon shows, from the first to the last. */
export const shownRange = (state) => state.zoom ?? { from: 0, to: state.of };

/** The step at a place of the ribbon, which goes from 0 to 1. */
export function stepAt(place, { from, to }) {
  return Math.max(from, Math.min(to, from + Math.floor(place * (to - from + 1))));
}

/** The range of half or double the steps, around the one that is shown; nothing if that is all of them. */
export function zoomed(state, factor) {
  const { from, to } = shownRange(state);
  const size = Math.max(20, Math.round((to - from + 1) * factor));
  if (size > state.of) return null;
  const start = Math.max(0, Math.min(shownStep(state) - Math.floor(size / 2), state.of - size + 1));
  return { from: start, to: start + size - 1 };
}

/** The entry of a step, as far as the pages that are asked for have it. */
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
  const range = shownRange(state);
  // A long timeline is not counted anew for each step that is added.
  const coarse = state.of <= 2 * buckets ? state.of : Math.floor(state.of / Math.ceil(state.of / buckets));
  const overview = context.ask("overview", { do: "overview", buckets, ...(state.zoom && { from: Math.max(1, range.from), to: range.to }) },
    `${versionOf(state)} ${coarse} ${range.from} ${state.zoom ? range.to : ""}`).value;
  return panel(context, { name: "Timeline", title: null, kind: "timeline" },
    h("div", { class: "ribbon-row" }, ribbon(state, context, range, overview),
      state.of > 100 && h("div", { class: "buttons" },
        h("button", { class: "bare", "aria-label": "Zoom in", onclick: () => context.dispatch({ type: "zoom", range: zoomed(state, 0.5) }) }, "+"),
        h("button", { class: "bare", "aria-label": "Zoom out", disabled: !state.zoom, onclick: () => context.dispatch({ type: "zoom", range: zoomed(state, 2) }) }, "−"))),
    filterBar(state, context),
    state.find?.error && errorView(state.find.error), state.found?.error && errorView(state.found.error),
    entryList(state, context, overview?.first));
}

function ribbon(state, context, range, overview) {
  const step = shownStep(state);
  const scrub = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    context.look(stepAt((event.clientX - box.left) / box.width, range), event.type === "pointermove");
  };
  const far = Math.max(10, Math.round((range.to - range.from) / 20));
  const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: -far, PageDown: far, Home: -Infinity, End: Infinity };
  return h("canvas", {
    class: "ribbon", role: "slider", tabindex: 0, "aria-label": "Step",
    "aria-valuemin": 0, "aria-valuemax": state.of, "aria-valuenow": step,
    "aria-valuetext": `${step} of ${state.of}${context.entry(step) ? `: ${context.entry(step).text}` : ""}`,
    onpointerdown: (event) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      scrub(event);
    },
    onpointermove: (event) => event.buttons & 1 && scrub(event),
    onkeydown: (event) => {
      if (!(event.key in by)) return;
      event.preventDefault();
      context.look(Math.max(0, Math.min(state.of, step + by[event.key])), event.repeat);
    },
    shown: (canvas) => drawRibbon(canvas, state, range, overview),
  });
}

function drawRibbon(canvas, state, { from, to }, overview) {
  const scale = devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== Math.round(width * scale)) canvas.width = Math.round(width * scale);
  if (canvas.height !== Math.round(height * scale)) canvas.height = Math.round(height * scale);
  const ink = canvas.getContext("2d");
  const style = getComputedStyle(canvas);
  const color = (name) => style.getPropertyValue(`--${name}`);
  const one = width / (to - from + 1);
  const x = (step) => (step - from) * one;
  ink.setTransform(scale, 0, 0, scale, 0, 0);
  ink.clearRect(0, 0, width, height);
  const [top, bottom] = [9, height - 9];
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
    inputKinds.forEach((kind, at) => {
      const part = all ? (bottom - top) * counts[at] / all : 0;
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
    ink.fillRect(middle - 1, 4, 2, height - 8);
    ink.beginPath();
    ink.arc(middle, height - 5, 4, 0, 7);
    ink.fill();
  };
  cursor(state.step, state.look === null ? "text" : "edge");
  if (state.look !== null) cursor(state.look, "accent");
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
  if (find && find.step === undefined && !find.none) {
    context.ask("find", { do: "find", expression: find.expression, from: find.from, most: 2000 }, findKey(state));
  }
  const running = find && find.step === undefined && !find.none && !find.error;
  return h("div", { class: "filter-bar" },
    h("input", {
      type: "search", id: context.isFork ? null : "search", placeholder: "Search inputs", "aria-label": "Search inputs", value: filter.text,
      oninput: (event) => context.dispatch({ type: "filter", text: event.target.value }),
    }),
    h("div", { class: "buttons", role: "group", "aria-label": "Kinds of input" }, inputKinds.map((kind) =>
      h("button", { class: "bare kind", "aria-pressed": String(filter.kinds.includes(kind)), onclick: () => toggle(kind) },
        h("span", { class: `dot ${kind}` }), kindWords[kind]))),
    found && h("span", { class: "quiet", role: "status" },
      `${found.entries.length.toLocaleString("en")} found${found.next <= state.of ? " so far" : ""}`),
    may(state, "evaluate") && h("form", { class: "find", onsubmit: search },
      h("input", { name: "expression", placeholder: "First step where …", "aria-label": "First step where this Lua expression holds", spellcheck: "false", required: true }),
      running ? h("button", { type: "button", onclick: () => context.dispatch({ type: "find", expression: null }) }, `Stop at ${find.from}`)
        : h("button", null, find?.step !== undefined ? "Next" : "Find"),
      h("span", { class: "quiet", role: "status" }, find?.none ? "at no step" : find?.step !== undefined ? `step ${find.step}` : "")),
    h("button", { class: "bare", "aria-pressed": String(state.clock), onclick: () => context.dispatch({ type: "clock" }) }, "Time of day"));
}

function entryList(state, context, start) {
  const view = "entries";
  const { found } = state;
  const shown = shownStep(state);
  if (found && found.next <= state.of) {
    const { last } = visibleRows(found.entries.length + 1, state.scroll[view]);
    if (found.entries.length <= last) {
      const { kinds: only, text } = state.filter;
      const message = { do: "inputs", from: found.next, limit: pageSize, ...(text && { match: text }), ...(only.length && { kinds: only }) };
      context.ask("search", message, searchKey(state));
    }
  }
  const count = found ? found.entries.length : state.of + 1;
  const at = (index) => (found ? found.entries[index] : index ? context.entry(index) : { step: 0, kind: "start", text: "start", at: start });
  const stepOf = (index) => (found ? found.entries[index]?.step : index);
  const index = found ? found.entries.findIndex((entry) => entry.step >= shown) : shown;
  const go = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: count - 1, PageUp: Math.max(0, index - 10), PageDown: Math.min(count - 1, index + 10) };
  return longList(state, context, {
    view, count, reveal: { of: `${shown} ${found ? state.filter.text : ""}`, index: Math.max(0, index) },
    props: {
      role: "listbox", "aria-label": "Inputs", tabindex: 0, "aria-activedescendant": stepOf(index) === shown ? rowId(context, view, shown) : null,
      onkeydown: (event) => {
        const step = event.key in go ? stepOf(go[event.key]) : undefined;
        if (step === undefined) return;
        event.preventDefault();
        context.look(step, event.repeat);
      },
    },
    row: (position) => {
      const entry = at(position);
      const step = stepOf(position);
      const time = entry?.at === undefined ? "" : state.clock ? moment(entry.at) : start === undefined ? "" : duration(entry.at - start);
      return h("div", {
        key: `step ${step}`, id: rowId(context, view, step), role: "option", "aria-selected": String(step === shown),
        class: `entry${step === state.step ? " now" : ""}${step > state.step ? " later" : ""}${state.marks.includes(step) ? " changed" : ""}`,
        onclick: () => context.look(step),
      },
      h("span", { class: "number" }, step.toLocaleString("en")), h("span", { class: "time" }, time),
      h("span", { class: `dot ${entry?.kind ?? ""}` }, h("span", { class: "hidden-text" }, entry?.kind ?? "")),
      h("span", { class: "what" }, entry ? entry.text || entry.title : "…"),
      h("span", { class: "path quiet" }, entry?.node ?? ""));
    },
  });
}
