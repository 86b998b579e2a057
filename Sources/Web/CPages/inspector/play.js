// The page for playing a flow: its rendering, outputs and errors.

import { h, patch } from "./dom.js";
import { RenderingView } from "./rendering.js";
import { words } from "./forms.js";
import { laterSteps } from "./words.js";

const byId = (id) => document.getElementById(id);

/** The notice above the rendering, if there is any. */
function say(text, kind) {
  byId("state").textContent = text;
  byId("state").className = kind ?? "";
}

/** Shows an output or error at the end of the page until it is dismissed. */
function notice(text, value, kind) {
  const item = document.createElement("li");
  item.className = kind;
  patch(item, [
    h("span", null, text), ...value,
    h("button", { type: "button", class: "bare", "aria-label": "Take away", onclick: () => item.remove() }, "×"),
  ]);
  const list = byId("notices");
  list.append(item);
  while (list.children.length > 5) list.firstChild.remove();
}

/** The notice in the past, with the effect of a click there. */
const pastNotice = ({ step, of }, canAct) =>
  `Step ${step} of ${of} is shown.${canAct ? ` A click gives up ${laterSteps(of - step)}.` : ""}`;

const sayRefusal = ({ message, help }) => say([message, help].filter(Boolean).join(" "), "bad");

/** An output as a line: its own text, or its fields. */
function line(slice) {
  if (slice === null || typeof slice !== "object") return String(slice);
  if (slice.$ === "number") return slice.text;
  if (slice.$ === "text") return `${slice.start}…`;
  if (slice.$ === "list") return (slice.entries ?? []).map(line).join(", ");
  return (slice.entries ?? []).map(([key, value]) => `${words(key)}: ${line(value)}`).join(" · ");
}

async function play() {
  let host;
  try {
    // The page of a service is at /play/SESSION/, that of a program at /play.
    const { connect } = await import(/^\/play\//.test(location.pathname) ? "./service.js" : "./protocol.js");
    host = await connect({ wait: sayRefusal });
  } catch (error) {
    return sayRefusal(error);
  }
  say("");
  // A refusal is shown at its form already.
  const refused = new Set();
  let sending = Promise.resolve();
  const request = (message) => {
    const answer = host.request(message);
    // News of a busy session may be late; this page's own changes are fetched at once.
    if (message.do === "send") sending = answer.then(() => { refresh(); }, (error) => { refused.add(error.message); });
    return answer;
  };
  const view = new RenderingView({ request });
  byId("rendering").append(view.element);
  byId("rendering").removeAttribute("aria-busy");
  byId("name").textContent = words(host.flow);
  document.title = words(host.flow);

  let asked, again;
  const refresh = async () => {
    if (asked) { again = true; return; }
    asked = true;
    do {
      again = false;
      await view.ask({ do: "value", of: "rendering", depth: 6, limit: 50 }, () => true)
        .then(({ slice, step }) => view.show(slice, { step, canAct: host.scopes.includes("act") }))
        .catch((error) => say(error.message, "bad"));
    } while (again);
    asked = false;
  };

  /** Undo and redo, for those who may travel. */
  const travel = ({ step, of }) => {
    if (!host.scopes.includes("travel") || !of) return;
    const button = (verb, name, canGo) => h("button", {
      type: "button", disabled: !canGo, onclick: () => request({ do: verb }).catch((error) => notice("Refused", [h("p", null, error.message)], "error")),
    }, name);
    patch(byId("travel"), [button("undo", "Undo", step > 0), button("redo", "Redo", step < of)]);
  };

  host.onNews((news) => {
    travel(news);
    if (news.past) say(pastNotice(news, host.scopes.includes("act")), "past");
    else if (["", "past"].includes(byId("state").className)) say(news.working ? "Working …" : "");
    for (const { output } of news.outputs ?? []) notice("Result", [h("p", null, line(output))], "output");
    sending.then(() => {
      for (const { message } of news.errors ?? []) {
        if (!refused.delete(message)) notice("Something went wrong", [h("p", null, message)], "error");
      }
    });
    refresh();
  });
  host.onState((state, error) => {
    if (state === "open") say("");
    if (state === "lost") sayRefusal(error);
    if (state === "closed") {
      say(error ? `${error.message} ${error.help ?? ""}` : "This session is over.", "over");
      if (view.slice !== undefined) view.show(view.slice, { step: view.step, live: false });
    }
  });
}

play();
