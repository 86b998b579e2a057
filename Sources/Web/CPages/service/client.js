// A client of `workflow-run serve`, for browsers, Node, Deno and Bun. It needs `fetch` and nothing else.
//
//   const flows = connect("http://127.0.0.1:8080", { token });
//   const list = await flows.create("todo");
//   list.follow(({ rendering }) => show(rendering));
//   const seen = await list.send({ type: "add", text: "milk" });
//   await list.send(seen.rendering.rows[0].toggle, { if: seen });
//
// Every change has its own key, so it is made once even if it is sent repeatedly. Refusals are thrown as a
// Problem.

/** A refusal: `status`, `code`, `detail`, and the service's further members. */
export class Problem extends Error {
  constructor(fields) {
    super(fields.detail ? `${fields.title}: ${fields.detail}` : fields.title);
    Object.assign(this, fields);
  }
}

/** The server-sent events of a response. */
export async function* eventsOf(response) {
  let rest = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const field = (name) => block.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1];
      if (field("data") !== undefined) yield { name: field("event"), id: field("id"), data: field("data") };
    }
  }
}

/**
 * @param {string} address
 * @param {{token?: string, fetch?: typeof fetch, patience?: number, parse?: (text: string) => any}} options `patience`: for
 *   how many milliseconds a request is sent again; `parse`: reads JSON in another way, say without rounding long numbers
 */
export function connect(address, options = {}) {
  const { token, fetch = (...given) => globalThis.fetch(...given), patience = 30_000, parse = JSON.parse } = options;
  const base = address.replace(/\/+$/, "");

  const headers = (more) => ({ ...(token && { Authorization: `Bearer ${token}` }), ...more });
  const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

  /** Sends a request until there is an answer. A key makes repeating it safe. */
  async function request(method, path, body, more = {}) {
    const fields = { ...more };
    if (body !== undefined) fields["Content-Type"] = "application/json";
    if (method === "POST") fields["Idempotency-Key"] = crypto.randomUUID();
    const end = Date.now() + patience;
    for (let attempt = 0; ; attempt++) {
      const wait = Math.min(200 * 2 ** attempt, 5000) * (0.5 + Math.random() / 2);
      let response;
      try {
        response = await fetch(base + path, {
          method, headers: headers(fields), body: body === undefined ? undefined : JSON.stringify(body),
        });
      } catch (error) {
        if (Date.now() + wait > end) throw error;
        await pause(wait);
        continue;
      }
      const text = await response.text();
      if (response.ok) return text ? parse(text) : undefined;
      let problem;
      try { problem = parse(text); } catch { problem = { title: response.statusText, status: response.status }; }
      const again = [429, 502, 503, 504].includes(response.status) || problem.code === "in_flight";
      const after = Number(response.headers.get("Retry-After")) * 1000 || wait;
      if (!again || Date.now() + after > end) throw new Problem(problem);
      await pause(after);
    }
  }

  function session(id) {
    const path = `/sessions/${encodeURIComponent(id)}`;
    /**
     * @param {{if?: {tag: string} | string}} conditions `if`: the session as it was seen, or its `tag`; if it has changed
     *   since, the request is refused with 412
     */
    const match = ({ if: seen } = {}) => seen === undefined ? {} : { "If-Match": `"${seen.tag ?? seen}"` };
    const post = (verb, body, conditions) => request("POST", `${path}/${verb}`, body, match(conditions));
    return {
      id,
      /** Its state now or after a step. */
      read: (step) => request("GET", path + (step === undefined ? "" : `?step=${step}`)),
      /** Sends an action, or a sink of a rendering; `with` holds further fields. */
      send: (action, conditions = {}) => post("actions", action?.$sink
        ? { sink: action, with: conditions.with ?? {} } : { action, node: conditions.node }, conditions),
      props: (props, conditions) => post("props", { props }, conditions),
      undo: (conditions) => post("undo", {}, conditions),
      redo: (conditions) => post("redo", {}, conditions),
      go: (step, conditions) => post("goto", { step }, conditions),
      /** Gives again what a worker, `{ node, worker, key }`, or each gave and the flow refused. */
      retry: (worker = {}, conditions) => post("retry", worker, conditions),
      /** Creates another session with the steps up to this one. */
      branch: async (step, id, conditions) => session((await post("branch", { step, id }, conditions)).id),
      /** The fields of the flow's actions. */
      forms: () => request("GET", `${path}/forms`),
      /** The scopes of the token that the flow leaves it: those who may undo and redo have `travel`. */
      scopes: async () => (await request("GET", `${path}/scopes`)).scopes,
      delete: (conditions) => request("DELETE", path, undefined, match(conditions)),
      /**
       * Reports each rendering and output, also across lost connections; and the reason while there is no
       * connection, and nothing when it is back. Returns a function that stops it.
       */
      follow(onRendering, onOutput = () => {}, onEnd = () => {}, onLoss = () => {}) {
        const abort = new AbortController();
        follow(`${path}/events`, abort, (name, data) =>
          name === "rendering" ? onRendering(data) : name === "output" ? onOutput(data) : undefined, onLoss,
        ).then(onEnd, onEnd);
        return () => abort.abort();
      },
    };
  }

  /** Reads server-sent events, and continues after the last one when the connection is lost. */
  async function follow(path, abort, tell, onLoss) {
    let last;
    for (let attempt = 0; !abort.signal.aborted; attempt++) {
      try {
        const response = await fetch(base + path, {
          headers: headers({ Accept: "text/event-stream", ...(last && { "Last-Event-ID": last }) }),
          signal: abort.signal,
        });
        if (!response.ok) throw new Problem(await response.json());
        onLoss();
        for await (const { name, id, data } of eventsOf(response)) {
          if (name === "bye" && JSON.parse(data).reason === "deleted") return;
          last = id ?? last;
          attempt = 0;
          tell(name, parse(data));
        }
      } catch (error) {
        if (abort.signal.aborted) return;
        if (error.status < 500 && error.status !== 429) throw error;
        onLoss(error);
      }
      if (!abort.signal.aborted) await pause(Math.min(200 * 2 ** attempt, 5000));
    }
  }

  return {
    flows: async () => (await request("GET", "/flows")).flows,
    /** Creates a session. */
    create: async (flow, { id, props } = {}) =>
      session((await request("POST", "/sessions", { flow, id, props })).id),
    /** An existing session. */
    session,
    /** A page of sessions, newest first: `{ sessions, next }`. */
    list: ({ flow, after, limit } = {}) => {
      const query = new URLSearchParams(
        Object.entries({ flow, after, limit }).filter(([, value]) => value !== undefined));
      return request("GET", `/sessions?${query}`);
    },
  };
}
