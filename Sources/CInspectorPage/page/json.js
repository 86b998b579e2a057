// JSON whose numbers stay what they were: `12.0` is no integer for a flow, and some integers are none for JavaScript.

/** Finds what may be a number of that kind; most texts have none, and are read ten times as fast without looking. */
const oddNumber = /\d{16}|\.\d*0[\s,\]}]|\d[eE]|-0|"\$":"number"/;

/** Reads JSON; a number that would not be written the same again is `{"$":"number","text":…}`, as are those of slices. */
export function readJSON(text) {
  if (!oddNumber.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value, context) => {
    if (value?.$ === "number") return { $: "number", text: value.text ?? value.start };
    return typeof value === "number" && context && String(value) !== context.source ? { $: "number", text: context.source } : value;
  });
}

/** Writes JSON, and the numbers of `readJSON` as they were. */
export function writeJSON(value) {
  return JSON.stringify(value, (_, part) => part?.$ === "number" ? JSON.rawJSON?.(part.text) ?? Number(part.text) : part);
}
