// The states of a field, as a chart of what was seen: values as boxes, the inputs between them as ways.

import { h } from "./dom.js";
import { panel, quiet } from "./panel.js";
import { errorView } from "./errors.js";
import { chartFields, chartKey, shownStep } from "./store.js";
import { counted } from "./words.js";

const [boxWidth, boxHeight, columnWidth, rowHeightOfStates] = [150, 34, 290, 96];
const chartMargin = 48;
const mostStates = 60;

/** The places of the states, in columns by their distance from the first; and the ways between two states each. */
export function layoutOfChart({ first, last, edges }) {
  const names = [...new Set([first, ...edges.flatMap(({ from, to }) => [from, to]), last])];
  const ranks = new Map([[first, 0]]);
  const queue = [first];
  for (const name of queue) {
    for (const { from, to } of edges) {
      if (from !== name || ranks.has(to)) continue;
      ranks.set(to, ranks.get(name) + 1);
      queue.push(to);
    }
  }
  const columns = [];
  for (const name of names) (columns[ranks.get(name) ?? 0] ??= []).push(name);
  const most = Math.max(...columns.map((column) => column.length));
  const places = new Map();
  columns.forEach((column, x) => column.forEach((name, y) => places.set(name, {
    x: chartMargin + x * columnWidth, y: chartMargin + (y + (most - column.length) / 2) * rowHeightOfStates,
  })));
  const ways = new Map();
  for (const edge of edges) {
    const key = JSON.stringify([edge.from, edge.to]);
    if (!ways.has(key)) ways.set(key, { from: edge.from, to: edge.to, edges: [] });
    ways.get(key).edges.push(edge);
  }
  return {
    places, ways: [...ways.values()].map((way) => ({ ...way, curve: curveOf(places.get(way.from), places.get(way.to)) })),
    width: chartMargin * 2 + (columns.length - 1) * columnWidth + boxWidth + 60, height: chartMargin * 2 + (most - 1) * rowHeightOfStates + boxHeight + 40,
  };
}

/** The curve from a box to another: its start, two controls and its end. Ways back run below the ways there. */
function curveOf(from, to) {
  const middle = (place) => ({ x: place.x + boxWidth / 2, y: place.y + boxHeight / 2 });
  const point = (x, y) => ({ x, y });
  if (from === to) {
    const { x, y } = middle(from);
    return [point(x + 24, from.y), point(x + 60, y - 64), point(x - 60, y - 64), point(x - 24, from.y)];
  }
  if (to.x > from.x) {
    const [start, end] = [point(from.x + boxWidth, middle(from).y), point(to.x, middle(to).y)];
    const reach = (end.x - start.x) / 2;
    // A way past a column bends, so that it does not run through its boxes.
    const bend = to.x - from.x > columnWidth ? -rowHeightOfStates / 2 : 0;
    return [start, point(start.x + reach, start.y + bend), point(end.x - reach, end.y + bend), end];
  }
  if (to.x === from.x) {
    const down = to.y > from.y;
    const x = from.x + (down ? boxWidth - 30 : 30);
    const [start, end] = down ? [from.y + boxHeight, to.y] : [from.y, to.y + boxHeight];
    return [point(x, start), point(x + (down ? 24 : -24), start + (end - start) / 3), point(x + (down ? 24 : -24), end - (end - start) / 3), point(x, end)];
  }
  const depth = Math.max(from.y, to.y) + boxHeight + 40;
  return [point(from.x + boxWidth / 2 - 12, from.y + boxHeight), point(from.x + boxWidth / 2 - 20, depth), point(to.x + boxWidth / 2 + 20, depth), point(to.x + boxWidth / 2 + 12, to.y + boxHeight)];
}

/** The middle of a curve. */
const centreOf = ([a, b, c, d]) => ({ x: (a.x + 3 * b.x + 3 * c.x + d.x) / 8, y: (a.y + 3 * b.y + 3 * c.y + d.y) / 8 });

