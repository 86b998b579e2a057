// Serves the page with a journal in place of a session, to work on the page without a host:
// node Tests/Page/serve.mjs [todo|hello|long|wide|markup|FILE.json] [PORT]

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";
import { journals } from "./journal.mjs";
import { openJournal } from "../../Sources/Web/CPages/inspector/offline.js";

const [name = "todo", port = "8090"] = process.argv.slice(2);
const page = new URL("../../Sources/Web/CPages/inspector/", import.meta.url);
const host = openJournal(journals[name]?.() ?? JSON.parse(readFileSync(name, "utf8")));
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
  + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

createServer(async (request, response) => {
  const { pathname } = new URL(request.url, "http://127.0.0.1");
  if (pathname === "/stream") return stream(response);
  if (request.method === "POST") return answer(pathname, JSON.parse(await body(request)), response);
  const file = { "/": "index.html", "/play": "play.html" }[pathname] ?? pathname.slice(1);
  try {
    if (!/^[\w-]+\.(html|js|css)$/.test(file)) throw new Error(file);
    const text = readFileSync(new URL(file, page));
    response.writeHead(200, {
      "Content-Type": `${types[extname(file)]}; charset=utf-8`, "Content-Security-Policy": policy, "Cache-Control": "no-cache",
    });
    response.end(text);
  } catch {
    response.writeHead(404).end();
  }
}).listen(Number(port), "127.0.0.1", () => console.log(`http://127.0.0.1:${port}/  http://127.0.0.1:${port}/play`));

async function body(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}

function stream(response) {
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
  response.write(`retry: 1000\nevent: hello\ndata: ${JSON.stringify({ stream: "1", scopes: host.scopes, flow: host.flow })}\n\n`);
  host.onNews((news) => response.write(`data: ${JSON.stringify(news)}\n\n`));
}

async function answer(path, message, response) {
  response.writeHead(200, { "Content-Type": "application/json" });
  if (path === "/login") return response.end(JSON.stringify({ scopes: host.scopes }));
  const reply = await host.request(message).then(
    (value) => ({ type: "reply", ok: true, value }),
    (error) => ({ type: "reply", ok: false, error: { ...error, message: error.message } }));
  response.end(JSON.stringify(reply));
}
