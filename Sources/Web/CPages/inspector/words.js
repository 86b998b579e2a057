// Numbers, times and durations as text.

const two = (number) => String(number).padStart(2, "0");

/** A moment of a day, to the millisecond: `12:32:33.771`. */
export function moment(milliseconds) {
  const time = new Date(milliseconds);
  const part = String(time.getMilliseconds()).padStart(3, "0");
  return `${time.toTimeString().slice(0, 8)}.${part}`;
}

/** A duration in its two largest units: `3 ms`, `1.2 s`, `4 m 05 s`, `2 h 07 m`, `3 d 01 h`. */
export function duration(milliseconds) {
  const all = Math.max(0, milliseconds);
  if (all < 1000) return `${Math.round(all)} ms`;
  if (all < 60_000) return `${(Math.floor(all / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(all / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${two(seconds % 60)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} m`;
  return `${Math.floor(minutes / 1440)} d ${two(Math.floor(minutes / 60) % 24)} h`;
}

/** The steps after the current one, which an action in the past gives up. */
export const laterSteps = (number) => (number === 1 ? "the later step" : `the ${counted(number)} later steps`);

/** A number with separated thousands: `10,000`. */
export const counted = new Intl.NumberFormat("en").format;
