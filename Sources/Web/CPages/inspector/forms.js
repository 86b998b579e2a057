// The sinks of a rendering: a button for each, and a form if the action has open fields.

import { h } from "./dom.js";
import { readJSON } from "./json.js";

/** A name as words: "clear_done" is "Clear done". That of a file stays. */
export function words(name) {
  if (/[./]/.test(name)) return name;
  const text = name.replace(/([a-z])([A-Z])/g, (_, end, start) => `${end} ${start.toLowerCase()}`).replace(/[_\s]+/g, " ").trim();
  return text ? text[0].toUpperCase() + text.slice(1) : name;
}

/** Whether a text has anything that is seen. */
export const isSeen = (text) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

/** The name of a sink as words: its key, or the type of its action if that is blank. */
export function sinkName(key, { type }) {
  return words([key, typeof type === "string" ? type : type?.start ?? ""].find(isSeen) ?? "send");
}

/** The fields that an action carries as texts. */
export const carried = ({ type, ...fields }) => Object.values(fields).filter((one) => typeof one !== "object").map(String);

/** Whether a slice is a number. */
export const isNumber = (slice) => typeof slice === "number" || slice?.$ === "number";

/** The plain value of a slice; `undefined` if the slice leaves a part out. */
export function plainOf(slice) {
  if (slice === null || typeof slice !== "object") return slice;
  if (slice.$ === "number") return JSON.rawJSON && /^-?\d/.test(slice.text) ? slice : undefined;
  if (slice.entries === undefined || slice.entries.length !== slice.of) return undefined;
  const isList = slice.$ === "list";
  const values = slice.entries.map((entry) => plainOf(isList ? entry : entry[1]));
  if (values.includes(undefined)) return undefined;
  return isList ? values : Object.fromEntries(values.map((value, index) => [slice.entries[index][0], value]));
}

/** The name of the workflow of the node at a path. */
const workflowOf = (node) => node.split("/").pop().split(":")[0].replace(/%(2F|3A|25)/g, decodeURIComponent);

/** How a field is typed in, by the kind that the host knows. */
const typedKinds = { string: "text", number: "number", integer: "integer", boolean: "boolean", list: "list", record: "json" };
const numberNames = /(^|_)(count|quantity|price|amount|number|age|index|row|column|width|height|size|limit|minutes|seconds|x|y)$/;

/** How a value is typed in; undefined if that is unknown. */
function inputKindOf(value) {
  if (isNumber(value)) return "number";
  if (typeof value === "string" || value?.$ === "text") return "text";
  if (typeof value === "boolean") return "boolean";
  if (value === null || typeof value !== "object") return undefined;
  const entries = value.$ === "list" ? value.entries : Array.isArray(value) ? value : undefined;
  return entries?.length > 0 && entries.every((entry) => typeof entry === "string" || isNumber(entry)) ? "list" : "json";
}

/**
 * The fields of a sink's action that the sink does not carry, with the types of their values. `forms` are the
 * host's forms, `beside` the values next to the sink, by key, and `alike` values of the same names elsewhere.
 */
export function openFields({ node, action }, forms, beside = new Map(), alike = new Map()) {
  const workflow = workflowOf(node);
  // For some actions only past values are known, not the workflow.
  const known = forms.find((form) => form.action === action.type && (form.workflow ?? workflow) === workflow);
  return (known?.fields ?? []).filter(({ name }) => !Object.hasOwn(action, name)).map(({ name, kind, seen = [], sets, default: usual }) => {
    const value = beside.get(name);
    const example = [value, ...seen, alike.get(name), usual].find((one) => one !== undefined && one !== null);
    const found = typedKinds[kind] ?? inputKindOf(example) ?? (numberNames.test(name) ? "number" : "text");
    return {
      name, value, seen: seen.map(plainOf).filter((one) => one !== undefined), kind: found,
      ...(sets && { sets }), ...(usual !== undefined && { usual }),
    };
  });
}

/** The value of a typed field; `undefined` leaves the field out. An invalid text throws. */
export function fieldValue({ name, kind, seen, value, options, label = words(name) }, typed) {
  if (kind === "boolean") return typed;
  if (options) return typed === "" ? undefined : options[Number(typed)].value;
  if (typed === "") return kind === "text" && [value, ...seen].some((one) => typeof one === "string") ? "" : undefined;
  if (kind === "text") return typed;
  if (kind === "list" && !typed.trimStart().startsWith("[")) return typed.split("\n").filter((line) => line.trim()).map(lineValue([...seen, plainOf(value)]));
  try {
    const read = readJSON(typed);
    if (kind === "json" || kind === "list" || (isNumber(read) && (kind !== "integer" || Number.isInteger(read) || read.$))) return read;
  } catch { /* said below */ }
  const wanted = { number: "a number", integer: "a whole number" }[kind] ?? "written as JSON";
  throw Object.assign(new Error(`${name ? label : "This"} is not ${wanted}.`), { field: name });
}

