// What a flow says about its looks: the record `$view` beside its values, and the order of the tables in its code.

import { isSeen, plainOf } from "./forms.js";
import { entryOf } from "./moments.js";

/** True if an entry of a record only says how the record is shown. One that holds sinks is a value like any other. */
export function isHint([key, slice]) {
  return key === "$view" && slice?.$ === "record" && (!slice.entries || plainOf(slice) !== undefined);
}

const listed = (value) => (Array.isArray(value) ? value : []);

/** The hints of a record, and of the rows of its lists. */
export class Hints {
  /** `slice` is that of `$view`, `above` are the hints of the record around the list. */
  constructor(slice = undefined, above = undefined) {
    this.plain = slice?.entries ? plainOf(slice) : {};
    this.above = above;
  }

  /** The hint about a key, here or else above. */
  about(hint, key) { return entryOf(entryOf(this.plain, hint), key) ?? this.above?.about(hint, key); }

  /** What the record is shown as, or the list at a key of it. */
  as(key) {
    const as = entryOf(this.plain, "as");
    return key === undefined ? (typeof as === "string" ? as : undefined) : typeof as === "string" ? as : entryOf(as, key);
  }

  get order() { return [...listed(entryOf(this.plain, "order")), ...this.above?.order ?? []]; }

  label(key) {
    const label = this.about("label", key);
    return typeof label === "string" && isSeen(label) ? label : undefined;
  }

  format(key) {
    const format = this.about("format", key);
    return typeof format === "string" ? format : undefined;
  }

  /** The values that a field can have, each with its name; undefined if it can have any. */
  options(key) {
    const options = listed(this.about("options", key)).map((one) => {
      const value = entryOf(one, "value") ?? one;
      const label = String(entryOf(one, "label") ?? (typeof value === "object" ? JSON.stringify(value) : value));
      return { value, label: isSeen(label) ? label : JSON.stringify(value) };
    });
    return options.length > 0 ? options : undefined;
  }

  /** True or false if it is said whether the sink at a key asks first, or stands out. */
  says(hint, key) {
    const said = entryOf(this.plain, hint);
    if (typeof said === "boolean") return said;
    return typeof said === "string" ? said === key : Array.isArray(said) ? said.includes(key) : this.above?.says(hint, key);
  }
}

/**
 * The keys in the order of the tables in the code that have the most of them; those that none has are left out.
 */
export function orderOf(keys, orders) {
  const found = [];
  let left = keys;
  while (left.length > 0) {
    let best;
    for (const order of orders) {
      const count = left.reduce((sum, key) => sum + order.includes(key), 0);
      if (count > (best?.count ?? 0) || (best && count === best.count && order.length < best.order.length)) best = { order, count };
    }
    // One key of many says nothing about their order.
    if (!best || (found.length === 0 && best.count < 2)) break;
    found.push(...best.order.filter((key) => left.includes(key)));
    left = left.filter((key) => !best.order.includes(key));
  }
  return found;
}
