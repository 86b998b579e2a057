// The state of the page, which only `reduce` changes: the session's news, and the view.

/** The inputs per request for the timeline. */
export const pageSize = 200;
/** The steps per request for messages, which are replayed. */
export const messagesSize = 25;

export const initialState = {
  connection: "connecting", reason: "", scopes: [], lacks: [], first: 0, flow: "", known: false,
  // The session: it is at `step` of `of`, in the past or not.
  step: 0, of: 0, past: false, working: false, hash: "",
  // Increases when earlier answers become invalid.
  epoch: 0,
  // The view: a step other than the session's, a node, a step to compare with, a question.
  look: null, node: null, base: null, why: null,
  // The session is moving to `look`.
  takes: false,
  // The host's answers by slot: {key, value, error}.
  answers: {},
  // Per view: opened and closed paths, pages of long values, the focused row, the scroll position.
  open: {}, from: {}, cursor: {}, scroll: {},
  errors: [], outputs: [], logs: [], workers: {}, dropped: null, marks: [],
  filter: { kinds: [], text: "" }, found: null, find: null, zoom: null, times: "ago",
  // The time, for times in words.
  now: 0,
  // A view of `commands.js`; the list of inputs where it is not always open; the palette's text and row.
  view: "rendering", steps: false, palette: { text: "", index: 0 },
  // The states of a field and the ways between them, as far as they are known: the field, and the last known step.
  chart: null,
  expression: "", slow: false, raw: false, fork: null, dialog: null, notice: "", scrubs: false,
};

/** The step that the page shows. */
export const shownStep = (state) => state.look ?? state.step;
/** True if the page shows another step than the session's. */
export const isLooking = (state) => state.look !== null;
export const may = (state, scope) => state.scopes.includes(scope);
/** True if a request that needs a scope is possible now. */
export const can = (state, verb, scope = "travel") =>
  may(state, scope) && state.connection === "open" && !state.lacks.includes(verb);
/** The key of an answer besides the request itself. */
export const versionOf = (state) => `${state.epoch} ${state.hash}`;

const latest = (list, more, most) => list.concat(more ?? []).slice(-most);

/** Adds errors; an error of both a reply and news is added once. */
function withErrors(list, more) {
  const text = (error) => `${error.message} ${error.location?.line}`;
  const again = new Set(more.map(text));
  return latest(list.filter((error) => !again.has(text(error))), more, 20);
}

const reducers = {
  connection: (state, { to, reason }) => ({
    ...state, connection: to, reason: reason ?? "",
    // Requests from before a lost connection may have failed and are sent again.
    epoch: to === "open" && state.connection === "lost" ? state.epoch + 1 : state.epoch,
  }),
  news: takeNews,
  answered: takeAnswer,
  unneeded: (state, { slots }) => {
    const answers = { ...state.answers };
    for (const slot of slots) delete answers[slot];
    return { ...state, answers };
  },
  look: (state, { step, scrubs = false }) => {
    const to = step === null ? null : Math.max(0, Math.min(step, state.of));
    return { ...state, look: to === state.step ? null : to, takes: false, base: null, scrubs };
  },
  select: (state, { node }) => ({ ...state, node }),
  why: (state, { question }) => ({ ...state, why: question && { ...question, step: shownStep(state) } }),
  toggled: (state, { view, path, open }) => within(state, "open", view, path, open),
  paged: (state, { view, path, from }) => within(state, "from", view, path, from),
  // In the tree the focused row is the selected node.
  cursor: (state, { view, path }) =>
    (view === "tree" ? { ...state, node: path } : { ...state, cursor: { ...state.cursor, [view]: path } }),
  scrolled: (state, { view, top, height }) => {
    const was = state.scroll[view];
    if (was?.top === top && was.height === height) return state;
    return { ...state, scroll: { ...state.scroll, [view]: { top, height } } };
  },
  filter: (state, { kinds, text }) => {
    const filter = { kinds: kinds ?? state.filter.kinds, text: text ?? state.filter.text };
    const found = filter.text || filter.kinds.length ? { entries: [], next: 1 } : null;
    return { ...state, filter, found };
  },
  chart: (state, { by }) => ({ ...state, chart: by ? emptyChart(by) : null }),
  find: (state, { expression, from }) => ({ ...state, find: expression && { expression, from: from ?? 0 } }),
  reloaded: (state, { changed, hash }) => ({ ...state, marks: changed, marked: hash, epoch: state.epoch + 1 }),
  failed: (state, { error }) => ({ ...state, takes: false, errors: withErrors(state.errors, [error]) }),
  // Independent parts: a zoom, a dialog, a notice, a step to compare with.
  set: (state, { type, ...fields }) => ({ ...state, ...fields }),
};

