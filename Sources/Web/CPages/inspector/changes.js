// The changes of a step, the reason for a value, and errors, outputs and logs.

import { h } from "./dom.js";
import { inBrief, actionInBrief, valueInBrief } from "./value.js";
import { bare, panel, quiet } from "./panel.js";
import { errorView, placeOf } from "./errors.js";
import { isLooking, shownStep } from "./store.js";
import { timeView } from "./times.js";
import { counted } from "./words.js";

const changeSigns = { added: "+", removed: "−", changed: "~", appeared: "+", vanished: "−" };
const causes = {
  first: "it is new", state: "its state", inputs: "its props", descendant: "a node below it",
  failure: "a failure", everything: "everything was rendered anew",
};

/** The compared steps: the one shown, and by default the one before it. */
export function comparedSteps(state) {
  const to = shownStep(state);
  return { from: state.base !== null && state.base !== to ? state.base : to - 1, to };
}

/** Requests the changes of the shown step; nothing at the beginning. */
export function diffOf(state, context) {
  const { from, to } = comparedSteps(state);
  if (from < 0) return {};
  const diff = { do: "diff", from: Math.min(from, to), to: Math.max(from, to), limit: 100 };
  return context.ask("diff", diff);
}

/** The paths of the nodes in a difference. */
export const changedNodes = (diff) => new Set((diff?.nodes ?? []).map((node) => node.path));

/** The panel with the changes of the step; nothing if no step was taken. */
export function changesPanel(state, context) {
  const { value: diff, error } = diffOf(state, context);
  const asked = comparedSteps(state);
  if (asked.from < 0) return null;
  // The panel names the steps that it shows.
  const { from, to } = diff ?? asked;
  const alone = to - from === 1;
  const entry = alone && context.entry(to);
  const base = h("label", { class: "base" }, "since ", h("input", {
    type: "number", min: 0, max: state.of, value: String(asked.from), "aria-label": "Compare with step",
    onchange: ({ target: { value } }) => {
      const step = Math.min(Math.max(0, Number(value)), state.of);
      context.dispatch({ type: "set", base: value === "" || step === asked.to - 1 ? null : step });
    },
  }));
  const title = alone ? `Step ${counted(to)}` : `From ${Math.min(from, to)} to ${Math.max(from, to)}`;
  const parts = [
    entry && h("p", { class: "input" }, h("span", { class: `dot ${entry.kind}` }), entry.text || entry.title,
      quiet(" ", entry.by && `by ${entry.by}, `, entry.at && timeView(entry.at, state.now))),
  ];
  if (error) parts.push(errorView(error));
  if (diff) parts.push(...differenceView(context, diff));
  return panel(context, { name: "Changes", title, kind: "changes", buttons: base }, parts);
}

function differenceView(context, diff) {
  const why = (change) => context.dispatch({ type: "why", question: { path: change.path } });
  const hasChanged = ({ kind, state, props, workers }) => kind !== "changed" || state?.count || props?.count || workers?.length;
  const rendered = diff.rendered ?? [];
  const parts = [
    diff.failure && errorView(diff.failure),
    section("Rendering", changeRows(diff.rendering, why)),
    section("Nodes", (diff.nodes ?? []).filter(hasChanged).map((node) => nodeChange(context, node))),
    section("Outputs", (diff.outputs ?? []).map((output) => h("li", null, valueInBrief(output, 90)))),
    section("Actions", (diff.actions ?? []).map(({ action, node, source }) => h("li", null, h("div", { class: "change" },
      h("code", null, actionInBrief(action, 80)), quiet(` to ${node}`, source === "client" ? "" : `, from ${source}`))))),
    rendered.length > 0 && h("details", { key: "rendered" },
      h("summary", null, rendered.length === 1 ? "1 node was rendered" : `${counted(rendered.length)} nodes were rendered`),
      h("ul", null, rendered.slice(0, 100).map(({ path, cause }) => h("li", null,
        nodeLink(context, path), quiet(` because of ${cause.map((one) => causes[one] ?? one).join(", ")}`))))),
  ].filter(Boolean);
  return parts.length ? parts : quiet("Nothing has changed.");
}

const section = (title, rows) =>
  rows.length > 0 && h("div", { key: title, class: "part" }, h("h3", null, title), h("ul", { class: "change-list" }, rows));

const nodeLink = (context, path) => bare(path, () => context.dispatch({ type: "select", node: path }), { class: "bare path" });

