// Exports: the session as one page, a recording, a test, and a link.

import { HostError } from "./protocol.js";
import { writeJSON } from "./json.js";

const importLine = /^import \{[^}]*\} from "\.\/([\w-]+\.js)";\n/gm;

/** The modules that a module needs, itself last, as one text without imports and exports. */
export async function joinModules(name, read, known = new Set()) {
  known.add(name);
  const text = await read(name);
  let joined = "";
  for (const [, needed] of text.matchAll(importLine)) {
    if (!known.has(needed)) joined += await joinModules(needed, read, known);
  }
  return joined + text.replace(importLine, "").replace(/^export (?=(async )?(function|const|class) )/gm, "");
}

async function hashOf(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return `'sha256-${btoa(String.fromCharCode(...bytes))}'`;
}

/**
 * One HTML page that needs no server. It contains the styles, the script and the journal, and may run nothing
 * else. `html` is the server's page, `read` returns its files, and `journal` is JSON.
 */
export async function savedPage(html, read, journal) {
  const styles = [...html.matchAll(/<link rel="stylesheet" href="([^"]+)">\n/g)];
  const [tag] = html.match(/<script type="module" src="[^"]+"><\/script>\n/);
  const style = (await Promise.all(styles.map((found) => read(found[1])))).join("\n");
  // A script must not contain its own end tag or an HTML comment.
  const script = (await joinModules("saved.js", read)).replace(/<(?=\/script|!--)/gi, "\\x3c");
  const policy = `default-src 'none'; script-src ${await hashOf(script)}; style-src ${await hashOf(style)}; img-src data:; `
    + "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
  let page = html.replace(tag, "");
  for (const [line] of styles) page = page.replace(line, "");
  const data = journal.replace(/</g, "\\u003c");
  return page.replace(/<meta charset="utf-8">\n/, (first) =>
    `${first}<meta http-equiv="Content-Security-Policy" content="${policy}">\n<style>${style}</style>\n`)
    + `<script type="application/json" id="journal">${data}</`+ `script>\n<script type="module">${script}</` + "script>\n";
}

/** The whole journal of a session, requested in parts. */
export async function wholeJournal(request) {
  const { of } = await request({ do: "status" });
  const part = (from) => request({ do: "journal", from, to: Math.min(from + 2000, of) });
  const journal = await part(0);
  while (journal.to < of) {
    const { steps, to } = await part(journal.to);
    if (to <= journal.to) {
      throw new HostError({ code: "journal", message: "The session went another way meanwhile.", help: "Save it again." });
    }
    for (const step of steps) journal.steps.push(step);
    journal.to = to;
  }
  return Object.assign(journal, { of });
}

function download(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/**
 * Saves the session as a page that opens without a program.
 * Like all functions here, returns a sentence about the result.
 */
export async function savePage(host) {
  if (!globalThis.crypto?.subtle) {
    throw new HostError({ code: "insecure", message: "A browser saves pages of 127.0.0.1, localhost and https only.", help: "Open the page there." });
  }
  const journal = await wholeJournal(host.request);
  // Without a program the page shows values in the same order.
  journal.orders = (await host.request({ do: "forms" })).orders;
  const read = async (name) => (await fetch(name || "./")).text();
  const html = (await read("")).replace("main.js", "saved.js");
  const page = await savedPage(html, read, writeJSON(journal));
  download(`${host.flow}.html`, page, "text/html");
  const steps = journal.of === 1 ? "1 step" : `${journal.of} steps`;
  return `${host.flow}.html holds ${steps}, in ${Math.ceil(page.length / 1000)} KB. It opens without a program.`;
}

/** Saves the recording of the session so far. */
export const saveRecording = (host) => saveText(host, "recording", `${host.flow}.jsonl`);

/** Saves a test of the session so far. */
export const saveTest = (host) => saveText(host, "test", `${host.flow}_test.lua`);

async function saveText(host, name, file) {
  const { text } = await host.request({ do: name });
  download(file, text, "text/plain");
  return `${file} is saved.`;
}

/** Copies a link to a step and, if selected, a node. */
export async function copyLink(step, node) {
  const place = `step=${step}${node ? `&node=${encodeURIComponent(node)}` : ""}`;
  await navigator.clipboard.writeText(`${location.origin}${location.pathname}#${place}`);
  return "The link is copied. It opens for those who have the token.";
}
