// The sinks of a rendering: a button for each, and a form if the action has open fields.

import { h } from "./dom.js";
import { readJSON } from "./json.js";

/** A name as words: "clear_done" is "Clear done". */
export function words(name) {
  const text = name.replace(/([a-z])([A-Z])/g, (_, end, start) => `${end} ${start.toLowerCase()}`).replace(/[_\s]+/g, " ").trim();
  return text ? text[0].toUpperCase() + text.slice(1) : name;
}

/** Whether a text has anything that is seen. */
export const isSeen = (text) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

/** The name of a sink as words: its key, or the type of its action if that is blank. */
export function sinkName(key, { type }) {
  return words([key, typeof type === "string" ? type : type?.start ?? ""].find(isSeen) ?? "send");
}

/** Whether a slice is a number. */
export const isNumber = (slice) => typeof slice === "number" || slice?.$ === "number";

/** The plain value of a slice; `undefined` if the slice leaves a part out. */
export function plainOf(slice) {
  if (slice === null || typeof slice !== "object") return slice;
  if (slice.$ === "number") return JSON.rawJSON && /^-?\d/.test(slice.text) ? slice : undefined;
  if (slice.entries?.length !== slice.of) return undefined;
  const isList = slice.$ === "list";
  const values = slice.entries.map((entry) => plainOf(isList ? entry : entry[1]));
  if (values.includes(undefined)) return undefined;
  return isList ? values : Object.fromEntries(values.map((value, index) => [slice.entries[index][0], value]));
}

/** The name of the workflow of the node at a path. */
const workflowOf = (node) => node.split("/").pop().split(":")[0].replace(/%(2F|3A|25)/g, decodeURIComponent);

const kinds = { string: "text", number: "number", integer: "number", boolean: "boolean", object: "json" };
const numbers = /(^|_)(count|quantity|price|amount|number|age|index|row|column|width|height|size|limit|minutes|seconds|x|y)$/;

/**
 * The fields of a sink's action that the sink does not carry, with the types of their values. `forms` are the
 * host's forms, `beside` the values next to the sink, by key.
 */
export function openFields({ node, action }, forms, beside = new Map()) {
  const workflow = workflowOf(node);
  // For some actions only past values are known, not the workflow.
  const known = forms.find((form) => form.action === action.type && (form.workflow ?? workflow) === workflow);
  return (known?.fields ?? []).filter(({ name }) => !Object.hasOwn(action, name)).map(({ name, kind, seen = [] }) => {
    const value = beside.get(name);
    const example = [value, ...seen].find((one) => one !== undefined && one !== null);
    const found = kinds[kind] ?? kinds[isNumber(example) ? "number" : typeof example] ?? (numbers.test(name) ? "number" : undefined);
    return { name, value, seen: seen.map(plainOf).filter((one) => one !== undefined), kind: found ?? "text" };
  });
}

/** The value of a typed field; `undefined` leaves the field out. An invalid text throws. */
export function fieldValue({ name, kind, seen, value }, typed) {
  if (kind === "boolean") return typed;
  if (typed === "") return kind === "text" && [value, ...seen].some((one) => typeof one === "string") ? "" : undefined;
  if (kind === "text") return typed;
  try {
    const read = readJSON(typed);
    if (kind === "json" || isNumber(read)) return read;
  } catch { /* said below */ }
  throw new Error(kind === "number" ? `${words(name)} is no number.` : `${name ? words(name) : "This"} is not written as JSON.`);
}

/** Makes and sends the sinks of one view, and remembers their results. */
export class Sinks {
  /** `changed` is called when the display must change. */
  constructor(request, changed) {
    Object.assign(this, { request, changed, forms: undefined, sent: 0, count: 0, places: new Map(), drawn: new Map() });
  }

  /** The state of a shown sink. */
  place(key) {
    const place = this.places.get(key) ?? this.drawn.get(key) ?? { number: this.count += 1 };
    this.drawn.set(key, place);
    return place;
  }

  /** Drops the sinks that are not shown any more. */
  end() {
    [this.places, this.drawn] = [this.drawn, new Map()];
  }

  /** The open fields. If they were not enough, there is one more for any other field. */
  fields(sink, { key, beside }) {
    const fields = openFields(sink, this.forms ?? [], beside);
    return this.place(key).takesMore ? [...fields, { name: "", kind: "json", seen: [] }] : fields;
  }

