// A session of a service for the inspector page, which requests as from a program, with the token as a header.

import { eventsOf } from "./client.js";
import { connect as reach } from "./protocol.js";
import { takeToken } from "./service.js";

/**
 * Opens the session in the address, `/inspect/groceries/`, or a fork of it.
 * @returns {Promise<import("./protocol.js").Host>}
 */
export function connect(options = {}) {
  const { page = globalThis, ...others } = options;
  const token = takeToken(page);
  const fetch = (path, { headers, ...more } = {}) =>
    page.fetch(path, { ...more, headers: { ...headers, ...(token && { Authorization: `Bearer ${token}` }) } });
  return reach({ ...others, base: page.location.pathname.replace(/\/$/, ""), fetch, EventSource: sourceBy(fetch) });
}

/** An EventSource with a header, which the browser's own lacks. */
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
      // A service that ends comes back. Only a deleted session is over.
      if (name === "bye" && JSON.parse(data).reason !== "deleted") return;
      this.dispatchEvent(new MessageEvent(name, { data }));
    }
  }
};