/** Lines are numbers where the lists before had numbers only. */
function lineValue(lists) {
  const known = lists.filter((list) => Array.isArray(list)).flat();
  const areNumbers = known.length > 0 && known.every(isNumber);
  return (line) => areNumbers && /^-?\d+(\.\d+)?$/.test(line.trim()) ? readJSON(line.trim()) : line;
}

/** A text as the value of another kind; undefined if it is none. */
export function textAs(kind, typed) {
  if (kind === "text") return typed;
  try {
    const read = readJSON(typed);
    return isNumber(read) === (kind === "number") ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Kinds of which a text can be sent after a refusal, with their names. */
const otherKinds = { number: "as a number", json: "as JSON", text: "as a text" };

/** Numbers the sinks of all views, for the identifiers of their fields. */
let lastPlace = 0;

/** Makes and sends the sinks of one view, and remembers their results. */
export class Sinks {
  /** `changed` is called when the display must change. */
  constructor(request, changed) {
    Object.assign(this, { request, changed, forms: undefined, sent: 0, places: new Map(), drawn: new Map() });
  }

  /** The state of a shown sink. */
  place(key) {
    const place = this.places.get(key) ?? this.drawn.get(key) ?? { number: lastPlace += 1, kinds: new Map() };
    this.drawn.set(key, place);
    return place;
  }

  /** Drops the sinks that are not shown any more. */
  end() {
    [this.places, this.drawn] = [this.drawn, new Map()];
  }

  /** The open fields, as the hints say and as they were sent after a refusal. */
  fields(sink, { key, beside, alike, hints, fieldOrder = [] }) {
    const { kinds } = this.place(key);
    const place = ({ name }) => fieldOrder.includes(name) ? fieldOrder.indexOf(name) : fieldOrder.length;
    return openFields(sink, this.forms ?? [], beside, alike).sort((a, b) => place(a) - place(b)).map((field) => ({
      ...field, kind: kinds.get(field.name) ?? field.kind, label: hints?.label(field.name) ?? words(field.name),
      options: kinds.has(field.name) ? undefined : hints?.options(field.name), format: hints?.format(field.name),
    }));
  }

  /**
   * Draws a sink. `key` identifies it, `name` distinguishes it from its siblings; `check` makes it a checkbox, and one
   * that `asks` is sent when that was confirmed. Refusals of a button for which there is no room go into `faults`.
   */
  draw(sink, options) {
    const { key, name, label, enabled, main, small, named, check, pressed } = options;
    const place = this.place(key);
    const fields = this.fields(sink, options);
    const common = { disabled: !enabled, "aria-busy": place.pending && "true" };
    const kind = main ? "main" : small && "small";
    if (fields.length === 0 && !place.takesMore) {
      const send = () => this.confirm(sink, options, {});
      const fault = place.error && this.fault(sink, options, true);
      if (fault) options.faults?.push(fault);
      return h("span", { key: `sink ${name}`, class: "sink" }, check
        ? h("label", { class: check.done && "done" }, h("input", { type: "checkbox", checked: check.checked, onchange: send, ...common }), check.label)
        : h("button", { type: "button", class: kind, "aria-pressed": pressed && "true", onclick: send, ...common }, label),
      this.question(place, sink, label), !options.faults && fault);
    }
    const onsubmit = (event) => {
      event.preventDefault();
      this.submit(event.currentTarget, sink, options);
    };
    const alone = fields.length <= 1 && !fields.some((field) => field.kind === "json" || field.kind === "list" || field.format === "text");
    const faulty = place.error && faultyField(place.error, fields);
    const fault = place.error && this.fault(sink, options, false, faulty ? [faulty] : fields);
    return h("form", { key: `sink ${name}`, class: alone ? "sink" : "sink wide", novalidate: true, onsubmit },
      fields.map((field, index) => drawField(field, {
        alone, named, enabled, id: `field-${place.number}-${index}`, fault: field === faulty && fault,
      })),
      h(alone ? "span" : "div", { key: "send", class: "send" }, h("button", { type: "submit", class: kind, ...common }, label), furtherFields(place, enabled, alone)),
      this.question(place, sink, label), !faulty && fault);
  }

  /** The question before something is deleted. */
  question(place, { action }, label) {
    if (!place.asking) return null;
    const answer = (isSent) => () => {
      const { asking } = place;
      place.asking = undefined;
      this.changed();
      if (isSent) asking();
    };
    return h("dialog", { key: "question", class: "question", "aria-label": "Confirm", onclose: answer(false), made: (element) => queueMicrotask(() => element.showModal?.()) },
      h("p", null, label, ...carried(action).filter((text) => text.length <= 60).map((text) => ` ${text}`), "?"), h("div", { class: "buttons" },
        h("button", { type: "button", class: "main danger", onclick: answer(true) }, label),
        h("button", { type: "button", onclick: answer(false) }, "Cancel")));
  }

  /** A refusal with its next step. */
  fault(sink, options, isBare, fields = []) {
    const place = this.place(options.key);
    const { message, help, location, code } = place.error;
    const more = () => {
      place.takesMore = true;
      this.changed();
    };
    const others = code === "lua" ? this.otherWays(sink, options, fields) : [];
    return h("span", { key: "fault", class: "problem", role: "alert" }, h("span", null, asSentence(message)), help && h("span", null, asSentence(help)),
      location && h("code", null, `${location.file}:${location.line}`), others,
      code === "lua" && isBare && h("button", { type: "button", class: "bare", onclick: more }, "Give it fields"));
  }

  /** Buttons that send the texts of fields as other kinds of values. */
  otherWays(sink, options, fields) {
    const place = this.place(options.key);
    const ways = fields.flatMap((field) => {
      const typed = place.typed?.get(field.name);
      if (typeof typed !== "string" || field.options || !["text", "number", "integer", "json"].includes(field.kind)) return [];
      const now = field.kind === "integer" ? "number" : field.kind;
      // A field for numbers takes no other text.
      if (!typed) return now === "number" ? [{ field, kind: "text" }] : [];
      return Object.keys(otherKinds).filter((kind) => kind !== now && textAs(kind, typed) !== undefined).map((kind) => ({ field, kind, typed }));
    });
    return ways.map(({ field, kind, typed }) => {
      const onclick = ({ currentTarget }) => {
        place.kinds.set(field.name, kind);
        if (typed) this.submit(currentTarget.closest("form"), sink, options);
        else this.changed();
      };
      const verb = typed ? "Send" : "Type";
      const name = ways.every((way) => way.field === field) ? verb : `${verb} ${field.label}`;
      return h("button", { key: `${field.name} ${kind}`, type: "button", class: "bare", onclick }, `${name} ${otherKinds[kind]}`);
    });
  }

  submit(form, sink, options) {
    const place = this.place(options.key);
    const fields = this.fields(sink, options);
    const values = Object.create(null);
    place.typed = new Map();
    try {
      for (const field of [...fields, { name: "", kind: "json", seen: [] }]) {
        const typed = typedIn(form, field);
        place.typed.set(field.name, typed);
        const value = fieldValue(field, typed);
        if (value !== undefined) Object.assign(values, field.name ? { [field.name]: value } : value);
      }
    } catch (error) {
      place.error = error;
      return this.changed();
    }
    this.confirm(sink, options, values, () => emptied(form, fields));
  }

  /** Sends a sink, after a question if it asks one. */
  confirm(sink, options, values, done) {
    const send = () => this.send(sink, options, values).then((sent) => sent && done?.());
    if (!options.asks) return send();
    this.place(options.key).asking = send;
    return this.changed();
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

/** What was typed in a field of a form. */
function typedIn(form, { name, kind, options }) {
  const inputs = [...form.elements].filter((element) => element.dataset.field === name);
  if (kind === "boolean" && !options) return inputs[0].checked;
  return (inputs.find(({ type, checked }) => type !== "radio" || checked) ?? { value: "" }).value;
}

/** Empties a form. A field that had a value shows the sent value until there is a new one. */
function emptied(form, fields) {
  for (const input of form.elements) {
    if (fields.find(({ name }) => name === input.dataset.field)?.value !== undefined) input.defaultValue = input.value;
  }
  form.reset();
}

/** The field that a refusal is about; the one with the longest name if it names several. */
function faultyField({ field, message }, fields) {
  if (field !== undefined) return fields.find(({ name }) => name === field);
  const text = ` ${message.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")} `;
  const isNamed = (one) => [one.name, one.label].some((name) => text.includes(` ${name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim()} `));
  return fields.filter(isNamed).toSorted((a, b) => b.name.length - a.name.length)[0];
}

function asSentence(text) {
  if (!text) return "It was refused without a reason.";
  return text[0].toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? "" : ".");
}

const typedText = (value, kind) => {
  if (isNumber(value)) return value.text ?? String(value);
  if (typeof value === "string") return value;
  const plain = value?.$ ? plainOf(value) : value;
  if (plain === undefined) return "";
  return kind === "list" && Array.isArray(plain) ? plain.map((one) => typedText(one)).join("\n") : JSON.stringify(plain);
};

/** Fields that nobody knows of. They are opened where one looks for them, and take no place before. */
function furtherFields(place, enabled, alone) {
  const ontoggle = ({ currentTarget }) => { place.takesMore = currentTarget.open; };
  return h("details", { class: "further", open: place.takesMore ?? false, ontoggle },
    h("summary", { tabindex: alone ? -1 : null, title: alone && "More fields" }, h("span", { class: alone && "hidden-text" }, "More fields"), alone && "⋯"),
    h("label", { class: "field" }, h("span", null, "Fields, as JSON"),
      h("textarea", { "data-field": "", disabled: !enabled, autocomplete: "off", rows: 2 })));
}

/** Fields for texts of several lines. */
const longNames = /(^|_)(body|bio|comment|content|description|notes?|summary)$/;

function drawField({ name, kind, seen, value, label, options, format, usual }, { alone, named, enabled, id, fault }) {
  const described = fault && `${id}-fault`;
  const props = { "data-field": name, disabled: !enabled, autocomplete: "off", "aria-invalid": fault && "true", "aria-describedby": described };
  const problem = fault && h("span", { key: "fault", id: described }, fault);
  if (options) return choices({ name, label, options, chosen: value ?? seen[0] }, props, alone, id, problem);
  if (kind === "boolean") {
    const checked = typeof value === "boolean" ? value : seen[0] === true;
    return h("div", { key: name, class: "switch" }, h("label", null, h("input", { ...props, type: "checkbox", defaultChecked: checked }), label), problem);
  }
  const text = value === undefined || value === null ? "" : typedText(value, kind);
  const isDate = kind === "text" && format !== "text" && /^(\d{4}-\d\d-\d\d)$/.test(format === "date" ? "2000-01-01" : [text, ...seen].find((one) => one !== "") ?? "");
  const isLong = kind === "json" || kind === "list" || text.includes("\n") || (kind === "text" && (format === "text" || (!alone && longNames.test(name))));
  const offered = isLong ? [] : seen.map((one) => typedText(one)).filter((one) => one !== "");
  const isNumeric = kind === "number" || kind === "integer";
  const type = isNumeric ? "number" : name.includes("password") ? "password" : isDate ? "date" : "text";
  const hint = kind === "list" ? "One per line" : usual !== undefined && typeof usual !== "object" && usual !== "" ? String(usual) : alone && !named ? label : null;
  return h("div", { key: name, class: isNumeric ? "field short" : "field" }, h("label", { for: id, class: alone && "hidden-text" }, label),
    isLong ? h("textarea", { ...props, id, defaultValue: text, placeholder: hint, rows: kind === "list" ? 3 : 4, class: kind === "json" && "code" }) : h("input", {
      ...props, id, defaultValue: text, placeholder: hint, list: offered.length > 0 && type !== "password" && `${id}-seen`, type, step: isNumeric && "any",
    }),
    offered.length > 0 && type !== "password" && h("datalist", { id: `${id}-seen` }, offered.map((one) => h("option", { value: one }))), problem);
}

/** Radio buttons for up to four options, otherwise a menu. */
function choices({ name, label, options, chosen }, props, alone, id, problem) {
  const isChosen = ({ value }) => JSON.stringify(value) === JSON.stringify(chosen);
  if (options.length > 4) {
    return h("div", { key: name, class: "field" }, h("label", { for: id, class: alone && "hidden-text" }, label), h("select", { ...props, id },
      h("option", { value: "" }, "Choose …"), options.map((one, index) => h("option", { value: String(index), selected: isChosen(one) }, one.label))), problem);
  }
  return h("fieldset", { key: name, class: "field" }, h("legend", { class: alone && "hidden-text" }, label), options.map((one, index) =>
    h("label", null, h("input", { ...props, type: "radio", name: id, value: String(index), defaultChecked: isChosen(one) }), one.label)), problem);
}
