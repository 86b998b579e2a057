// Values as people read them: numbers, money and times in the reader's language.

/** Keys whose numbers name something, and are not grouped. */
const namingKeys = /(^|_)(id|year|zip|postcode|port|pin|phone|isbn)$/;

const formatters = new Map();

/** A formatter for the reader, made once for its options. */
function formatterOf(kind, options) {
  const key = `${kind.name} ${JSON.stringify(options)}`;
  if (!formatters.has(key)) formatters.set(key, new kind(undefined, options));
  return formatters.get(key);
}

const shownAs = (options, value) => formatterOf(Intl.NumberFormat, options).format(value);
const byteUnits = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
const dateStyles = { date: { dateStyle: "medium" }, time: { timeStyle: "short" }, datetime: { dateStyle: "medium", timeStyle: "short" } };

/** The digits after the point that a number is shown with: two, or four if it is less than one. */
export function fractionDigits(slice) {
  const exact = slice.text ?? String(slice);
  const decimals = exact.match(/^-?\d+\.(\d+)$/)?.[1].replace(/0+$/, "").length ?? 0;
  return Math.min(decimals, Math.abs(Number(exact)) < 1 ? 4 : 2);
}

/**
 * A number as it is shown, and exactly. `format` is a word such as `percent`, with more about it behind a space;
 * `digits` are those after the point that its column has.
 */
export function numberText(slice, { key = "", format = "", digits } = {}) {
  const exact = slice.text ?? String(slice);
  const value = Number(exact);
  const [kind, more] = format.split(" ");
  if (!Number.isFinite(value) || kind === "plain" || (!kind && namingKeys.test(key))) return { text: exact, exact };
  try {
    return { text: formatted(exact, value, kind, more, digits), exact };
  } catch {
    // Such as a currency that does not exist.
    return { text: exact, exact };
  }
}

function formatted(exact, value, kind, more, digits) {
  if (kind in dateStyles) return formatterOf(Intl.DateTimeFormat, dateStyles[kind]).format(new Date(value * 1000));
  if (kind === "percent") return shownAs({ style: "percent", maximumFractionDigits: Number(more ?? 2) }, value);
  if (kind === "money") return shownAs({ style: "currency", currency: more ?? "EUR" }, value);
  if (kind === "bytes") {
    const power = Math.min(Math.floor(Math.log10(Math.max(Math.abs(value), 1)) / 3), byteUnits.length - 1);
    const unit = { style: "unit", unit: byteUnits[power], unitDisplay: power > 0 ? "short" : "long" };
    return shownAs({ ...unit, maximumSignificantDigits: 3 }, value / 1000 ** power);
  }
  const fixed = kind === "number" && more !== undefined ? Number(more) : digits;
  const size = Math.abs(value);
  if (!/^-?\d+$/.test(exact) && size !== 0 && (size >= 1e15 || size < 1e-6)) {
    return shownAs({ notation: "scientific", maximumSignificantDigits: 4 }, value);
  }
  if (fixed > 0) return shownAs({ minimumFractionDigits: fixed, maximumFractionDigits: fixed }, value);
  if (/^-?\d+$/.test(exact)) return shownAs({}, BigInt(exact));
  return shownAs({ ...(size < 1 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 2 }), signDisplay: "negative" }, value);
}

/** True if a shown number leaves digits out. */
export function isRounded({ text, exact }) {
  const digits = (number) => number.replace(/\.0+$/, "").replace(/\D/g, "");
  return digits(text) !== digits(exact);
}

/** A text that is a date or a time as it is shown. */
export function timeText(text, format) {
  const time = new Date(text);
  if (!(format in dateStyles) || Number.isNaN(time.getTime())) return text;
  // A day is the same in every time zone.
  const zone = /^\d{4}-\d\d-\d\d$/.test(text) ? { timeZone: "UTC" } : {};
  return formatterOf(Intl.DateTimeFormat, { ...dateStyles[format], ...zone }).format(time);
}
