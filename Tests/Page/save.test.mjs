import test from "node:test";
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createHash } from "node:crypto";
import vm from "node:vm";
import { joinModules, savedPage, wholeJournal } from "../../Sources/Web/CPages/inspector/save.js";
import { openJournal } from "../../Sources/Web/CPages/inspector/offline.js";
import { makeJournal } from "./journal.mjs";

const folder = new URL("../../Sources/Web/CPages/inspector/", import.meta.url);
const file = (name) => readFileSync(new URL(name, folder), "utf8");
const read = async (name) => file(name);
const modules = readdirSync(folder).filter((name) => name.endsWith(".js"));

test("imports and exports are written so that modules can be joined", () => {
  for (const name of modules) {
    for (const [line] of file(name).matchAll(/^import.*$/gm)) {
      assert.match(line, /^import \{ [\w, ]+ \} from "\.\/[\w-]+\.js";$/, `${name}: ${line}`);
    }
    for (const [line] of file(name).matchAll(/^export.*$/gm)) {
      assert.match(line, /^export (async function|function|const|class) \w+/, `${name}: ${line}`);
    }
    assert.doesNotMatch(file(name), /^\s*(import\(|await import)/m, name);
  }
});

test("no name is used at the top level of two modules", () => {
  const owners = new Map();
  for (const name of modules) {
    for (const [, found, list] of file(name).matchAll(/^(?:export )?(?:async )?(?:function\*?|const|let|var|class) (?:(\w+)|[{[]([^}\]]*)[}\]])/gm)) {
      for (const top of found ? [found] : list.split(",").map((part) => part.trim())) {
        assert.ok(!owners.has(top), `${top} is in ${owners.get(top)} and in ${name}`);
        owners.set(top, name);
      }
    }
  }
});

for (const main of ["main.js", "saved.js", "play.js"].filter((name) => modules.includes(name))) {
  test(`the modules of ${main} are one script`, async () => {
    const text = await joinModules(main, read);
    assert.doesNotMatch(text, /^(import|export) /m);
    new vm.Script(`"use strict"; (async () => {${text}\n})`, { filename: main });
  });
}

test("a module stands once, after those that it needs", async () => {
  const sources = {
    "a.js": 'import { b } from "./b.js";\nimport { c } from "./c.js";\nb(c);\n',
    "b.js": 'import { c } from "./c.js";\nexport function b() { return c; }\n', "c.js": "export const c = 1;\n",
  };
  assert.equal(await joinModules("a.js", async (name) => sources[name]), "const c = 1;\nfunction b() { return c; }\nb(c);\n");
});

test("a saved page allows its own script and style, and nothing can end them early", async () => {
  const html = '<meta charset="utf-8">\n<link rel="stylesheet" href="a.css">\n<link rel="stylesheet" href="b.css">\n<script type="module" src="m.js"></script>\n<body>\n';
  const sources = { "a.css": "a{}", "b.css": "b{}", "saved.js": 'const end = "</script><!--"; // $& $1\n' };
  const page = await savedPage(html, async (name) => sources[name], '{"text":"</script><script>alert(1)</script>$&"}');
  const script = page.match(/<script type="module">([\s\S]*?)<\/script>/)[1];
  const style = page.match(/<style>([\s\S]*?)<\/style>/)[1];
  const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  assert.equal(script, 'const end = "\\x3c/script>\\x3c!--"; // $& $1\n');
  assert.equal(style, "a{}\nb{}");
  assert.ok(page.includes(`script-src ${hash(script)}; style-src ${hash(style)};`));
  assert.ok(!page.includes("a.css") && !page.includes("m.js"));
  const data = page.match(/<script type="application\/json" id="journal">([\s\S]*?)<\/script>/)[1];
  assert.deepEqual(JSON.parse(data), { text: "</script><script>alert(1)</script>$&" });
  assert.equal(page.match(/<script/g).length, 2);
});

test("the page itself can be saved", async () => {
  const page = await savedPage(file("index.html"), read, "{}");
  assert.doesNotMatch(page, /(href|src)="(?!data:)/);
  assert.match(page, /^<!doctype html>/);
});

test("a journal is asked for in parts", async () => {
  const journal = makeJournal({ steps: 5000 });
  const asked = [];
  const host = openJournal(journal);
  const whole = await wholeJournal((message) => {
    if (message.do === "status") return host.request(message);
    asked.push([message.from, message.to]);
    return host.request({ ...message, to: Math.min(message.to, message.from + 1500) });
  });
  assert.deepEqual(asked, [[0, 2000], [1500, 3500], [3000, 5000], [4500, 5000]]);
  assert.equal(whole.steps.length, 5000);
  assert.deepEqual(whole, journal);
});

test("a session that went another way meanwhile is not saved", async () => {
  await assert.rejects(wholeJournal(async () => ({ of: 10, to: 4, steps: [1, 2, 3, 4] })), { code: "journal", help: "Save it again." });
});
