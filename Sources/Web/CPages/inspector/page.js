// The page of one session: its store, its panels, its requests and changes.

import { h, patch } from "./dom.js";
import { Asking } from "./ask.js";
import { initialState, isLooking, may, reduce, shownStep, versionOf } from "./store.js";
import { rootOf, treePanel } from "./tree.js";
import { nodePanel } from "./inspect.js";
import { changedNodes, changesPanel, diffOf, heardPanels, whyPanel } from "./changes.js";
import { entryOfStep, timelinePanel } from "./timeline.js";
import { valueView } from "./value.js";
import { bare, panel } from "./panel.js";
import { RenderingView } from "./rendering.js";
import { errorView } from "./errors.js";
import { views } from "./commands.js";
import { messagesPanel } from "./lanes.js";
import { statesPanel } from "./states.js";
import { topBar, banner, dialogs } from "./bar.js";

/** Shows a session in an element until the host is closed. */
export function openPage(root, host, options = {}) {
  const about = () => ({ scopes: host.scopes, lacks: host.lacks ?? [], first: host.first ?? 0, flow: host.flow ?? "" });
  let state = { ...initialState, ...about(), connection: "open", now: Date.now() };
  let isDue = false;
  const dispatch = (message) => {
    const next = reduce(state, message);
    if (next === state) return;
    state = next;
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(renderDue);
  };
  const renderDue = () => isDue && render();
  const request = patiently((message) => host.request(message), (slow) => dispatch({ type: "set", slow }));
  const asking = new Asking(request, dispatch);
  const context = {
    ...options, host, dispatch, revealed: {},
    ask: (slot, message, key) => asking.ask(state.answers, slot, message, key ?? `${JSON.stringify(message)} ${versionOf(state)}`),
    entry: (step) => entryOfStep(state, context, step),
    /** Shows what is new without waiting for the next frame. */
    draw: renderDue,
    look(step, scrubs) {
      dispatch({ type: "look", step, scrubs });
      // Requests for the step need not wait for the next frame.
      renderDue();
    },
    /** Sends a request that changes the session. Its effects arrive as news. */
    change: (message) => request(message).catch((error) => dispatch({ type: "failed", error })),
    say: (notice) => dispatch({ type: "set", notice }),
    screen: new RenderingView({
      request, level: 3,
      onPick: (path) => dispatch({ type: "why", question: { path } }),
    }),
    copy: (text) => navigator.clipboard.writeText(text).then(() => context.say(`Copied: ${text}`), () => context.say(text)),
  };

  function render() {
    isDue = false;
    asking.begin();
    const view = state.known ? pageView(state, context) : [h("p", { class: "opening" }, "Opening…")];
    // The requests are on their way while the elements are made.
    asking.end(state.answers);
    patch(root, view);
    options.changed?.(state);
  }

  host.onNews((news) => news.type === "news" && dispatch(news));
  host.onState((to, error) => {
    if (to === "open") {
      // Steps with another base are different steps.
      if (host.first !== undefined && host.first !== state.first) dispatch({ type: "look", step: null });
      dispatch({ type: "set", ...about() });
    }
    // A loss has the words of the bar; a refusal has its own.
    const reason = error && error.code !== "connection" ? [error.message, error.help].filter(Boolean).join(" ") : "";
    dispatch({ type: "connection", to, reason });
  });
  if (!options.isFork) narrow?.addEventListener("change", render);
  render();
  // Times in words change as time goes by.
  const clock = setInterval(() => document.hidden || dispatch({ type: "set", now: Date.now() }), 15_000);
  host.onState((to) => to === "closed" && clearInterval(clock));
  return { context, get state() { return state; } };
}

/** Like `request`, and reports when an answer takes long. */
function patiently(request, tell) {
  let waiting = 0;
  return async (message) => {
    let isLong = false;
    const timer = setTimeout(() => {
      isLong = true;
      if (waiting++ === 0) tell(true);
    }, 2000);
    try {
      return await request(message);
    } finally {
      clearTimeout(timer);
      if (isLong && --waiting === 0) tell(false);
    }
  };
}

/** True if the panels are stacked. */
const narrow = globalThis.matchMedia?.("(max-width: 62rem)");

function pageView(state, context) {
  // An earlier step is replayed once for all its requests if this comes first; the current step needs no replay.
  if (isLooking(state)) diffOf(state, context);
  const changed = changedNodes(state.answers.diff?.value);
  const root = rootOf(state, context).value?.tree.path;
  const middle = middlePanels(state, context, root);
  const left = [treePanel(state, context, changed), nodePanel(state, context, state.node ?? root)].filter(Boolean);
  const right = [...heardPanels(state, context), whyPanel(state, context), changesPanel(state, context)].filter(Boolean);
  const fork = context.forkElement?.();
  const stacked = context.isFork || narrow?.matches;
  const has = { left: left.length > 0 && !fork, right: right.length > 0 && !fork };
  const tree = has.left && h("div", { key: "left", class: "column left" }, left);
  return [
    topBar(state, context), banner(state, context),
    h(context.isFork ? "div" : "main", {
      key: "main", class: ["columns", has.left && "left-too", has.right && "right-too", fork && "fork-too"].filter(Boolean).join(" "),
    },
      !stacked && tree,
      h("div", { key: "middle", class: "column middle" }, middle),
      fork,
      has.right && h("div", { key: "right", class: "column right" }, right),
      stacked && tree),
    timelinePanel(state, context), ...dialogs(state, context),
  ];
}

/** The panel of the chosen view, below the buttons to choose one. */
function middlePanels(state, context, root) {
  if (!state.of || context.isFork) return renderingPanel(state, context);
  const choose = (view) => context.dispatch({ type: "set", view });
  const buttons = h("div", { key: "views", class: "views buttons", role: "group", "aria-label": "View" }, Object.entries(views).map(([view, name]) =>
    h("button", { key: view, "aria-pressed": String(state.view === view), onclick: () => choose(view) }, name)));
  const shown = state.view === "messages" ? messagesPanel(state, context, root ?? "")
    : state.view === "states" && root ? statesPanel(state, context, root) : renderingPanel(state, context);
  return [buttons, shown];
}

function renderingPanel(state, context) {
  const step = shownStep(state);
  const request = { do: "value", of: "rendering", step };
  const { value, error, waiting } = context.ask("rendering", { ...request, depth: 6, limit: 50 });
  const ask = (path) => bare("Why?", () => context.dispatch({ type: "why", question: { path } }));
  const live = !isLooking(state) && state.connection === "open";
  const show = () => {
    const now = [value, live];
    if (now.every((one, index) => one === context.shown?.[index])) return;
    context.shown = now;
    context.screen.show(value.slice, { step: value.step, live, canAct: may(state, "act") });
  };
  const raw = bare("As a value", () => context.dispatch({ type: "set", raw: !state.raw }), { "aria-pressed": String(state.raw) });
  return panel(context, { name: "Rendering", buttons: raw }, error && errorView(error),
    value && (state.raw ? valueView(state, context, { view: "rendering", label: "Rendering", slice: value.slice, request, actions: ask })
      : h("div", { key: "screen", class: "screen", "aria-busy": waiting ? "true" : null, shown: show }, context.screen.element)));
}
