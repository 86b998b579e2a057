// The commands of the page: their names, their keys, and when they are possible.

import { can, isLooking, may, shownStep } from "./store.js";

/** The views of a session. */
export const views = { rendering: "Rendering", messages: "Messages", states: "States" };

const savings = {
  savePage: "This session as a page", saveRecording: "Its recording", saveTest: "A test of it", copyLink: "Copy a link to here",
};

/** The ways to take the session along, by name. */
export const savingsOf = (state) =>
  Object.entries(savings).filter(([what]) => what !== "saveTest" || !state.lacks.includes("test"));

/** Takes the session along in one of these ways. */
export function save(state, context, what) {
  return context.save(what, { step: shownStep(state), node: state.node })
    .then(context.say, (error) => context.dispatch({ type: "failed", error }));
}

/** The commands, each with a name; `key` is its key, and `run` is missing while it is impossible. */
export function commandsOf(state, context) {
  const { step, of } = state;
  const shown = shownStep(state);
  const set = (fields) => context.dispatch({ type: "set", ...fields });
  const command = (name, isPossible, run, key) => ({ name, key, run: isPossible ? run : undefined });
  const isAway = isLooking(state) && shown !== step;
  return [
    command("Undo", can(state, "undo") && step > 0, () => context.change({ do: "undo" }), "u"),
    command("Redo", can(state, "redo") && step < of, () => context.change({ do: "redo" }), "r"),
    command("Look at the step before", shown > 0, () => context.look(shown - 1), "["),
    command("Look at the step after", shown < of, () => context.look(shown + 1), "]"),
    command("Look at the beginning", shown > 0, () => context.look(0)),
    command("Back to now", isLooking(state), () => context.look(null), "Escape"),
    command("Take the session here", isAway && can(state, "goto"), () => takeHere(state, context)),
    command("Return to the end", state.past && can(state, "goto"), () => context.change({ do: "goto", step: of })),
    command("Go on from here…", state.past && can(state, "branch"), () => set({ dialog: "branch" })),
    command("Try another way", shown < of && can(state, "fork") && context.fork && !state.fork, () => context.fork(shown)),
    ...Object.entries(views).map(([view, name], index) =>
      command(`Show ${name.toLowerCase()}`, of > 0 || view === "rendering", () => set({ view }), String(index + 1))),
    command("Search the inputs", of > 0, () => searchInputs(context), "/"),
    command("Reload files", may(state, "evaluate") && can(state, "reload", "evaluate"), () => reload(context)),
    command("Interrupt", may(state, "act"), () => context.change({ do: "interrupt" })),
    ...(context.save ? savingsOf(state).map(([what, name]) =>
      command(what === "copyLink" ? name : `Save ${name.toLowerCase()}`, true, () => save(state, context, what))) : []),
    command("Copy the path of the node", state.node !== null, () => context.copy(state.node)),
    command("Commands", true, () => set({ dialog: "commands", palette: { text: "", index: 0 } }), "Ctrl K"),
    command("Keys", true, () => set({ dialog: "keys" }), "?"),
  ];
}

/** Moves the session to the step that is looked at. */
export function takeHere(state, context) {
  context.dispatch({ type: "set", takes: true });
  context.change({ do: "goto", step: state.look });
}

function searchInputs(context) {
  context.dispatch({ type: "set", steps: true });
  context.draw();
  document.getElementById("search")?.focus();
}

/** Loads the flow's files again and tells which steps are shown differently. */
export async function reload(context) {
  context.say("Loading the files again…");
  const { changed, hash } = await context.change({ do: "reload", replay: true, compare: true }) ?? {};
  if (!changed) return context.say("");
  context.dispatch({ type: "reloaded", changed, hash });
  const count = changed.length === 1 ? "1 step" : `${changed.length.toLocaleString("en")} steps`;
  context.say(changed.length ? `Loaded again. Shown differently now, and marked: ${count}.` : "Loaded again. Every step is shown as before.");
}