/** A line with the sign of a change. */
const changeRow = (kind, ...content) => h("li", { class: kind },
  h("span", { class: "sign", "aria-hidden": "true" }, changeSigns[kind]), h("div", { class: "change" }, content));

function changeRows(changes, why) {
  if (!changes?.count) return [];
  const rows = changes.changes.map((change) => changeRow(change.kind,
    why ? bare(change.path || "rendering", () => why(change), { class: "bare path", title: "Why is this so?" })
      : h("span", { class: "path" }, change.path || "all of it"),
    " ", h("span", { class: "hidden-text" }, change.kind), change.kind !== "removed" && valueInBrief(change.new),
    " ", change.kind !== "added" && h("span", { class: "was" }, `was ${inBrief(change.old)}`)));
  const more = changes.count - rows.length;
  return more > 0 ? [...rows, h("li", null, quiet(`and ${counted(more)} more`))] : rows;
}

function nodeChange(context, node) {
  const parts = ["state", "props"].map((part) => node[part]?.count && [quiet(part), h("ul", null, changeRows(node[part]))]);
  return changeRow(node.kind, nodeLink(context, node.path), node.kind !== "changed" && quiet(` ${node.kind}`), parts,
    node.workers?.map((worker) => h("p", null, `${worker.name} ${worker.key ?? ""} `, quiet(worker.kind))));
}

const findingWords = {
  rendered: "rendered by", placed: "placed by", cause: "because of", write: "written at", call: "in", sender: "from", note: "",
};

/** The panel with the reason for a value, or for a node's render. */
export function whyPanel(state, context) {
  if (!state.why) return null;
  const { path, node, step } = state.why;
  const { value, error, waiting } = context.ask("why", { do: "why", ...(node ? { node } : { path }), step });
  const title = [node ? "Why rendered: " : "Why: ", h("span", { class: "path" }, node ?? path)];
  return panel(context, { name: "Why", title, close: { type: "why", question: null } },
    error ? errorView(error) : waiting || !value ? h("p", { class: "quiet", role: "status" }, "Looking it up…") : [
      h("p", null, value.value !== undefined && typeof value.value !== "object" && [valueInBrief(value.value), " "],
        quiet("since "),
        bare(value.since ? `step ${counted(value.since)}` : "the beginning", () => context.look(value.since))),
      h("ol", { class: "findings" }, value.findings.map((finding) => h("li", null,
        quiet(findingWords[finding.kind] ?? finding.kind), h("div", null,
          h("span", { class: "path" }, finding.subject),
          finding.file && placeOf(finding) !== finding.subject && h("span", { class: "path quiet" }, ` ${placeOf(finding)}`),
          finding.detail && h("code", { class: "detail" }, finding.detail))))),
    ]);
}

/** The panels of errors, outputs and log lines, if there are any. */
export function heardPanels(state, context) {
  const { errors, logs, dropped } = state;
  const step = shownStep(state);
  const outputs = isLooking(state) ? state.outputs.filter((one) => one.step <= step) : state.outputs;
  const last = errors.at(-1);
  const left = Object.entries(dropped ?? {}).filter(([, count]) => count).map(([what, count]) => `${count} ${what}`);
  return [
    last && panel(context, {
      name: "Errors", title: errors.length > 1 ? `${errors.length} errors` : "Error", close: { type: "set", errors: [] },
    }, h("div", { role: "alert" }, errorView(last)), last.phase && quiet("The state is as it was before."),
    errors.length > 1 && h("details", null, h("summary", null, "Earlier errors"), errors.slice(0, -1).reverse().map(errorView))),
    heard(context, "Outputs", outputs.slice(-20), (one) => [quiet(`${one.step} `), valueInBrief(one.output, 90)]),
    heard(context, "Log", logs.slice(-50), ({ level, message, location }) => [
      level !== "info" && h("span", { class: `level ${level}` }, `${level} `), message, " ",
      h("span", { class: "path quiet" }, placeOf(location))]),
    left.length > 0 && h("p", { key: "dropped", class: "panel quiet" }, `Too much came at once to show all; left out: ${left.join(", ")}.`),
  ];
}

/** A panel of lines, the newest first. */
const heard = (context, name, lines, words) => lines.length > 0 && panel(context, { name },
  h("ul", { class: "heard", tabindex: 0, "aria-label": name }, lines.reverse().map((line) => h("li", null, words(line)))));