/** The state after a message. A message of an unknown type leaves it as it is. */
export function reduce(state, message) {
  return Object.hasOwn(reducers, message.type) ? reducers[message.type](state, message) : state;
}

function within(state, field, view, path, value) {
  return { ...state, [field]: { ...state[field], [view]: { ...state[field][view], [path]: value } } };
}

function takeNews(state, news) {
  const cut = news.cut ?? Infinity;
  const first = !state.known;
  const moved = news.of !== state.of || news.step !== state.step || cut !== Infinity;
  const next = {
    ...state, known: true,
    step: news.step, of: news.of, past: news.past, working: news.working,
    flow: news.flow ?? state.flow, hash: news.hash ?? state.hash,
    ...lookAfter(state, news),
    outputs: latest(state.outputs.filter((one) => one.step <= cut), news.outputs, 100),
    logs: latest(state.logs, news.logs, 200),
    // An error is shown until another request succeeds.
    errors: news.errors?.length ? withErrors(state.errors, news.errors) : moved && !first ? [] : state.errors,
    dropped: news.dropped ?? state.dropped,
    // The news of a reload may come after its answer.
    marks: cut === Infinity || (news.hash !== state.hash && news.hash === state.marked)
      ? state.marks : state.marks.filter((step) => step <= cut),
    zoom: state.zoom && state.zoom.to > news.of ? null : state.zoom,
  };
  const workers = new Map(Object.entries(state.workers));
  for (const one of news.workers ?? []) workers.set(workerName(one.node, one.worker, one.key), one);
  next.workers = Object.fromEntries([...workers].slice(-200));
  if (cut !== Infinity) {
    next.epoch += 1;
    if (state.found) next.found = { entries: [], next: 1 };
    if (state.chart) next.chart = emptyChart(state.chart.by);
    if (state.base > cut) next.base = null;
  } else next.answers = extended(state, news);
  return next;
}

/** A look stays until its user ends it or its step is given up. */
function lookAfter({ look, takes }, news) {
  if (look === null) return {};
  if (takes && look === news.step) return { look: null, takes: false };
  // A reload cuts at 0.
  const last = Math.min(news.of, news.cut || Infinity);
  return look > last ? { look: null, notice: `Step ${look}, which you looked at, was given up.` } : {};
}

export const workerName = (node, worker, key) => `${node} ${worker} ${key ?? ""}`;

/** The answers, with new entries appended to the page of the timeline that they continue. */
function extended(state, news) {
  const entries = news.entries ?? [];
  if (!entries.length) return state.answers;
  const answers = { ...state.answers };
  const version = `${state.epoch} ${news.hash ?? state.hash}`;
  let number = Math.floor((entries[0].step - 1) / pageSize);
  for (; number * pageSize < news.of; number++) {
    const { from, to, slot } = timelinePage(number, state.of);
    const known = answers[slot]?.value?.entries ?? (from > state.of ? [] : null);
    const more = entries.filter((one) => one.step >= from && one.step > to && one.step < from + pageSize);
    const now = timelinePage(number, news.of);
    if (!known || known.length + more.length !== now.to - from + 1) continue;
    answers[slot] = { key: timelineKey(now, version), value: { of: news.of, entries: known.concat(more) } };
  }
  return answers;
}

