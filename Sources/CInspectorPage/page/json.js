// JSON that preserves numbers: `12.0` is not an integer for a flow, and JavaScript lacks some integers.

/** Finds candidates for such numbers. Most texts have none and are parsed ten times as fast. */
const oddNumber = /\d{16}|\.\d*0[\s,\]}]|\d[eE]|-0|"\$":"number"/;

/** Reads JSON. A number that would change is `{"$":"number","text":…}`, as in slices. */
export function readJSON(text) {
  if (!oddNumber.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value, context) => {
    if (value?.$ === "number") return { $: "number", text: value.text ?? value.start };
    return typeof value === "number" && context && String(value) !== context.source ? { $: "number", text: context.source } : value;
  });
}

/** Writes JSON, with the numbers of `readJSON` unchanged. */
export function writeJSON(value) {
  return JSON.stringify(value, (_, part) => part?.$ === "number" ? JSON.rawJSON?.(part.text) ?? Number(part.text) : part);
}
