// The bar above the panels: the session, its position, and the two ways into the past.

import { h } from "./dom.js";
import { commandsOf, reload, save, savingsOf, takeHere } from "./commands.js";
import { palette } from "./palette.js";
import { bare } from "./panel.js";
import { can, isLooking, may, shownStep } from "./store.js";
import { counted, laterSteps } from "./words.js";

const button = (label, onclick, props) => h("button", { key: label, onclick, ...props }, label);

/** The bar at the top. It shows only what exists and what is allowed. */
export function topBar(state, context) {
  const step = shownStep(state);
  return h("header", { key: "top", class: "top" },
    h(context.isFork ? "h2" : "h1", null, context.isFork ? "Another way" : state.flow),
    state.of > 0 && h("span", { key: "step", class: "position" }, `step ${counted(step)} of ${counted(state.of)}`),
    state.working && !state.past && !isLooking(state) && h("span", { key: "working", class: "working" }, "● workers at work"),
    h("span", { class: "gap" }),
    state.slow && may(state, "act") && button("Interrupt", () => context.change({ do: "interrupt" })),
    may(state, "evaluate") && !context.isFork && !state.lacks.includes("reload")
      && button("Reload files", () => reload(context), { class: "rare", disabled: !can(state, "reload", "evaluate") }),
    context.save && saveMenu(state, context),
    context.close && button("Close", context.close),
    !context.isFork && button("Commands", () => context.dispatch({ type: "set", dialog: "commands", palette: { text: "", index: 0 } }),
      { title: "Ctrl K, or ⌘ K" }),
    !context.isFork && button("?", () => context.dispatch({ type: "set", dialog: "keys" }), { class: "rare", "aria-label": "Keys" }));
}

function saveMenu(state, context) {
  const choose = (event, what) => {
    event.currentTarget.closest("details").open = false;
    save(state, context, what);
  };
  return h("details", { key: "save", class: "menu" }, h("summary", null, "Save"), h("div", { class: "menu-items" },
    savingsOf(state).map(([what, label]) => bare(label, (event) => choose(event, what)))));
}

/** Unusual states: no connection, an earlier step is shown, or the session is in the past. */
export function banner(state, context) {
  const { step, of } = state;
  const lines = [];
  if (state.first && !context.isFork) {
    lines.push(["first", `What is shown begins at step ${counted(state.first)} of the session, as step 0. What came before is in its recording.`]);
  }
  if (state.connection === "lost") lines.push(["bad", state.reason || "The connection is lost. It is tried again by itself."]);
  if (state.connection === "closed") lines.push(["bad", state.reason || "The session is over. What is shown is as it was last."]);
  if (isLooking(state)) {
    const isHere = state.look === step;
    lines.push(["look", `You look at step ${counted(state.look)}. The session ${isHere ? "is there, too" : `stays at step ${counted(step)}`}.`,
      button("Back to now", () => context.look(null), { class: "main" }),
      !isHere && can(state, "goto") && button("Take the session here", () => takeHere(state, context))]);
  } else if (state.past) {
    const place = `The session is in the past, at step ${counted(step)} of ${counted(of)}. Its workers are held.`;
    lines.push(["past", may(state, "act") ? `${place} An action gives up ${laterSteps(of - step)}.` : place,
      can(state, "goto") && [
        button("Return to the end", () => context.change({ do: "goto", step: of }), { class: "main" }),
        can(state, "branch") && button("Go on from here…", () => context.dispatch({ type: "set", dialog: "branch" }))]]);
  }
  const at = shownStep(state);
  if (lines.length && at < of && can(state, "fork") && context.fork && !state.fork) {
    lines.at(-1).push(button("Try another way", () => context.fork(at)));
  }
  return h("div", { key: "banner", class: "banners", role: "status" }, lines.map(([kind, text, ...actions]) =>
    h("div", { key: kind, class: `banner ${kind}` }, h("span", null, text), actions)),
  state.notice && h("div", { key: "notice", class: "banner notice" }, h("span", null, state.notice),
    bare("✕", () => context.say(""), { "aria-label": "Close" })));
}

/** The keys that are no command's. */
const otherKeys = [
  ["← → ↑ ↓", "move in trees, in the timeline, in lists"], ["Enter", "open, select"], ["Home, End", "first, last"],
  ["Page ↑ ↓", "farther in the timeline"],
];

/** The dialog that is open. */
export function dialogs(state, context) {
  const close = () => context.dispatch({ type: "set", dialog: null });
  const dialog = (label, ...content) => h("dialog", {
    key: state.dialog, "aria-label": label, onclose: close, made: (element) => queueMicrotask(() => element.showModal()),
  }, content);
  if (state.dialog === "commands") return [dialog("Commands", palette(state, context, close))];
  if (state.dialog === "keys") {
    const keys = commandsOf(state, context).filter((one) => one.key).map(({ key, name }) => [key, name]);
    return [dialog("Keys", h("h2", null, "Keys"), h("dl", { class: "keys" }, [...keys, ...otherKeys].map(([key, what]) =>
      h("div", null, h("dt", null, h("kbd", null, key)), h("dd", null, what)))), button("Close", close, { class: "main" }))];
  }
  if (state.dialog === "branch") {
    const later = laterSteps(state.of - state.step);
    const go = () => {
      close();
      context.change({ do: "branch" });
    };
    return [dialog("Go on from here", h("h2", null, `Go on from step ${counted(state.step)}`),
      h("p", null, `The session gives up ${later}, and its workers go on. This cannot be undone.`),
      context.fork && h("p", { class: "quiet" }, "To keep them, try another way beside the session instead."),
      h("div", { class: "buttons" }, button(`Give up ${later}`, go, { class: "main" }), button("Cancel", close)))];
  }
  return [];
}
