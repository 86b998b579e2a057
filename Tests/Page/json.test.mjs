import test from "node:test";
import assert from "node:assert/strict";
import { readJSON, writeJSON } from "../../Sources/CInspectorPage/page/json.js";

test("what is read is written again", () => {
  const text = '{"a":[1,-2.5,true,null,"x"],"b":{}}';
  assert.equal(writeJSON(readJSON(text)), text);
});

test("a number of a slice that no reader holds keeps its text", () => {
  assert.deepEqual(readJSON('{"$":"number","start":"9007199254740993"}'), { $: "number", text: "9007199254740993" });
});
