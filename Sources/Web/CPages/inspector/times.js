// Times as people say them, with the exact one behind.

import { h } from "./dom.js";
import { duration, moment } from "./words.js";

const withinDay = [[86_400_000, 3_600_000, "h"], [3_600_000, 60_000, "min"], [60_000, 1000, "s"]];

/** A time as seen from another: `now`, `12 s ago`, `2 min ago`, `3 h ago`, and the date of an earlier day. */
export function ago(milliseconds, now) {
  const past = Math.max(0, now - milliseconds);
  if (past < 1000) return "now";
  const [, unit, name] = withinDay.findLast(([limit]) => past < limit) ?? [];
  return unit ? `${Math.floor(past / unit)} ${name} ago` : exactTime(milliseconds).slice(0, 16);
}

/** A time with its date, to the millisecond: `2026-11-22 12:32:33.771`. */
export function exactTime(milliseconds) {
  const time = new Date(milliseconds);
  const two = (number) => String(number).padStart(2, "0");
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${moment(milliseconds)}`;
}

/** The ways to write times, by name. */
export const timeWords = {
  ago: (at, { now }) => ago(at, now),
  "since the start": (at, { start }) => duration(at - (start ?? at)),
  "time of day": (at) => moment(at),
};

/** An element with a time, in words unless others are given. */
export const timeView = (at, now, words = ago(at, now)) =>
  h("time", { datetime: new Date(at).toISOString(), title: exactTime(at) }, words);
