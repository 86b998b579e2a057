import test from "node:test";
import assert from "node:assert/strict";
import { isExact, readJSON, readSlices, writeJSON } from "../../Sources/Web/CPages/inspector/json.js";

test("what is read is written again", () => {
  const text = '{"a":[1,-2.5,true,null,"x"],"b":{}}';
  assert.equal(writeJSON(readJSON(text)), text);
});

test("a number of a slice that no reader holds keeps its text", () => {
  assert.deepEqual(readSlices('{"$":"number","start":"9007199254740993"}'), { $: "number", text: "9007199254740993" });
});

test("a flow's table is no number, whatever its keys", () => {
  for (const text of ['{"$":"number"}', '{"$":"number","start":"1"}', '{"$":"number","text":"1","more":1}']) {
    assert.equal(isExact(readJSON(text)), false);
    assert.equal(writeJSON(readJSON(text)), text);
  }
  assert.equal(isExact(readSlices('{"$":"number","start":"1","type":"add"}')), false);
});
