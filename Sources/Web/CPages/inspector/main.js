// Opens the session of the program.

import { h, patch } from "./dom.js";
import { errorView } from "./errors.js";
import { openInspector } from "./inspector.js";

async function openMain() {
  const root = document.querySelector(".page");
  const refuse = (title, error) => patch(root, [h("main", { class: "refused" }, h("h1", null, title), errorView(error))]);
  try {
    // The page of a service is at /inspect/SESSION/, that of a program at /.
    const { connect } = await import(/^\/inspect\//.test(location.pathname) ? "./inspected.js" : "./protocol.js");
    const host = await connect({ wait: (error) => refuse("This page waits for a place", error) });
    openInspector(root, host, {
      async fork(step) {
        const { session } = await host.request({ do: "fork", step });
        addEventListener("pagehide", () => host.leave({ do: "unfork", session }), { once: true });
        return Object.assign(await connect({ session }), { session });
      },
      // Rarely used modules are loaded on demand.
      async save(what, { step, node }) {
        const saving = await import("./save.js");
        return what === "copyLink" ? saving.copyLink(step, node) : saving[what](host);
      },
    });
  } catch (error) {
    refuse("This page cannot be opened", error);
  }
}

openMain();
