// The selected node: its state, its props and its workers.

import { h } from "./dom.js";
import { bare, copyButton, panel, quiet } from "./panel.js";
import { valueView } from "./value.js";
import { can, isLooking, may, shownStep, workerName } from "./store.js";
import { timeView } from "./times.js";
import { errorView } from "./errors.js";

const depthAsked = { depth: 3, limit: 50 };
const isEmpty = (slice) => slice === undefined || slice === null || slice.of === 0;

/** The panel of a node; nothing if it has no content. */
export function nodePanel(state, context, path) {
  if (path === undefined) return null;
  const step = shownStep(state);
  const { value, error } = context.ask("node", { do: "node", path, step, ...depthAsked });
  const name = path.split("/").at(-1);
  const question = { type: "why", question: { node: path } };
  const why = step > 0 && bare("Why rendered?", () => context.dispatch(question));
  const shown = (...content) => panel(context, { name: `Node ${name}`, title: name, kind: "node", buttons: why }, content);
  if (error) return shown(errorView(error));
  if (!value || (value.path !== path && state.node)) return shown();
  const parts = [];
  for (const part of ["state", "props"]) {
    const slice = value[part];
    if (isEmpty(slice)) continue;
    parts.push(h("h3", { key: `${part} title` }, part === "state" ? "State" : "Props"), valueView(state, context, {
      view: `${path} ${part}`, label: part, slice, request: { do: "value", of: part, node: path, step },
    }));
  }
  if (value.workers?.length) {
    parts.push(h("h3", { key: "workers title" }, "Workers"),
      value.workers.map((worker) => workerView(state, context, path, worker)));
  }
  if (!parts.length && !path.includes("/")) return null;
  return shown(path.includes("/") && h("p", { class: "path" }, path, " ", copyButton(context, path, "the path")),
    parts.length ? parts : h("p", { class: "quiet" }, "No state, no props, no workers."),
    may(state, "evaluate") && evaluation(state, context, path, step));
}

/** An expression over the node's values at the step, and its value. */
function evaluation(state, context, node, step) {
  const { expression } = state;
  const evaluate = (event) => {
    event.preventDefault();
    context.dispatch({ type: "set", expression: event.target.elements.expression.value.trim() });
  };
  const request = { do: "value", of: "expression", expression, node, step };
  const { value, error, waiting } = expression ? context.ask("expression", { ...request, ...depthAsked }) : {};
  return h("div", { key: "evaluation" },
    h("form", { class: "find", onsubmit: evaluate },
      h("input", {
        name: "expression", placeholder: "Lua, say #state.items", "aria-label": "Evaluate a Lua expression", spellcheck: "false",
      }),
      h("button", null, "Evaluate")),
    error ? errorView(error) : value && h("div", { "aria-busy": waiting ? "true" : null, "aria-live": "polite" },
      valueView(state, context, { view: "expression", label: "Value", slice: value.slice, request })));
}

function workerView(state, context, node, worker) {
  const name = workerName(node, worker.name, worker.key);
  const told = state.workers[name];
  const phase = worker.ended ? "ended" : state.past && !isLooking(state) ? "held" : "at work";
  const view = `${node} worker ${worker.name} ${worker.key ?? ""}`;
  const byHand = can(state, "worker") && !worker.ended && !isLooking(state) && (state.past || context.isFork);
  return h("div", { key: name, class: "worker" },
    h("p", null,
      h("span", { class: `phase ${phase === "at work" ? "on" : ""}` }, "●"),
      h("strong", null, worker.name), worker.key ? [h("span", { class: "key" }, worker.key), copyButton(context, worker.key, "the key")] : null,
      quiet(phase, worker.started ? [" since ", timeView(worker.started, state.now)] : "")),
    told?.error && !worker.ended ? errorView(told.error) : null,
    worker.refused && h("p", null, `Its output was refused by ${node}: ${worker.refused.at(-1).reason} `,
      can(state, "retry") && bare("Give again", () => context.change({ do: "retry", node, worker: worker.name, key: worker.key }))),
    isEmpty(worker.input) ? null : valueView(state, context, {
      view, label: `Input of ${worker.name}`, slice: worker.input,
      request: { do: "value", of: "worker", node, worker: worker.name, key: worker.key, step: shownStep(state) },
    }),
    byHand && byHandForm(context, node, worker));
}

/** A held worker, played by hand. */
function byHandForm(context, node, worker) {
  const message = { do: "worker", node, worker: worker.name, ...(worker.key !== undefined && { key: worker.key }) };
  const play = (event) => {
    event.preventDefault();
    const kind = event.submitter?.value;
    const text = event.target.elements.output.value.trim();
    if (kind === "finish") return context.change({ ...message, finished: true });
    let output = text;
    try {
      output = JSON.parse(text);
    } catch {
      // A text that is not JSON is a string.
    }
    return context.change(kind === "fail" ? { ...message, failed: { code: "worker_failed", message: text } }
      : { ...message, output });
  };
  return h("form", { class: "by-hand", onsubmit: play },
    h("label", null, h("span", null, "Play its part: JSON, or a text"),
      h("textarea", { name: "output", rows: 2, spellcheck: "false" })),
    h("div", { class: "buttons" },
      h("button", { value: "output" }, "Give output"), h("button", { value: "fail" }, "Fail with this"),
      h("button", { value: "finish" }, "Finish")));
}
