// A session of a service, for the page that inspects it: what the page asks of a program, with the token as a header.

import { eventsOf } from "./client.js";
import { connect as reach } from "./protocol.js";
import { takeToken } from "./service.js";

/**
 * Opens the session that the address names, `/inspect/groceries/`, or a fork of it.
 * @returns {Promise<import("./protocol.js").Host>}
 */
export function connect(options = {}) {
  const { page = globalThis, ...others } = options;
  const token = takeToken(page);
  const fetch = (path, { headers, ...more } = {}) =>
    page.fetch(path, { ...more, headers: { ...headers, ...(token && { Authorization: `Bearer ${token}` }) } });
  return reach({ ...others, base: page.location.pathname.replace(/\/$/, ""), fetch, EventSource: sourceBy(fetch) });
}

/** An EventSource that asks with a header: the browser's own cannot. */
const sourceBy = (fetch) => class extends EventTarget {
  readyState = 0;
  #abort = new AbortController();

  constructor(path) {
    super();
    this.#read(path).catch(() => {}).then(() => {
      this.readyState = 2;
      if (!this.#abort.signal.aborted) this.dispatchEvent(new Event("error"));
    });
  }

  close() { this.#abort.abort(); }

  async #read(path) {
    const response = await fetch(path, { signal: this.#abort.signal });
    if (!response.ok) return;
    for await (const { name = "message", data } of eventsOf(response)) {
      // A service that ends comes back; only what was deleted is over.
      if (name === "bye" && JSON.parse(data).reason !== "deleted") return;
      this.dispatchEvent(new MessageEvent(name, { data }));
    }
  }
};
