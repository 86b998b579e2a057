// JSON that preserves numbers: `12.0` is not an integer for a flow, and JavaScript lacks some integers.

/** Finds candidates for such numbers. Most texts have none and are parsed ten times as fast. */
const oddNumber = /\d{16}|\.\d*0[\s,\]}]|\d[eE]|-0|"\$":"number"/;

/** The numbers that are objects. A flow can have a table of the same fields. */
const exact = new WeakSet();

/** A number that JavaScript would change, as an object with its text. */
export function exactNumber(text) {
  const number = { $: "number", text };
  exact.add(number);
  return number;
}

/** True for a number that is an object. */
export const isExact = (value) => exact.has(value);

/** Reads JSON of plain values. A number that would change is an object, `{"$":"number","text":…}`. */
export function readJSON(text) {
  if (!oddNumber.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value, context) => numberOf(value, context));
}

/** Reads JSON of slices, in which the host writes some numbers as such objects. */
export function readSlices(text) {
  if (!oddNumber.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value, context) => {
    const written = value?.$ === "number" ? value.start ?? value.text : undefined;
    return typeof written === "string" && Object.keys(value).length === 2 ? exactNumber(written) : numberOf(value, context);
  });
}

const numberOf = (value, context) =>
  (typeof value === "number" && context && String(value) !== context.source ? exactNumber(context.source) : value);

/** Writes JSON, with the numbers that were read unchanged. */
export function writeJSON(value) {
  return JSON.stringify(value, (_, part) => (isExact(part) ? JSON.rawJSON?.(part.text) ?? Number(part.text) : part));
}