/** The view of the states. */
export function statesPanel(state, context, root) {
  const { chart } = state;
  const { value: node } = context.ask("chart fields", { do: "node", path: root, step: shownStep(state), depth: 1, limit: 100 });
  const fields = chartFields(node);
  const key = chartKey(state);
  if (key) context.ask("states", { do: "states", by: chart.by, from: chart.to, most: 2000 }, key);
  const choose = (by) => context.dispatch({ type: "chart", by });
  const form = h("form", { class: "find", onsubmit: (event) => {
    event.preventDefault();
    choose(event.target.elements.by.value.trim());
  } },
  h("label", null, "States by ", h("input", {
    name: "by", list: "fields", spellcheck: "false", required: true, placeholder: "state.step", defaultValue: chart?.by ?? "",
    pattern: "(state|rendering|props)[.\\[].*", title: "A path that begins with state, rendering or props",
  })),
  h("datalist", { id: "fields" }, fields.map((path) => h("option", { value: path }))),
  h("button", null, "Show"),
  key && h("span", { class: "quiet", role: "status" }, `${counted(chart.to)} of ${counted(state.of)} steps`));
  return panel(context, { name: "States", title: null, kind: "states" }, form,
    !chart && node && h("p", { class: "quiet" }, "Name a field of the root with few values, such as state.step or rendering.title."),
    chart?.error ? errorView(chart.error) : chart?.first !== undefined && chartView(state, context, chart));
}

function chartView(state, context, chart) {
  const layout = layoutOfChart(chart);
  const count = layout.places.size;
  if (count > mostStates) {
    return h("p", { class: "quiet" }, `${chart.by} had ${counted(count)} values. A field with at most ${mostStates} makes a chart.`);
  }
  const path = chart.by.replace(/^(state|rendering|props)\.?/, "");
  const [subject] = chart.by.match(/^\w+/);
  const { value } = context.ask("chart state", { do: "value", of: subject, path, step: shownStep(state) });
  const now = value && (typeof value.slice === "string" ? value.slice : String(value.slice?.text ?? value.slice ?? "nil"));
  const look = ({ step }) => context.look(step);
  return h("div", { class: "chart", tabindex: 0, role: "group", "aria-label": `Chart of ${chart.by}` },
    h("div", { class: "chart-inside", vars: { "--width": `${layout.width}px`, "--height": `${layout.height}px` } },
      h("canvas", { key: "ways", "aria-hidden": "true", shown: (canvas) => drawWays(canvas, layout) }),
      [...layout.places].map(([name, { x, y }]) => h("div", {
        key: `state ${name}`, class: `state-box${name === now ? " now" : ""}${name === chart.first ? " first" : ""}`, title: name,
        "aria-current": name === now ? "true" : null, vars: { "--left": `${x}px`, "--top": `${y}px` },
      }, name || quiet("(blank)"))),
      layout.ways.map(({ from, to, edges, curve }) => {
        const { x, y } = centreOf(curve);
        const words = edges.map(({ by, count: times }) => (times > 1 ? `${by} ×${counted(times)}` : by));
        return h("button", {
          key: `way ${JSON.stringify([from, to])}`, type: "button", class: "way", vars: { "--left": `${x}px`, "--top": `${y}px` },
          title: `${from} → ${to}: ${words.join(", ")}. First at step ${counted(edges[0].step)}`, onclick: () => look(edges[0]),
        }, words.slice(0, 2).join(", "), words.length > 2 && ` +${words.length - 2}`);
      })));
}

function drawWays(canvas, { ways, width, height }) {
  const style = getComputedStyle(canvas);
  const now = `${width} ${height} ${style.color} ${JSON.stringify(ways.map((way) => way.curve))}`;
  if (canvas.dataset.drawn === now) return;
  canvas.dataset.drawn = now;
  const scale = devicePixelRatio;
  [canvas.width, canvas.height] = [width * scale, height * scale];
  const ink = canvas.getContext("2d");
  ink.scale(scale, scale);
  ink.strokeStyle = ink.fillStyle = style.color;
  ink.lineWidth = 1.5;
  for (const { curve: [a, b, c, d] } of ways) {
    ink.beginPath();
    ink.moveTo(a.x, a.y);
    ink.bezierCurveTo(b.x, b.y, c.x, c.y, d.x, d.y);
    ink.stroke();
    const angle = Math.atan2(d.y - c.y, d.x - c.x);
    ink.save();
    ink.translate(d.x, d.y);
    ink.rotate(angle);
    ink.beginPath();
    ink.moveTo(0, 0);
    ink.lineTo(-9, -4.5);
    ink.lineTo(-9, 4.5);
    ink.fill();
    ink.restore();
  }
}
