// The inspector of a host: the session's page, the address, the keys, and a second session next to it.

import { openPage } from "./page.js";
import { commandsOf, views } from "./commands.js";
import { shownStep } from "./store.js";

/** Reads the view from an address. */
export function readAddress(hash) {
  const items = new URLSearchParams(hash.replace(/^#/, ""));
  const step = items.get("step");
  const view = items.get("view");
  return {
    step: step !== null && /^\d+$/.test(step) ? Number(step) : null, node: items.get("node") || null,
    view: Object.hasOwn(views, view ?? "") ? view : "rendering",
  };
}

/** The part of an address that holds the view. */
export function writeAddress({ step, node, view = "rendering" }) {
  const items = new URLSearchParams();
  if (step !== null) items.set("step", String(step));
  if (node !== null) items.set("node", node);
  if (view !== "rendering") items.set("view", view);
  return items.size ? `#${items}` : "";
}

/**
 * Shows a host in the document.
 * The options are further features of the page: another session, and exports.
 */
export function openInspector(root, host, { fork, save } = {}) {
  let address = location.hash;
  let isGiven = false;
  let beside = null;
  const page = openPage(root, host, {
    forkElement: () => beside,
    save,
    fork: fork && (async (step) => {
      try {
        show(await fork(step), step);
      } catch (error) {
        page.context.dispatch({ type: "failed", error });
      }
    }),
    changed(state) {
      document.title = `${state.flow}${state.of ? ` · step ${shownStep(state)}` : ""}`;
      if (!state.known) return;
      if (!isGiven) {
        isGiven = true;
        follow(address);
        return;
      }
      const now = writeAddress({ step: state.look, node: state.node, view: state.view });
      if (now === address) return;
      const place = now || location.pathname + location.search;
      if (state.scrubs) history.replaceState(null, "", place);
      else history.pushState(null, "", place);
      address = now;
    },
  });

  function follow(hash) {
    const { step, node, view } = readAddress(hash);
    address = writeAddress({ step, node, view });
    page.context.dispatch({ type: "set", view });
    page.context.dispatch({ type: "look", step });
    page.context.dispatch({ type: "select", node });
  }

  function show(other, step) {
    const element = document.createElement("section");
    element.className = "column fork";
    element.setAttribute("aria-label", "Another way");
    beside = element;
    openPage(element, other, {
      isFork: true,
      close() {
        other.close();
        beside = null;
        page.context.change({ do: "unfork", session: other.session });
        page.context.dispatch({ type: "set", fork: null });
      },
    });
    page.context.dispatch({ type: "set", fork: other.session });
  }

  addEventListener("popstate", () => follow(location.hash));
  addEventListener("keydown", (event) => {
    const { state, context } = page;
    const isPalette = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k";
    const typing = event.target.closest?.("input, textarea, select, dialog");
    if (!isPalette && (typing || event.altKey || event.ctrlKey || event.metaKey)) return;
    if (state.dialog) return;
    const by = commandsOf(state, context).find(({ key, name }) => (isPalette ? name === "Commands" : key === event.key));
    if (!by) return;
    event.preventDefault();
    by.run?.();
    // The next key may be the first letter for a field that the command opens.
    context.draw();
  });
}
