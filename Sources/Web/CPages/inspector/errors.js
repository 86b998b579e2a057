// Errors as in the terminal: the place, the source, and the next step.

import { h } from "./dom.js";

/** The place of an error as `file:line`. */
export function placeOf(location) {
  if (!location) return "";
  const file = location.path ?? location.file ?? "";
  return location.line ? `${file}:${location.line}` : file;
}

/** An error with all its details. */
export function errorView(error) {
  const { location, excerpt, locals, notes, trace, help, node, phase } = error;
  return h("div", { class: "error", role: "group", "aria-label": "Error" },
    h("p", { class: "message" }, error.message),
    (location || phase) && h("p", { class: "path" }, placeOf(location), phase && ` in ${phase}`, node && ` of ${node}`),
    excerpt?.lines && h("pre", { class: "excerpt", tabindex: 0, "aria-label": "Source" }, excerpt.lines.map((line, index) => {
      const number = excerpt.line + index;
      return h("span", { class: number === location?.line ? "line here" : "line", "data-line": number }, `${line}\n`);
    })),
    locals?.length ? h("dl", { class: "locals" },
      locals.map(({ name, value }) => h("div", null, h("dt", null, name), h("dd", null, value)))) : null,
    notes?.map((note) => h("p", { class: "quiet" }, note)),
    trace?.length > 1 ? h("details", null, h("summary", null, "Calls"), h("ol", { class: "trace" },
      trace.map((call) => h("li", null, call.function ? `${call.function} ` : "", h("span", { class: "path" }, placeOf(call)))))) : null,
    help && h("p", { class: "help" }, help));
}