/** A page of the timeline: its slot and its existing steps. */
export function timelinePage(number, of) {
  const from = number * pageSize + 1;
  return { slot: `inputs ${number}`, from, to: Math.min(of, from + pageSize - 1) };
}

/** The keys of the awaited answers of a search and a question. */
export const searchKey = ({ filter, found, epoch }) => found && `${JSON.stringify(filter)} ${found.next} ${epoch}`;
export const findKey = ({ find }) =>
  (find && find.step === undefined && !find.none && !find.error ? `${find.expression} ${find.from}` : null);

const fieldNames = /^(step|state|status|screen|page|phase|mode|stage|view)$/;

/** The fields of the root that can name states, the likeliest first. */
export function chartFields(node) {
  const found = [];
  for (const part of ["state", "props"]) {
    for (const [name, value] of node?.[part]?.entries ?? []) {
      if (!["string", "boolean"].includes(typeof value) || !/^[A-Za-z_]\w*$/.test(name)) continue;
      found.push({ path: `${part}.${name}`, rank: fieldNames.test(name) ? 0 : typeof value === "string" ? 1 : 2 });
    }
  }
  return found.sort((one, other) => one.rank - other.rank).map(({ path }) => path);
}

const emptyChart = (by) => ({ by, to: 0, first: undefined, last: undefined, edges: [] });

/** The key of the awaited part of the chart; nothing if it is complete. */
export const chartKey = ({ chart, of, epoch, hash }) =>
  (chart && !chart.error && (chart.first === undefined || chart.to < of) ? `${chart.by} ${chart.to} ${epoch} ${hash}` : null);

/** A chart with the ways of further steps. */
export function withEdges(chart, { to, first, last, edges }) {
  const known = new Map(chart.edges.map((edge) => [JSON.stringify([edge.from, edge.to, edge.by]), edge]));
  for (const edge of edges) {
    const name = JSON.stringify([edge.from, edge.to, edge.by]);
    const before = known.get(name);
    known.set(name, before ? { ...before, count: before.count + edge.count } : edge);
  }
  return { ...chart, to, first: chart.first ?? first, last, edges: [...known.values()] };
}

/** A page of the messages: its slot and its existing steps. */
export function messagesPage(number, of) {
  const from = number * messagesSize + 1;
  return { slot: `messages ${number}`, from, to: Math.min(of, from + messagesSize - 1) };
}

/** The key of the answer to the request for a page. */
export const timelineKey = (page, version) => `${page.slot} ${page.to} ${version}`;

function takeAnswer(state, { slot, key, value, error }) {
  // The last value may be of another step. A lost request stays unanswered.
  const isLost = error?.code === "connection";
  const next = { ...state, answers: { ...state.answers, [slot]: isLost ? { error } : { key, value, error } } };
  if (isLost) return next;
  // Answers to dropped requests are ignored.
  if (slot === "search" && key === searchKey(state)) {
    next.found = error ? { ...state.found, next: Infinity, error }
      : { entries: state.found.entries.concat(value.entries), next: value.next ?? value.of + 1 };
  }
  if (slot === "chart fields" && !state.chart && chartFields(value).length) next.chart = emptyChart(chartFields(value)[0]);
  if (slot === "states" && key === chartKey(state)) {
    next.chart = error ? { ...state.chart, error } : withEdges(state.chart, value);
  }
  if (slot === "find" && key === findKey(state)) {
    if (error) next.find = { ...state.find, error };
    else if (value.next !== undefined) next.find = { ...state.find, from: value.next };
    else if (value.step === undefined) next.find = { ...state.find, none: true };
    else return reducers.look({ ...next, find: { ...state.find, step: value.step } }, { step: value.step });
  }
  return next;
}
