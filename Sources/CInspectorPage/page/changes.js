// What a step has changed, why a value is what it is, and what else there was to hear.

import { h } from "./dom.js";
import { inBrief, actionInBrief, valueInBrief } from "./value.js";
import { bare, panel } from "./panel.js";
import { errorView, placeOf } from "./errors.js";
import { isLooking, shownStep } from "./store.js";
import { counted } from "./words.js";

const changeSigns = { added: "+", removed: "−", changed: "~", appeared: "+", vanished: "−", started: "+", ended: "−", gone: "−" };
const causes = {
  first: "it is new", state: "its state", inputs: "its props", descendant: "a node below it",
  failure: "a failure", everything: "everything was rendered anew",
};

/** The steps that are compared: the one shown, and by default the one before it. */
export function comparedSteps(state) {
  const to = shownStep(state);
  return { from: state.base !== null && state.base !== to ? state.base : to - 1, to };
}

/** Asks for what the step that is shown has changed; nothing at the beginning. */
export function diffOf(state, context) {
  const { from, to } = comparedSteps(state);
  if (from < 0) return {};
  const diff = { do: "diff", from: Math.min(from, to), to: Math.max(from, to), limit: 100 };
  return context.ask("diff", diff);
}

/** The paths of the nodes that a difference is about. */
export const changedNodes = (diff) => new Set((diff?.nodes ?? []).map((node) => node.path));

/** The panel of what the step has changed; nothing if no step was taken. */
export function changesPanel(state, context) {
  const { value: diff, error } = diffOf(state, context);
  const { from, to } = comparedSteps(state);
  if (from < 0) return null;
  const alone = to - from === 1;
  const entry = alone && context.entry(to);
  const base = h("label", { class: "base" }, "since ", h("input", {
    type: "number", min: 0, max: state.of, value: String(from), "aria-label": "Compare with step",
    onchange: ({ target: { value } }) => {
      const step = Math.min(Math.max(0, Number(value)), state.of);
      context.dispatch({ type: "set", base: value === "" || step === to - 1 ? null : step });
    },
  }));
  const title = alone ? `Step ${counted(to)}` : `From ${Math.min(from, to)} to ${Math.max(from, to)}`;
  const parts = [
    entry && h("p", { class: "input" }, h("span", { class: `dot ${entry.kind}` }), entry.text || entry.title),
  ];
  if (error) parts.push(errorView(error));
  if (diff) parts.push(...differenceView(context, diff));
  return panel(context, { name: "Changes", title, kind: "changes", buttons: base }, parts);
}

function differenceView(context, diff) {
  const why = (change) => context.dispatch({ type: "why", question: { path: change.path } });
  const parts = [
    diff.failure && errorView(diff.failure),
    section("Rendering", changeRows(diff.rendering, why)),
    section("Nodes", (diff.nodes ?? []).filter((node) => node.kind !== "changed" || node.state?.count || node.props?.count || node.workers?.length)
      .map((node) => nodeChange(context, node))),
    section("Outputs", (diff.outputs ?? []).map((output) => h("li", null, valueInBrief(output, 90)))),
    section("Actions", (diff.actions ?? []).map((action) => h("li", null,
      h("code", null, actionInBrief(action.action, 80)),
      h("span", { class: "quiet" }, ` to ${action.node}`, action.source === "client" ? "" : `, from ${action.source}`)))),
    diff.rendered?.length ? h("details", { key: "rendered" },
      h("summary", null, diff.rendered.length === 1 ? "1 node was rendered" : `${diff.rendered.length} nodes were rendered`),
      h("ul", null, diff.rendered.slice(0, 100).map((node) => h("li", null,
        nodeLink(context, node.path), h("span", { class: "quiet" }, ` because of ${node.cause.map((one) => causes[one] ?? one).join(", ")}`))))) : null,
  ].filter(Boolean);
  return parts.length ? parts : [h("p", { class: "quiet" }, "Nothing has changed.")];
}

function section(title, rows) {
  return rows.length ? h("div", { key: title, class: "part" }, h("h3", null, title), h("ul", { class: "change-list" }, rows)) : null;
}

