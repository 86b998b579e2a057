// Journals for tests of the page, as the request `journal` gives them: a list of things to do that is played by an
// endless script, of any length and width.

const began = Date.UTC(2026, 10, 22, 12, 0, 0);

const sink = (node, type, fields = {}) => ({ $sink: { node, action: { type, ...fields } } });

/** A record of scalars as a slice: what came of a step is told in slices, moments are plain. */
const slice = (record) => ({ $: "record", of: Object.keys(record).length, from: 0, entries: Object.entries(record) });

/** The todo flow in a few lines: states of nodes in, all that can be seen of them out. */
function shown({ name, items }) {
  const rows = items.map((item) => {
    const node = `${name}/item:${item.id}`;
    return {
      text: item.text, done: item.done, edit: sink(node, "edit"), remove: sink(node, "remove"), toggle: sink(node, "toggle"),
    };
  });
  const done = items.filter((item) => item.done).length;
  return {
    title: `${done} of ${items.length} done`, rows, add: sink(name, "add"), finish: sink(name, "finish"),
    ...(done > 0 ? { clear_done: sink(name, "clear_done") } : {}),
  };
}

function moment(state) {
  const nodes = {
    [state.name]: {
      name: state.name, props: {}, state: { items: state.items, next_id: state.next },
      workers: [{ name: "clock.every", key: "", input: { seconds: 1 }, ended: false }],
    },
  };
  for (const item of state.items) {
    nodes[`${state.name}/item:${item.id}`] = {
      name: "item", key: String(item.id), props: { item }, state: { editing: false },
    };
  }
  return { rendering: shown(state), nodes, order: Object.keys(nodes) };
}

/**
 * @param {{steps?: number, rows?: number, text?: (index: number) => string, name?: string}} options `rows` are there
 *   from the beginning; each step adds an item as long as there are fewer than `rows + 20`, or toggles one
 */
export function makeJournal({ steps = 12, rows = 0, text = (index) => `thing ${index}`, name = "todo" } = {}) {
  const state = { name, next: rows + 1, items: [] };
  for (let id = 1; id <= rows; id += 1) state.items.push({ id, text: text(id), done: false });
  const first = structuredClone(moment(state));
  const list = [];
  for (let step = 1; step <= steps; step += 1) {
    const adds = state.items.length < rows + 20 && step % 3 !== 0;
    list.push(adds ? added(state, step, text) : toggled(state, step));
  }
  return { flow: name, hash: "2070fd87a948bf1b", of: steps, from: 0, to: steps, first, steps: list };
}

function entry(step, title, node, fields) {
  const written = Object.entries(fields).map(([key, value]) => `${key} = ${JSON.stringify(value)}`).join(", ");
  return {
    step, at: began + step * 1500, kind: "action", title, node, text: written ? `${title} { ${written} }` : title,
  };
}

function added(state, step, text) {
  const item = { id: state.next, text: text(state.next), done: false };
  const index = state.items.length;
  state.items.push(item);
  state.next += 1;
  const path = `${state.name}/item:${item.id}`;
  const now = shown(state);
  return {
    entry: entry(step, "add", state.name, { text: item.text }),
    input: { kind: "action", node: state.name, action: { type: "add", text: item.text } },
    ops: [
      { op: "add", path: `/rendering/rows/${index}`, value: now.rows[index] },
      { op: "replace", path: "/rendering/title", value: now.title },
      { op: "add", path: `/nodes/${state.name}/state/items/${index}`, value: { ...item } },
      { op: "replace", path: `/nodes/${state.name}/state/next_id`, value: state.next },
      {
        op: "add", path: `/nodes/${path.replace(/~/g, "~0").replace(/\//g, "~1")}`,
        value: { name: "item", key: String(item.id), props: { item: { ...item } }, state: { editing: false } },
      },
      { op: "add", path: "/order/-", value: path },
    ],
    actions: [{ node: state.name, action: slice({ text: item.text, type: "add" }), source: "client" }],
    rendered: [{ path: state.name, cause: ["state"] }, { path, cause: ["first"] }],
  };
}

function toggled(state, step) {
  const index = (step * 7) % state.items.length;
  const item = { ...state.items[index], done: !state.items[index].done };
  const before = shown(state);
  state.items[index] = item;
  const now = shown(state);
  const path = `${state.name}/item:${item.id}`;
  const place = `/nodes/${path.replace(/~/g, "~0").replace(/\//g, "~1")}`;
  const clear = "clear_done" in now === "clear_done" in before ? [] : [
    "clear_done" in now
      ? { op: "add", path: "/rendering/clear_done", value: now.clear_done }
      : { op: "remove", path: "/rendering/clear_done" },
  ];
  return {
    entry: entry(step, "toggle", path, {}),
    input: { kind: "action", node: path, action: { type: "toggle" } },
    ops: [
      { op: "replace", path: `/rendering/rows/${index}/done`, value: item.done },
      { op: "replace", path: "/rendering/title", value: now.title },
      ...clear,
      { op: "replace", path: `/nodes/${state.name}/state/items/${index}/done`, value: item.done },
      { op: "replace", path: `${place}/props/item/done`, value: item.done },
    ],
    actions: [
      { node: path, action: slice({ type: "toggle" }), source: "client" },
      { node: state.name, action: slice({ id: item.id, type: "toggle" }), source: `child:${path}` },
    ],
    rendered: [{ path: state.name, cause: ["state"] }, { path, cause: ["inputs"] }],
  };
}

const markup = [
  "<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "<!-- <svg onload=alert(3)>", "javascript:alert(4)",
  "\u202Eright to left", "&lt;b&gt;", "__proto__", "constructor", "line\nbreak\u0000\u2028end", "${alert(5)}",
];

/** A journal whose names, keys and values are markup, and worse. */
export function markupJournal() {
  const journal = makeJournal({
    steps: 30, rows: 12, text: (index) => markup[index % markup.length], name: "<b>flow<%2Fb>",
  });
  const record = JSON.parse(JSON.stringify(Object.fromEntries(markup.map((text) => [text, text]))));
  Object.defineProperty(record, "__proto__", { value: "own", enumerable: true, writable: true, configurable: true });
  journal.first.rendering[markup[0]] = record;
  journal.first.rendering[markup[1]] = sink(journal.flow, markup[1], { [markup[0]]: markup[1] });
  journal.first.nodes[journal.flow].state = { ...journal.first.nodes[journal.flow].state, worse: record };
  return journal;
}

/** The journals by name, for those who work on the page. */
export const journals = {
  todo: () => makeJournal(),
  hello: () => ({
    flow: "hello", hash: "0", of: 0, from: 0, to: 0, steps: [],
    first: {
      rendering: { greeting: "Hello, world!", leave: sink("hello", "leave") }, order: ["hello"],
      nodes: { hello: { name: "hello", props: {} } },
    },
  }),
  long: () => makeJournal({ steps: 100_000 }),
  wide: () => makeJournal({ steps: 40, rows: 9_999 }),
  markup: markupJournal,
};
