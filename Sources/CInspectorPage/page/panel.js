// Panels: a part of the page with a name, by which screen readers find it.

import { h } from "./dom.js";

/**
 * A panel. `buttons` stand beside its title.
 * @param {{name: string, title?: any, kind?: string, buttons?: any, close?: object}} options `close` is the message of its ✕
 */
export function panel(context, { name, title = name, kind = "", buttons, close }, ...children) {
  return h("section", { key: `${name} panel`, class: `panel ${kind}`, "aria-label": context.isFork ? `${name}, another way` : name },
    title && h("header", { class: "panel-head" }, h("h2", null, title), buttons,
      close && h("button", { class: "bare", "aria-label": "Close", onclick: () => context.dispatch(close) }, "✕")),
    children);
}
