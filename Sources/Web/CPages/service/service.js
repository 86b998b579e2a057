// A session of a service for the play page, over the service's API with the token as a header.

import { connect as reach } from "./client.js";
import { readJSON } from "./json.js";
import { placeAt, sliceOf } from "./offline.js";
import { HostError, readFragment } from "./protocol.js";

/** The session in the page's address: `/play/groceries/`. */
export const sessionOf = (path) => decodeURIComponent(path.match(/\/play\/([^/]+)\//)?.[1] ?? "");

/** The token in the fragment of the address, which is removed there; or the earlier one of this tab. */
export function takeToken({ location, history, sessionStorage }) {
  const { token, rest } = readFragment(location.hash);
  if (!token) return sessionStorage.getItem("token") ?? undefined;
  history.replaceState(null, "", location.pathname + location.search + rest);
  sessionStorage.setItem("token", token);
  return token;
}

/**
 * Opens the session.
 * @returns {Promise<import("./protocol.js").Host>}
 */
export async function connect({ page = globalThis } = {}) {
  const session = reach(page.location.origin, { token: takeToken(page), parse: readJSON, patience: 5000 })
    .session(sessionOf(page.location.pathname));
  const [news, states] = [[], []];
  const tell = (state, error) => states.forEach((listener) => listener(state, error));
  const [first, scopes] = await Promise.all([session.read(), session.scopes()]).catch((error) => { throw refusal(error); });
  let now = first;
  // The seen version is sent back, even if there is a newer one. A step may come back with another rendering, so the
  // page gets the tag in its place.
  const seen = new Map();
  const keep = (shown) => {
    now = shown;
    seen.set(now.tag, now.rendering);
    if (seen.size > 20) seen.delete(seen.keys().next().value);
  };
  keep(now);

  const answers = {
    value: ({ path = "", step, ...extent }) => {
      const rendering = step === undefined ? now.rendering : seen.get(step) ?? now.rendering;
      return { step: step ?? now.tag, path, slice: sliceOf(placeAt(rendering, path), extent) };
    },
    forms: () => session.forms(),
    undo: async () => keep(await session.undo()),
    redo: async () => keep(await session.redo()),
    async send({ action, node, at, step, with: fields }) {
      const sink = at === undefined ? action : placeAt(seen.get(step) ?? now.rendering, at);
      keep(await session.send(sink, at === undefined ? { node } : { with: fields }));
    },
  };

  const report = (more) => {
    for (const listener of news) listener({ step: now.step, of: now.of, past: now.step < now.of, ...more });
  };
  const stop = session.follow((shown) => {
    keep(shown);
    report({});
  }, ({ output }) => report({ outputs: [{ output: sliceOf(output) }] }),
  (error) => tell("closed", error && refusal(error)), (error) => (error ? tell("lost", refusal(error)) : tell("open")));

  return {
    flow: now.flow, scopes: ["view", ...scopes.filter((scope) => scope === "act" || scope === "travel")],
    async request({ do: verb, ...message }) {
      try {
        return await answers[verb](message);
      } catch (error) {
        throw refusal(error);
      }
    },
    onNews: (listener) => news.push(listener),
    onState: (listener) => states.push(listener),
    close: stop,
  };
}

/** A refusal of the service for the page. */
function refusal(error) {
  if (error instanceof HostError) return error;
  const help = error.status === 401 ? "Open the address that you were given, with all that follows the #."
    : error.status === undefined || error.status === 429 || error.status >= 500 ? "The page tries again by itself." : undefined;
  return new HostError({
    code: error.code ?? "connection", status: error.status, help,
    message: error.error?.message ?? error.detail ?? "The service cannot be reached.",
  });
}