  /**
   * Draws a sink. `key` identifies it, `name` distinguishes it from its siblings; `check` makes it a checkbox.
   */
  draw(sink, options) {
    const { key, name, label, enabled, main, bare, named, check } = options;
    const place = this.place(key);
    const fields = this.fields(sink, options);
    const fault = place.error && this.fault(place, fields.length === 0);
    const common = { disabled: !enabled, "aria-busy": place.pending && "true" };
    if (fields.length === 0) {
      const send = () => this.send(sink, options, {});
      return h("span", { key: `sink ${name}`, class: "sink" }, check
        ? h("label", { class: check.done && "done" }, h("input", { type: "checkbox", checked: check.checked, onchange: send, ...common }), check.label)
        : h("button", { type: "button", class: main ? "main" : bare && "bare", onclick: send, ...common }, label), fault);
    }
    const onsubmit = (event) => {
      event.preventDefault();
      this.submit(event.currentTarget, sink, options);
    };
    const alone = fields.length === 1;
    return h("form", { key: `sink ${name}`, class: alone ? "sink" : "sink wide", novalidate: true, onsubmit },
      fields.map((field) => drawField(field, alone, named, enabled, `seen-${place.number}-${field.name}`)),
      h("button", { type: "submit", class: main && "main", ...common }, label), fault);
  }

  /** A refusal with its next step. */
  fault(place, isBare) {
    const { message, help, location, code } = place.error;
    const onclick = () => {
      place.takesMore = true;
      this.changed();
    };
    return h("span", { class: "problem", role: "alert" }, h("span", null, sentence(message)), help && h("span", null, sentence(help)),
      location && h("code", null, `${location.file}:${location.line}`),
      code === "lua" && isBare && h("button", { type: "button", class: "bare", onclick }, "Give it fields"));
  }

  submit(form, sink, options) {
    const place = this.place(options.key);
    const fields = this.fields(sink, options);
    const values = Object.create(null);
    try {
      for (const field of fields) {
        const input = [...form.elements].find((element) => element.dataset.field === field.name);
        const value = fieldValue(field, field.kind === "boolean" ? input.checked : input.value);
        if (value !== undefined) Object.assign(values, field.name ? { [field.name]: value } : value);
      }
    } catch (error) {
      place.error = error;
      return this.changed();
    }
    this.send(sink, options, values).then((sent) => sent && emptied(form, fields));
  }

  /** Sends a sink once. Returns false if it was not sent. */
  async send(sink, { key, path, step }, values) {
    const place = this.place(key);
    if (place.pending) return false;
    const fields = Object.entries(sink.action).map(([name, slice]) => [name, plainOf(slice)]);
    const isWhole = fields.every(([, value]) => value !== undefined);
    Object.assign(place, { pending: true, error: undefined });
    this.changed();
    try {
      await this.request(isWhole
        ? { do: "send", node: sink.node, action: { ...Object.fromEntries(fields), ...values } }
        : { do: "send", at: path, step, with: values });
      this.sent += 1;
    } catch (error) {
      place.error = error;
    }
    place.pending = false;
    this.changed();
    return !place.error;
  }
}

/** Empties a form. A field that had a value shows the sent value until there is a new one. */
function emptied(form, fields) {
  for (const input of form.elements) {
    if (fields.find(({ name }) => name === input.dataset.field)?.value !== undefined) input.defaultValue = input.value;
  }
  form.reset();
}

function sentence(text) {
  if (!text) return "It was refused without a reason.";
  return text[0].toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? "" : ".");
}

const typedText = (value) => isNumber(value) ? value.text ?? String(value) : typeof value === "string" ? value : JSON.stringify(value);

function drawField({ name, kind, seen, value }, alone, named, enabled, id) {
  const label = name ? words(name) : "Fields, as JSON";
  const props = { "data-field": name, disabled: !enabled, autocomplete: "off" };
  if (kind === "boolean") {
    const checked = typeof value === "boolean" ? value : seen[0] === true;
    return h("label", { key: name }, h("input", { ...props, type: "checkbox", defaultChecked: checked }), label);
  }
  const text = value === undefined ? "" : typedText(value);
  const isLong = kind === "json" || text.includes("\n");
  const offered = isLong ? [] : seen.map(typedText).filter((one) => one !== "");
  const type = kind === "number" ? "number" : name.includes("password") ? "password" : "text";
  return h("label", { key: name, class: "field" }, h("span", { class: alone && "hidden-text" }, label),
    isLong ? h("textarea", { ...props, defaultValue: text, rows: 3, foreign: true }) : h("input", {
      ...props, defaultValue: text, placeholder: alone && !named && label, list: offered.length > 0 && id, type, step: type === "number" && "any",
    }),
    offered.length > 0 && h("datalist", { id }, offered.map((one) => h("option", { value: one }))));
}
