// The sinks of a rendering: a button each, and a form where the action has fields that are still open.

import { h } from "./dom.js";
import { readJSON } from "./json.js";

/** A name as words: "clear_done" is "Clear done". */
export function words(name) {
  const text = name.replace(/([a-z])([A-Z])/g, (_, end, start) => `${end} ${start.toLowerCase()}`)
    .replace(/[_\s]+/g, " ").trim();
  return text ? text[0].toUpperCase() + text.slice(1) : name;
}

/** A slice as the plain value that it was made of; `undefined` if a part of it was left out. */
export function plainOf(slice) {
  if (slice === null || typeof slice !== "object") return slice;
  if (slice.$ === "number") return JSON.rawJSON && /^-?\d/.test(slice.text) ? slice : undefined;
  if (!slice.entries || slice.entries.length < slice.of) return undefined;
  const list = slice.$ === "list";
  const values = slice.entries.map((entry) => plainOf(list ? entry : entry[1]));
  if (values.includes(undefined)) return undefined;
  return list ? values : Object.fromEntries(values.map((value, index) => [slice.entries[index][0], value]));
}

/** Whether a slice is a number. */
export const isNumber = (slice) => typeof slice === "number" || slice?.$ === "number";

const typedText = (value) => isNumber(value) ? value.text ?? String(value) : typeof value === "string" ? value : JSON.stringify(value);

/** The name of the workflow of the node at a path. */
const workflowOf = (node) => node.split("/").pop().split(":")[0]
  .replace(/%(2F|3A|25)/g, (_, code) => String.fromCharCode(parseInt(code, 16)));

const kinds = { string: "text", number: "number", integer: "number", boolean: "boolean", object: "json" };
const numbers = /(^|_)(count|quantity|price|amount|number|age|index|row|column|width|height|size|limit|minutes|seconds|x|y)$/;

/**
 * The fields that a sink's action has and the sink does not carry, with the kinds of their values.
 * @param {any} sink a slice
 * @param {any[]} forms what the host knows of actions
 * @param {Map<string, any>} beside the values that stand beside the sink, by key
 */
export function openFields(sink, forms, beside = new Map()) {
  const workflow = workflowOf(sink.node);
  const known = forms.find((form) => form.workflow === workflow && form.action === sink.action.type);
  return (known?.fields ?? []).filter(({ name }) => !Object.hasOwn(sink.action, name)).map(({ name, kind, seen = [] }) => {
    const value = beside.get(name);
    const example = [value, ...seen].find((one) => one !== undefined && one !== null);
    const found = kinds[kind] ?? kinds[isNumber(example) ? "number" : typeof example] ?? (numbers.test(name) ? "number" : undefined);
    return { name, value, seen: seen.map(plainOf).filter((one) => one !== undefined), kind: found ?? "text", sure: found !== undefined };
  });
}

/** The value of a field from what was typed; `undefined` leaves the field out, and a fault is thrown. */
export function fieldValue({ name, kind, seen, value }, typed) {
  if (kind === "boolean") return typed;
  if (typed === "") return kind === "text" && [value, ...seen].some((one) => typeof one === "string") ? "" : undefined;
  if (kind === "text") return typed;
  try {
    const read = readJSON(typed);
    if (kind === "json" || isNumber(read)) return read;
  } catch { /* said below */ }
  throw new Error(kind === "number" ? `${words(name)} is no number.` : `${words(name || "fields")} is not written as JSON.`);
}

/** Makes and sends the sinks of one view, and remembers what became of each. */
export class Sinks {
  /**
   * @param {(message: object) => Promise<any>} request
   * @param {() => void} changed called when something else has to be shown
   */
  constructor(request, changed) {
    Object.assign(this, { request, changed, forms: [], places: new Map(), drawn: new Map() });
  }

  /** What is remembered of a sink that is shown; what is not shown any more is forgotten. */
  place(key) {
    const place = this.places.get(key) ?? this.drawn.get(key) ?? { kinds: {}, number: this.count = (this.count ?? 0) + 1 };
    this.drawn.set(key, place);
    return place;
  }

  end() {
    [this.places, this.drawn] = [this.drawn, new Map()];
  }

  fields(sink, key, beside) {
    const { kinds: chosen, extra } = this.place(key);
    const fields = openFields(sink, this.forms, beside).map((field) => ({ ...field, kind: chosen[field.name] ?? field.kind }));
    return extra ? [...fields, { name: "", kind: "json", seen: [], sure: true }] : fields;
  }

