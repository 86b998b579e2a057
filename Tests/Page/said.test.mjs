import assert from "node:assert/strict";
import test from "node:test";
import { ago, steps } from "../../Sources/Web/CPages/service/said.js";

test("times are said as people say them", () => {
  const now = Date.parse("2026-01-02T12:00:00.000Z");
  assert.equal(ago("2026-01-02T11:59:30.000Z", now), "now");
  assert.equal(ago("2026-01-02T11:58:10.000Z", now), "1 minute ago");
  assert.equal(ago("2026-01-02T10:00:00.000Z", now), "2 hours ago");
  assert.equal(ago("2025-12-24T18:30:05.000Z", now), "2025-12-24 18:30");
});

test("a session that was undone says of how many steps", () => {
  assert.equal(steps({ step: 3, of: 3 }), "3");
  assert.equal(steps({ step: 1, of: 3 }), "1 of 3");
});
