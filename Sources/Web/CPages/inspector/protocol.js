// The connection to the program: news by server-sent events, questions by POST.

import { readJSON, readSlices, writeJSON } from "./json.js";

/**
 * @typedef {object} Host
 * @property {(message: object) => Promise<any>} request the reply's value; rejects with a HostError
 * @property {string[]} scopes what this page may do: view, act, travel, evaluate
 * @property {string} flow
 * @property {string[]} lacks the requests that this session does not support
 * @property {number} first the session's step that is the page's step 0
 * @property {string} [reason] why the session is over
 * @property {(listener: (news: any) => void) => void} onNews
 * @property {(listener: (state: "open" | "lost" | "closed", error?: HostError) => void) => void} onState
 * @property {() => void} close
 */

/** A refusal of the host with its details. */
export class HostError extends Error {
  constructor(about) {
    super(about.message ?? "The program gave no reason.");
    Object.assign(this, about);
  }
}

/** Takes the token out of a fragment such as `#token=…&step=41`. */
export function readFragment(hash) {
  const [, token] = hash.match(/[#&]token=([^&]*)/) ?? [];
  const rest = hash.replace(/^#/, "").split("&").filter((item) => item && !item.startsWith("token=")).join("&");
  return { token, rest: rest && `#${rest}` };
}

const lost = () => new HostError({
  code: "connection", message: "The connection to the program is lost.", help: "The page asks again by itself. A change that you sent may not have arrived.",
});

/**
 * Opens the session of the page's server, or another by its number; `wait` is called with the reason why it must wait.
 * Tests replace the browser's functions.
 */
export async function connect(options = {}) {
  const {
    session, base = "", location = globalThis.location, history = globalThis.history, later = setTimeout,
    fetch = (...given) => globalThis.fetch(...given), EventSource = globalThis.EventSource, wait,
    storage = globalThis.sessionStorage,
  } = options;
  // The number of the login of this tab. Pages of other rights in the same browser have others.
  let login = storage?.getItem("login") ?? undefined;
  const { token, rest } = readFragment(location.hash);
  if (token) {
    history.replaceState(null, "", location.pathname + location.search + rest);
    keepLogin((await post("/login", { token })).as);
  }

  const [news, states, early] = [[], [], []];
  let source, stream, opened, over, pause = 1000;
  const host = {
    scopes: [], lacks: [], first: 0, flow: "",
    async request(message) {
      if (!stream) throw over ?? lost();
      // A journal has plain values, other replies have slices.
      const reply = await post("/request", message, { stream }, message.do === "journal" ? readJSON : readSlices);
      if (!reply.ok) throw new HostError(reply.error);
      return reply.value;
    },
    onNews(listener) {
      news.push(listener);
      for (const line of early.splice(0)) listener(line);
    },
    onState(listener) { states.push(listener); },
    /** Sends a request when the page is closed, without waiting. */
    leave: (message) => { send(pathOf("/request"), message, { keepalive: true }).catch(() => {}); },
    close: () => end(),
  };

  function keepLogin(number) {
    login = number;
    if (number === undefined) storage?.removeItem("login");
    else storage?.setItem("login", number);
  }

  function pathOf(name, fields) {
    const items = Object.entries({ ...fields, as: login }).filter(([, value]) => value !== undefined);
    return base + name + (items.length ? `?${new URLSearchParams(items)}` : "");
  }

  function send(path, body, more) {
    return fetch(path, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: writeJSON(body), ...more,
    });
  }

  function post(name, body, fields, read) { return take(() => send(pathOf(name, fields), body), read); }

  async function take(ask, read = readJSON) {
    let answer, value, text;
    try {
      answer = await ask();
      text = await answer.text();
    } catch {
      throw lost();
    }
    try {
      value = read(text);
    } catch {
      // Not from the program.
      if (answer.ok || answer.status >= 502) throw lost();
      value = {};
    }
    if (answer.ok) return value;
    throw new HostError({
      code: value.code ?? `http_${answer.status}`, status: answer.status,
      message: value.detail ?? value.title ?? `The program answered ${answer.status}.`, help: helps[answer.status],
    });
  }

  const tell = (state, error) => states.forEach((listener) => listener(state, error));

  function end(error) {
    source?.close();
    stream = undefined;
    over = error ?? new HostError({ code: "over", message: "The session is over." });
    opened?.reject(over);
    tell("closed", error);
  }

  function open() {
    source = new EventSource(pathOf("/stream", { session }));
    source.addEventListener("hello", (event) => {
      const { stream: name, as, ...about } = JSON.parse(event.data);
      stream = name;
      keepLogin(as);
      pause = 1000;
      Object.assign(host, about);
      opened?.resolve(host);
      opened = undefined;
      tell("open");
    });
    source.addEventListener("message", (event) => {
      const line = readSlices(event.data);
      if (news.length === 0) early.push(line);
      for (const listener of news) listener(line);
    });
    source.addEventListener("bye", (event) => {
      host.reason = JSON.parse(event.data).reason;
      end();
    });
    source.addEventListener("error", () => {
      if (stream) tell("lost", lost());
      stream = undefined;
      // A browser reconnects by itself unless the answer was not a stream; then asking again finds the reason.
      if (source.readyState === 2) retry();
    });
  }

  async function retry() {
    try {
      await take(async () => {
        const answer = await fetch(pathOf("/stream", { session }));
        if (!answer.ok) return answer;
        answer.body?.cancel();
        return { ok: true, text: () => "{}" };
      });
    } catch (error) {
      if (error.status === 401) keepLogin(undefined);
      error.help = helpOf(error);
      if (isFinal(error.status)) return end(error);
      if (opened) wait?.(error);
      else tell("lost", error);
    }
    later(open, pause);
    pause = Math.min(pause * 2, 15000);
  }

  return new Promise((resolve, reject) => {
    opened = { resolve, reject };
    open();
  });
}

const helps = {
  401: "Open the address that the program printed; the token is a part of it.",
  403: "Open the address that the program printed.",
};

/** The next step after the refusal of a stream. */
function helpOf({ status, help }) {
  if (help) return help;
  if (status === 404) return "The session has ended or moved. Open the address of the page anew.";
  return isFinal(status) ? "Reload the page when the cause is gone." : "The page tries again by itself.";
}

/** True if asking again does not help: only what is busy or fails is better later. */
const isFinal = (status) => status >= 400 && status < 500 && status !== 429;