  /**
   * @param {any} sink a slice
   * @param {{key: string, name: string, path: string, label: string, step: number, enabled: boolean, main?: boolean, bare?: boolean,
   *   beside?: Map<string, any>, named?: boolean, check?: {checked: boolean, label: any}}} options
   */
  draw(sink, options) {
    const { key, name, label, enabled, check } = options;
    const place = this.place(key);
    const fields = this.fields(sink, key, options.beside);
    const fault = place.error && this.fault(place, fields);
    const common = { disabled: !enabled, "aria-busy": place.pending && "true" };
    if (fields.length === 0) {
      const send = () => this.send(sink, options, {});
      return h("span", { key: `sink ${name}`, class: "sink" }, check
        ? h("label", null, h("input", { type: "checkbox", checked: check.checked, onchange: send, ...common }), " ", check.label)
        : h("button", { type: "button", class: options.main ? "main" : options.bare && "bare", onclick: send, ...common }, label), fault);
    }
    const submit = (event) => {
      event.preventDefault();
      this.submit(event.currentTarget, sink, options);
    };
    return h("form", { key: `sink ${name}`, class: fields.length > 1 ? "sink wide" : "sink", novalidate: true, onsubmit: submit },
      fields.map((field) => drawField(field, fields.length === 1, options.named, enabled, `seen-${place.number}-${field.name}`)),
      h("button", { type: "submit", class: options.main && "main", ...common }, label), fault);
  }

  fault(place, fields) {
    const { error } = place;
    const odd = fields.filter((field) => !field.sure && field.kind === "text" && /^(-?\d+(\.\d+)?|true|false)$/.test(place.typed?.[field.name] ?? ""));
    const again = (text, change) => h("button", { type: "button", class: "bare", onclick: () => { change(); this.changed(); } }, text);
    const place_ = error.location && `${error.location.file}:${error.location.line}`;
    return h("span", { class: "problem", role: "alert" }, h("span", null, sentence(error.message)), error.help && ` ${sentence(error.help)}`,
      place_ && h("code", null, place_),
      odd.map(({ name }) => again(`Use ${place.typed[name]} as a value, not as a text`, () => { place.kinds[name] = "json"; })),
      fields.length === 0 && error.code === "lua" && again("Give it fields", () => { place.extra = true; place.error = undefined; }));
  }

  submit(form, sink, options) {
    const place = this.place(options.key);
    const fields = this.fields(sink, options.key, options.beside);
    const values = {};
    place.typed = {};
    try {
      for (const field of fields) {
        const input = [...form.elements].find((element) => element.dataset.field === field.name);
        place.typed[field.name] = input.value;
        const value = fieldValue(field, field.kind === "boolean" ? input.checked : input.value);
        if (field.name === "") Object.assign(values, value);
        else if (value !== undefined) values[field.name] = value;
      }
    } catch (error) {
      place.error = error;
      return this.changed();
    }
    this.send(sink, options, values).then((sent) => sent && emptied(form, fields));
  }

  /** Sends a sink once; gives whether that was done. */
  async send(sink, { key, path, step }, values) {
    const place = this.place(key);
    if (place.pending) return false;
    const fields = Object.entries(sink.action).map(([name, slice]) => [name, plainOf(slice)]);
    const whole = fields.every(([, value]) => value !== undefined);
    Object.assign(place, { pending: true, error: undefined });
    this.changed();
    try {
      await this.request(whole
        ? { do: "send", node: sink.node, action: { ...Object.fromEntries(fields), ...values } }
        : { do: "send", at: path, step, with: values });
    } catch (error) {
      place.error = error;
    }
    place.pending = false;
    this.changed();
    return !place.error;
  }
}

/** Empties what was typed; a field with a value of its own shows what was sent until there is a new one. */
function emptied(form, fields) {
  for (const input of form.elements) {
    const field = fields.find(({ name }) => name === input.dataset.field);
    if (field && field.value !== undefined) input.defaultValue = input.value;
  }
  form.reset();
}

function sentence(text) {
  const whole = text[0].toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
}

function drawField({ name, kind, seen, value }, alone, named, enabled, id) {
  const label = name ? words(name) : "Fields, as JSON";
  const props = { "data-field": name, disabled: !enabled, autocomplete: "off" };
  if (kind === "boolean") {
    const checked = typeof value === "boolean" ? value : seen[0] === true;
    return h("label", { key: name, class: "check" }, h("input", { ...props, type: "checkbox", defaultChecked: checked }), ` ${label}`);
  }
  const text = value === undefined ? "" : typedText(value);
  const lines = kind === "json" || text.includes("\n");
  const offered = lines ? [] : seen.filter((one) => one !== "" && (isNumber(one) || typeof one !== "object"));
  return h("label", { key: name, class: "field" }, h("span", { class: alone && "hidden-text" }, label),
    lines
      ? h("textarea", { ...props, defaultValue: text, rows: 3, foreign: true })
      : h("input", {
        ...props, defaultValue: text, placeholder: alone && !named ? label : undefined, list: offered.length > 0 && id,
        type: kind === "number" ? "number" : /password/.test(name) ? "password" : "text", step: kind === "number" && "any",
      }),
    offered.length > 0 && h("datalist", { id }, offered.map((one) => h("option", { value: typedText(one) }))));
}
