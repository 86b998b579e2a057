// Panels, named parts of the page for screen readers, and the small buttons in them.

import { h } from "./dom.js";

/** A button without a border. */
export const bare = (label, onclick, props) => h("button", { class: "bare", type: "button", onclick, ...props }, label);

/** A button that copies a text. */
export const copyButton = (context, text, name) =>
  bare("Copy", () => context.copy(text), { class: "bare copy", "aria-label": `Copy ${name}`, title: text });

/** Secondary text. */
export const quiet = (...words) => h("span", { class: "quiet" }, words);

/** A panel. `buttons` are next to its title; `close` is the message of its ✕. */
export function panel(context, { name, title = name, kind = "", buttons, close }, ...children) {
  const label = context.isFork ? `${name}, another way` : name;
  return h("section", { key: `${name} panel`, class: `panel ${kind}`, "aria-label": label },
    title && h("header", { class: "panel-head" }, h("h2", null, title), buttons,
      close && bare("✕", () => context.dispatch(close), { "aria-label": "Close" })),
    children);
}
