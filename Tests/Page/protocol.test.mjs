import test from "node:test";
import assert from "node:assert/strict";
import { connect, readFragment } from "../../Sources/Web/CPages/inspector/protocol.js";

/** A page's surroundings: what was posted, and the streams that were opened. */
function surroundings(answers = {}, hash = "") {
  const world = { posted: [], streams: [], address: null, waits: [] };
  class EventSource {
    listeners = {};
    readyState = 1;
    constructor(path) { this.path = path; world.streams.push(this); world.opened?.(); }
    addEventListener(type, listener) { this.listeners[type] = listener; }
    emit(type, data) { this.listeners[type]({ data: JSON.stringify(data) }); }
    close() { this.readyState = 2; }
  }
  world.options = {
    EventSource, location: { hash, pathname: "/play", search: "?a" },
    history: { replaceState: (_, __, address) => { world.address = address; } },
    later: (action, pause) => world.waits.push({ action, pause }),
    async fetch(path, { method = "GET", body = "null" } = {}) {
      if (method === "POST") world.posted.push([path, JSON.parse(body)]);
      const answer = answers[path.split("?")[0]];
      if (!answer) throw new TypeError("network");
      const { status = 200, ...value } = typeof answer === "function" ? await answer(JSON.parse(body)) : answer;
      return { ok: status < 300, status, text: async () => JSON.stringify(value) };
    },
  };
  world.stream = async () => {
    if (world.streams.length === 0) await new Promise((resolve) => { world.opened = resolve; });
    return world.streams.at(-1);
  };
  return world;
}

async function opened(world, options = {}) {
  const host = connect({ ...world.options, ...options });
  (await world.stream()).emit("hello", { stream: "s 1", scopes: ["view", "act"], flow: "todo" });
  return host;
}

test("a token is taken out of the address", async () => {
  assert.deepEqual(readFragment("#token=abc&step=41&node=todo/item:2"), { token: "abc", rest: "#step=41&node=todo/item:2" });
  assert.deepEqual(readFragment("#token=abc"), { token: "abc", rest: "" });
  assert.deepEqual(readFragment(""), { token: undefined, rest: "" });
  const world = surroundings({ "/login": { scopes: [] } }, "#token=abc&step=4");
  const host = await opened(world);
  assert.equal(world.address, "/play?a#step=4");
  assert.deepEqual(world.posted, [["/login", { token: "abc" }]]);
  assert.deepEqual([host.scopes, host.flow, world.streams[0].path], [["view", "act"], "todo", "/stream"]);
});

test("a wrong token is told with the next step, and opens no stream", async () => {
  const world = surroundings({ "/login": { status: 403, title: "Forbidden", detail: "The token is not known.", code: "token" } }, "#token=x");
  await assert.rejects(connect(world.options), {
    message: "The token is not known.", code: "token", status: 403, help: "Open the address that the program printed.",
  });
  assert.equal(world.streams.length, 0);
});

test("another session has a stream of its own", async () => {
  const world = surroundings();
  await opened(world, { session: 2 });
  assert.equal(world.streams[0].path, "/stream?session=2");
});

test("a request is answered by the value, or refused with all that the host says", async () => {
  const world = surroundings({
    "/request": (message) => message.do === "status"
      ? { type: "reply", ok: true, value: { step: 3 } }
      : { type: "reply", ok: false, error: { code: "lua", message: "add needs a text", location: { file: "todo.lua", line: 12 } } },
  });
  const host = await opened(world);
  assert.deepEqual(await host.request({ do: "status" }), { step: 3 });
  assert.equal(world.posted[0][0], "/request?stream=s+1");
  await assert.rejects(host.request({ do: "send" }), { code: "lua", message: "add needs a text", location: { file: "todo.lua", line: 12 } });
});

test("news that come before anybody listens are kept", async () => {
  const world = surroundings();
  const host = await opened(world);
  world.streams[0].emit("message", { step: 1 });
  const heard = [];
  host.onNews((news) => heard.push(news.step));
  world.streams[0].emit("message", { step: 2 });
  assert.deepEqual(heard, [1, 2]);
});

test("a connection that is lost is told, and comes back by itself", async () => {
  const world = surroundings();
  const host = await opened(world);
  const states = [];
  host.onState((state) => states.push(state));
  const [stream] = world.streams;
  stream.readyState = 0;
  stream.emit("error");
  await assert.rejects(host.request({ do: "status" }), {
    code: "connection", help: "The page asks again by itself. A change that you sent may not have arrived.",
  });
  stream.emit("hello", { stream: "2", scopes: ["view"], flow: "todo" });
  assert.deepEqual(states, ["lost", "open"]);
  assert.deepEqual(host.scopes, ["view"]);
});

