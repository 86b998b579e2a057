// The palette: all commands, steps and nodes, found by typing.

import { h } from "./dom.js";
import { commandsOf } from "./commands.js";
import { shownStep } from "./store.js";
import { counted } from "./words.js";

const mostNodes = 20;

/** The commands whose names have all the words, those that begin with the first before the others. */
export function matching(commands, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = commands.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
  const isFirst = ({ name }) => name.toLowerCase().startsWith(words[0] ?? "");
  return [...found.filter(isFirst), ...found.filter((one) => !isFirst(one))];
}

/** What can be chosen for a text: commands, a step, nodes. */
function choicesFor(state, context, text) {
  const commands = matching(commandsOf(state, context).filter(({ name, run }) => run && name !== "Commands"), text);
  const step = Number(text.match(/^(?:go to |look at |step |to )*(\d+)$/i)?.[1] ?? NaN);
  const goTo = step <= state.of ? [{ name: `Look at step ${counted(step)}`, run: () => context.look(step) }] : [];
  if (text === "") return commands;
  const { value } = context.ask("found nodes", { do: "tree", match: text, step: shownStep(state), limit: mostNodes });
  const nodes = (value?.found ?? []).map(({ path }) => ({
    name: path, kind: "Node", run: () => context.dispatch({ type: "select", node: path }),
  }));
  return [...goTo, ...commands, ...nodes];
}

/** The content of the palette. */
export function palette(state, context, close) {
  const { text, index } = state.palette;
  const found = choicesFor(state, context, text.trim());
  const set = (fields) => context.dispatch({ type: "set", palette: { text, index, ...fields } });
  const choose = (one) => {
    close();
    one?.run();
  };
  const at = Math.min(index, found.length - 1);
  const by = { ArrowDown: () => set({ index: (at + 1) % found.length }), ArrowUp: () => set({ index: (at - 1 + found.length) % found.length }) };
  return [
    h("input", {
      key: "text", type: "text", role: "combobox", "aria-label": "Command, step or node", placeholder: "Command, step or node",
      "aria-expanded": "true", "aria-controls": "choices", "aria-activedescendant": found.length ? `choice-${at}` : null,
      autocomplete: "off", spellcheck: "false", value: text,
      oninput: ({ target }) => context.dispatch({ type: "set", palette: { text: target.value, index: 0 } }),
      onkeydown: (event) => {
        if (event.key === "Enter") choose(found[at]);
        else if (found.length && event.key in by) by[event.key]();
        else return;
        event.preventDefault();
      },
    }),
    h("div", { key: "choices", id: "choices", class: "choices", role: "listbox", "aria-label": "Choices", tabindex: -1 }, found.map((one, position) =>
      h("div", {
        id: `choice-${position}`, role: "option", class: "choice", "aria-selected": String(position === at), onclick: () => choose(one),
        shown: position === at ? (element) => element.scrollIntoView({ block: "nearest" }) : null,
      },
      h("span", { class: one.kind ? "path" : "" }, one.name), (one.kind || one.key) && h("span", { class: "quiet" }, one.kind ?? one.key)))),
    found.length === 0 && h("p", { key: "none", class: "quiet", role: "status" }, "Nothing has this name."),
  ];
}
