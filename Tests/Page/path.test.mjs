import test from "node:test";
import assert from "node:assert/strict";
import { childPath, parsePath } from "../../Sources/Web/CPages/inspector/path.js";

test("a path is written as the host writes it", () => {
  assert.equal([ "rows", 1, "done" ].reduce(childPath, ""), "rows[1].done");
  assert.equal(childPath("", "unit price"), '["unit price"]');
  assert.equal(childPath("a", 'say "hi" \\ \n'), 'a["say \\"hi\\" \\\\ \\u{a}"]');
  assert.equal(childPath("", ""), '[""]');
});

test("a path that was written is read again", () => {
  for (const steps of [[], ["rows", 1, "done"], ["unit price", "a.b", "]["], ["\n\t\u0000\u001f", '"', "\\"], ["ü", 12, ""]]) {
    assert.deepEqual(parsePath(steps.reduce(childPath, "")), steps);
  }
});

test("escapes are those of the host", () => {
  assert.deepEqual(parsePath('["a\\n\\t\\r\\u{41}\\"\\\\"]'), ['a\n\t\rA"\\']);
});

test("what is no path is none", () => {
  for (const text of ["rows[", "1a", "rows.[1]", "rows[x]", '["a]', "a..b", "a b"]) assert.equal(parsePath(text), null, text);
});
