// The moments of a journal: the values after each step, made from the first by the steps' operations (RFC 6902).

const owns = (value, key) => Object.prototype.hasOwnProperty.call(value, key);

/** The value under an own key, never an inherited one. */
export const entryOf = (value, key) =>
  value !== null && typeof value === "object" && owns(value, key) ? value[key] : undefined;

/** Copies a container once per play: moments share what did not change. */
function own(value, owned) {
  if (owned.has(value)) return value;
  const copy = Array.isArray(value) ? value.slice() : { ...value };
  owned.add(copy);
  return copy;
}

function put(container, key, value) {
  Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
}

/** The value after an operation; `owned` are the containers that may be changed. */
export function applied(root, operation, owned) {
  const steps = operation.path.split("/").slice(1).map((step) => step.replace(/~1/g, "/").replace(/~0/g, "~"));
  if (steps.length === 0) return operation.value;
  const result = own(root, owned);
  let place = result;
  for (const step of steps.slice(0, -1)) {
    const inner = own(entryOf(place, step), owned);
    put(place, step, inner);
    place = inner;
  }
  const last = steps[steps.length - 1];
  if (Array.isArray(place)) {
    const position = last === "-" ? place.length : Number(last);
    if (operation.op === "add") place.splice(position, 0, operation.value);
    else if (operation.op === "remove") place.splice(position, 1);
    else place[position] = operation.value;
  } else if (operation.op === "remove") delete place[last];
  else put(place, last, operation.value);
  return result;
}

/** Moments by step. Every 64th is kept, fewer if there are very many. */
export class Moments {
  constructor(first, steps) {
    this.steps = steps;
    this.every = Math.max(64, Math.ceil(steps.length / 512));
    this.kept = [first];
  }

  at(step) {
    let index = Math.min(Math.floor(step / this.every), this.kept.length - 1);
    let moment = this.kept[index];
    let owned = new Set();
    for (let number = index * this.every + 1; number <= step; number += 1) {
      for (const operation of this.steps[number - 1].ops) moment = applied(moment, operation, owned);
      if (number % this.every === 0) {
        index += 1;
        this.kept[index] = moment;
        owned = new Set();
      }
    }
    return moment;
  }
}

/**
 * The paths at which two values differ, with positions from 1. The common start and end of lists are skipped, so
 * that a row inserted in the middle is one change.
 */
export function differences(old, value, limit) {
  const found = { count: 0, changes: [] };
  const add = (path, kind, before, after) => {
    found.count += 1;
    if (found.changes.length < limit) found.changes.push({ path, kind, old: before, new: after });
  };
  const visit = (before, after, path) => {
    if (before === after) return;
    if (before === undefined) return add(path, "added", before, after);
    if (after === undefined) return add(path, "removed", before, after);
    const kind = shape(before);
    if (kind === "plain" || kind !== shape(after)) return add(path, "changed", before, after);
    if (kind === "list") return visitList(before, after, path);
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      visit(entryOf(before, key), entryOf(after, key), [...path, key]);
    }
  };
  const visitList = (before, after, path) => {
    const [old, now] = [before.length, after.length];
    let [start, end] = [0, 0];
    while (start < Math.min(old, now) && isSame(before[start], after[start])) start += 1;
    while (end < Math.min(old, now) - start && isSame(before[old - 1 - end], after[now - 1 - end])) end += 1;
    for (let index = start; index < Math.max(old, now) - end; index += 1) {
      visit(index < old - end ? before[index] : undefined, index < now - end ? after[index] : undefined, [...path, index + 1]);
    }
  };
  visit(old, value, []);
  return found;
}

const isSame = (one, other) => one === other || differences(one, other, 0).count === 0;

function shape(value) {
  if (Array.isArray(value)) return "list";
  return value !== null && typeof value === "object" && !owns(value, "$sink") ? "record" : "plain";
}