test("what answers in place of the program is a lost connection, and so is half an answer", async () => {
  const answers = [[502, async () => "<html>"], [200, async () => "<html>"], [200, async () => { throw new TypeError("network"); }]];
  const world = surroundings();
  world.options.fetch = async () => {
    const [status, text] = answers.shift();
    return { ok: status < 300, status, text };
  };
  const host = await opened(world);
  while (answers.length > 0) await assert.rejects(host.request({ do: "status" }), { code: "connection" });
  answers.push([500, async () => "<html>"]);
  await assert.rejects(host.request({ do: "status" }), { code: "http_500", message: "The program answered 500." });
});

test("a stream that was refused is tried again, more rarely each time", async () => {
  const world = surroundings({ "/stream": { status: 429, code: "too_many_streams", detail: "One token may have 12." } });
  const reasons = [];
  const host = connect({ ...world.options, wait: (error) => reasons.push(error.message) });
  for (const expected of [1000, 2000, 4000]) {
    const stream = await world.stream();
    stream.readyState = 2;
    const waiting = world.waits.length;
    stream.emit("error");
    while (world.waits.length === waiting) await new Promise(setImmediate);
    assert.equal(world.waits.at(-1).pause, expected);
    world.waits.at(-1).action();
  }
  assert.deepEqual(reasons, Array(3).fill("One token may have 12."));
  world.streams.at(-1).emit("hello", { stream: "1", scopes: [], flow: "f" });
  assert.equal((await host).flow, "f");
});

test("a page that is refused after it was open is told why", async () => {
  const world = surroundings({ "/stream": { status: 503, code: "busy", detail: "At most 21 are open at a time." } });
  const host = await opened(world);
  const states = [];
  host.onState((state, error) => states.push([state, error.message]));
  const [stream] = world.streams;
  stream.readyState = 2;
  stream.emit("error");
  while (world.waits.length === 0) await new Promise(setImmediate);
  assert.deepEqual(states[1], ["lost", "At most 21 are open at a time."]);
});

test("pages of several logins in one browser each ask with their own", async () => {
  const kept = new Map();
  const storage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, String(value)), removeItem: (key) => kept.delete(key) };
  const world = surroundings({ "/login": { scopes: [], as: 1 }, "/request": { ok: true } }, "#token=abc");
  const host = connect({ ...world.options, storage });
  const stream = await world.stream();
  assert.equal(stream.path, "/stream?as=1");
  stream.emit("hello", { stream: "s", as: 1, scopes: [], flow: "todo" });
  await (await host).request({ do: "status" });
  assert.equal(world.posted.at(-1)[0], "/request?stream=s&as=1");
  // The page that is loaded again has no token.
  const again = surroundings({}, "");
  connect({ ...again.options, storage });
  assert.equal((await again.stream()).path, "/stream?as=1");
  // One that is refused forgets it.
  const refused = surroundings({ "/stream": { status: 401, title: "Not logged in" } });
  const failing = assert.rejects(connect({ ...refused.options, storage }), { status: 401 });
  const last = await refused.stream();
  last.readyState = 2;
  last.emit("error");
  await failing;
  assert.equal(kept.size, 0);
});

test("a stream that is refused says why, and what to do", async () => {
  const refusals = [
    [403, "not_granted", "Open the address that the program printed."], [404, "unknown", "The session has ended or moved. Open the address of the page anew."],
    [409, "too_many_steps", "Reload the page when the cause is gone."],
  ];
  for (const [status, code, help] of refusals) {
    const world = surroundings({ "/stream": { status, code, detail: "This is why." } });
    const host = connect(world.options);
    const stream = await world.stream();
    stream.readyState = 2;
    stream.emit("error");
    await assert.rejects(host, { message: "This is why.", help });
  }
  for (const status of [429, 503]) {
    const world = surroundings({ "/stream": { status, detail: "This is why." } });
    const refusal = new Promise((wait) => { connect({ ...world.options, wait }); });
    const stream = await world.stream();
    stream.readyState = 2;
    stream.emit("error");
    const { message, help } = await refusal;
    assert.deepEqual([message, help], ["This is why.", "The page tries again by itself."]);
  }
});

test("a stream without a login ends, and says what to do", async () => {
  const world = surroundings({ "/stream": { status: 401, title: "Not logged in" } });
  const host = connect(world.options);
  const stream = await world.stream();
  stream.readyState = 2;
  stream.emit("error");
  await assert.rejects(host, { status: 401, help: "Open the address that the program printed; the token is a part of it." });
});

test("the end of the session is no loss of the connection", async () => {
  const world = surroundings();
  const host = await opened(world);
  const states = [];
  host.onState((state, error) => states.push([state, error]));
  world.streams[0].emit("bye", { reason: "closed" });
  assert.deepEqual(states, [["closed", undefined]]);
  assert.equal(world.streams[0].readyState, 2);
  await assert.rejects(host.request({ do: "status" }), { code: "over", message: "The session is over." });
});
