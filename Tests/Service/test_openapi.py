"""The service is held against its own description, by a program that is not ours."""

import os
import pathlib
import shutil
import subprocess
import sys

import jsonschema
import pytest

from service import PATIENCE, ROOT, Client, Service

SCHEMATHESIS = shutil.which("schemathesis") or str(pathlib.Path(sys.executable).with_name("schemathesis"))


@pytest.mark.skipif(not shutil.which(SCHEMATHESIS), reason="schemathesis is not installed")
@pytest.mark.parametrize("is_open", [False, True])
def test_the_service_does_what_its_description_says(tmp_path, is_open):
    service = Service(ROOT / "Examples/todo/todo.lua", ROOT / "Examples/counter/counter.lua",
                      "--store", tmp_path / "sessions.db", "--max-rate", 1000000, open_to_all=is_open)
    token = [] if is_open else ["--header", f"Authorization: Bearer {service.token}"]
    try:
        report = subprocess.run(
            [SCHEMATHESIS, "run", f"http://127.0.0.1:{service.port}/openapi.json", *token,
             "--exclude-path-regex", "/events$", "--seed", os.environ.get("SEED", "1"),
             "--max-examples", os.environ.get("GENERATED", "50"), "--generation-database", "none",
             "--request-timeout", str(PATIENCE), "--suppress-health-check", "too_slow"],
            capture_output=True, text=True, cwd=tmp_path)
        assert report.returncode == 0, report.stdout[-6000:] + report.stderr[-2000:]
    finally:
        assert service.stop() == 0


def matches(description, answer, reference):
    schema = {**description, "$ref": f"#/components/schemas/{reference}"}
    jsonschema.validate(answer.body, schema, jsonschema.Draft202012Validator)


def test_what_generated_requests_do_not_come_to_is_as_described(tmp_path):
    flow = tmp_path / "odd.lua"
    flow.write_text("""
        return {
            name = "odd",
            state = { n = 0 },
            apply = {
                add = function(state) state.n = state.n + 1 end,
                refuse = function() error("invalid amount") end,
                fail = function(state) state.none.n = 1 end,
            },
            render = function(state)
                if state.n == 2 then error("two cannot be shown") end
                return { n = state.n }
            end,
        }""")
    service = Service(flow, "--store", tmp_path / "sessions.db")
    client = Client(service.port)
    try:
        description = client.get("/openapi.json").body
        assert description["security"] == []
        made = client.post("/sessions", {"flow": "odd", "id": "s"})
        matches(description, made, "Session")
        act = lambda action, **headers: client.post("/sessions/s/actions", {"action": action}, **headers)
        matches(description, act("add"), "Answer")
        for action, code in [("refuse", "refused"), ("fail", "lua"), ("none", "unknown_action")]:
            answer = act(action)
            assert (answer.status, answer.body["code"], answer.body["error"]["code"]) == (409, code, code)
            assert "session" not in answer.body
            matches(description, answer, "Refusal")
        kept = act("add")
        assert kept.status == 409 and kept.body["code"] == "lua" and kept.body["session"]["step"] == 2
        matches(description, kept, "Refusal")
        stale = act("add", If_Match=made.headers["ETag"])
        assert stale.status == 412 and stale.body["session"]["flow"] == "odd"
        matches(description, stale, "Stale")
        matches(description, client.post("/sessions", {"flow": "odd", "id": "s"}), "Problem")
    finally:
        assert service.stop() == 0
