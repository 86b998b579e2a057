// Paths into values, as the host writes them: `rows[1].done`, `["unit price"]`. Positions count from 1.

/** The path of a child; a number is a position. */
export function childPath(path, step) {
  if (typeof step === "number") return `${path}[${step}]`;
  if (/^[A-Za-z_]\w*$/.test(step)) return path ? `${path}.${step}` : step;
  const written = step.replace(/["\\]/g, "\\$&")
    .replace(/[\u0000-\u001f\u007f]/g, (sign) => `\\u{${sign.codePointAt(0).toString(16)}}`);
  return `${path}["${written}"]`;
}

/** The components of a path; `null` if the text is not a path. */
export function parsePath(text) {
  const step = /(?:^|\.)([A-Za-z_]\w*)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/gy;
  const steps = [];
  while (step.lastIndex < text.length) {
    const found = step.exec(text);
    if (!found) return null;
    const [, name, position, quoted] = found;
    steps.push(name ?? (position ? Number(position) : unescaped(quoted)));
  }
  return steps;
}

const signs = { n: "\n", r: "\r", t: "\t" };

function unescaped(text) {
  return text.replace(/\\(?:u\{([0-9a-fA-F]+)\}|(.))/g, (_, code, sign) =>
    code ? String.fromCodePoint(parseInt(code, 16)) : signs[sign] ?? sign);
}