function changeRows(changes, why) {
  if (!changes?.count) return [];
  const rows = changes.changes.map((change) => h("li", { class: change.kind },
    h("span", { class: "sign", "aria-hidden": "true" }, changeSigns[change.kind]),
    h("span", { class: "change" },
      why ? bare(change.path || "rendering", () => why(change), { class: "bare path", title: "Why is this so?" })
        : h("span", { class: "path" }, change.path || "all of it"), " ",
      h("span", { class: "hidden-text" }, change.kind),
      change.kind !== "removed" && valueInBrief(change.new), " ",
      change.kind !== "added" && h("span", { class: "was" }, `was ${inBrief(change.old)}`))));
  const more = changes.count - changes.changes.length;
  if (more > 0) rows.push(h("li", { class: "quiet" }, `and ${counted(more)} more`));
  return rows;
}

function nodeLink(context, path) {
  return bare(path, () => context.dispatch({ type: "select", node: path }), { class: "bare path" });
}

function nodeChange(context, node) {
  const parts = ["state", "props"].map((part) => {
    const rows = changeRows(node[part]);
    return rows.length ? [h("span", { class: "quiet" }, part), h("ul", null, rows)] : null;
  });
  return h("li", { class: node.kind },
    h("span", { class: "sign", "aria-hidden": "true" }, changeSigns[node.kind]),
    h("div", { class: "change" }, nodeLink(context, node.path), node.kind !== "changed" && h("span", { class: "quiet" }, ` ${node.kind}`),
      parts,
      (node.workers ?? []).map((worker) => h("p", null, `${worker.name} ${worker.key ?? ""} `, h("span", { class: "quiet" }, worker.kind)))));
}

const findingWords = {
  rendered: "rendered by", placed: "placed by", cause: "because of", write: "written at", call: "in", sender: "from", note: "",
};

/** The panel that says why a value is what it is, or why a node was rendered. */
export function whyPanel(state, context) {
  if (!state.why) return null;
  const { path, node, step } = state.why;
  const { value, error, waiting } = context.ask("why", { do: "why", ...(node ? { node } : { path }), step });
  const title = [node ? "Why rendered: " : "Why: ", h("span", { class: "path" }, node ?? path)];
  return panel(context, { name: "Why", title, close: { type: "why", question: null } },
    error ? errorView(error) : waiting || !value ? h("p", { class: "quiet", role: "status" }, "Looking it up…") : [
      h("p", null, value.value !== undefined && typeof value.value !== "object" && [valueInBrief(value.value), " "],
        h("span", { class: "quiet" }, "since "),
        bare(value.since ? `step ${counted(value.since)}` : "the beginning", () => context.look(value.since))),
      h("ol", { class: "findings" }, value.findings.map((finding) => h("li", null,
        h("span", { class: "quiet" }, findingWords[finding.kind] ?? finding.kind), h("div", null,
          h("span", { class: "path" }, finding.subject),
          finding.file && placeOf(finding) !== finding.subject && h("span", { class: "path quiet" }, ` ${placeOf(finding)}`),
          finding.detail && h("code", { class: "detail" }, finding.detail))))),
    ]);
}

/** The panels of errors, outputs and lines of log, each if there is something in it. */
export function heardPanels(state, context) {
  const { errors, outputs, logs, dropped } = state;
  const step = shownStep(state);
  const until = isLooking(state) ? outputs.filter((one) => one.step <= step) : outputs;
  return [
    errors.length ? panel(context, { name: "Errors", title: errors.length > 1 ? `${errors.length} errors` : "Error", close: { type: "set", errors: [] } },
      h("div", { role: "alert" }, errorView(errors.at(-1))),
      errors.at(-1).phase && h("p", { class: "quiet" }, "The state is as it was before."),
      errors.length > 1 && h("details", null, h("summary", null, "Earlier errors"), errors.slice(0, -1).reverse().map(errorView))) : null,
    until.length ? panel(context, { name: "Outputs" }, heardList("Outputs", until.slice(-20).reverse().map((one) => h("li", null,
      h("span", { class: "quiet" }, `${one.step} `), valueInBrief(one.output, 90))))) : null,
    logs.length ? panel(context, { name: "Log" }, heardList("Log", logs.slice(-50).reverse().map((line) => h("li", { class: line.level },
      line.level !== "info" && h("span", { class: "level" }, `${line.level} `), line.message, " ",
      h("span", { class: "path quiet" }, placeOf(line.location)))))) : null,
    dropped && Object.values(dropped).some(Boolean) ? h("p", { key: "dropped", class: "quiet" },
      `Too much came at once to show all: ${Object.entries(dropped).map(([what, count]) => `${count} ${what}`).join(", ")} left out.`) : null,
  ];
}

const heardList = (name, lines) => h("ul", { class: "heard", tabindex: 0, "aria-label": name }, lines);
