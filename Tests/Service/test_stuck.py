"""Calls into flows that never end, and what they cost others: their sessions, and nothing else."""

import http.client
import os
import threading
import time

import pytest

from service import HERE, Client, Service, until

HOSTILE = 20


@pytest.fixture(params=["endless", "stall"])
def hostile(request, tmp_path, monkeypatch):
    """A flow whose action `stall` never ends: with no time limit enforced, in a debug build; or by evading all limits."""
    if request.param == "stall":
        return HERE / "stall.lua"
    # A build that is not for debugging enforces the limit, and the test finds no stuck call.
    monkeypatch.setenv("WORKFLOW_ENDLESS", "1")
    flow = tmp_path / "endless.lua"
    flow.write_text("""
        return {
            name = "stall",
            state = function() return { count = 0 } end,
            apply = {
                add = function(state) state.count = state.count + 1 end,
                stall = function() while true do end end,
            },
            render = function(state) return { count = state.count } end,
        }
        """)
    return flow


def test_sessions_that_never_end_cost_others_nothing(hostile, tmp_path):
    if hostile.name == "endless.lua" and "release" in os.environ.get("WORKFLOW_SERVE", ""):
        pytest.skip("a release build enforces the time limit in any case")
    service = Service(hostile, HERE / "chain.lua", "--store", tmp_path / "sessions.db", "--max-time", 1)
    client = Client(service.port)
    names = [f"hostile{number}" for number in range(HOSTILE)]
    for name in names:
        assert client.post("/sessions", {"flow": "stall", "id": name}).status == 201
        assert client.post(f"/sessions/{name}/actions", {"action": {"type": "add"}}).status == 200
    assert client.post("/sessions", {"flow": "chain", "id": "good"}).status == 201
    assert client.get("/readyz").status == 200

    answers = {}

    def stall(name):
        answers[name] = Client(service.port).post(
            f"/sessions/{name}/actions", {"action": {"type": "stall"}})

    threads = [threading.Thread(target=stall, args=[name]) for name in names]
    for thread in threads:
        thread.start()
    done = 0
    times = []
    while len(answers) < HOSTILE:
        begun = time.monotonic()
        answer = client.post("/sessions/good/actions", {"action": {"type": "add", "value": done}})
        times.append(time.monotonic() - begun)
        assert answer.status == 200, answer.text
        done += 1
    for thread in threads:
        thread.join()
    print(f"{done} actions beside {HOSTILE} that never end; the slowest took {max(times):.2f} s")
    # One after the other, those would be given up after two seconds each: no action would be done before twenty.
    assert done > 1
    for answer in answers.values():
        assert answer.status == 503, answer.text
        assert answer.body["code"] == "stuck"

    ready = client.get("/readyz")
    assert ready.status == 503
    assert ready.body["code"] == "stuck"
    assert ready.body["calls"] == HOSTILE
    assert client.get("/healthz").status == 200
    log = "".join(service.errors)
    for name in names:
        assert f"critical: a call into a flow does not end flow=stall node=stall session={name}\n" in log
        # The session is not played again: each attempt would cost a thread.
        assert client.get(f"/sessions/{name}").body["code"] == "stuck"
    assert client.post("/sessions/good/actions", {"action": {"type": "add", "value": done}}).status == 200

    assert service.stop() == 0, "".join(service.errors)

    # What was acknowledged is kept, and the action that did not end was not done.
    service = Service(hostile, HERE / "chain.lua", "--store", tmp_path / "sessions.db")
    client = Client(service.port)
    for name in names:
        session = client.get(f"/sessions/{name}").body
        assert (session["step"], session["rendering"]) == (1, {"count": 1})
    assert client.get("/sessions/good").body["step"] == done + 1
    assert service.stop() == 0


def test_a_service_ends_in_time_although_a_call_has_just_begun_that_never_does(hostile, tmp_path):
    if hostile.name == "endless.lua" and "release" in os.environ.get("WORKFLOW_SERVE", ""):
        pytest.skip("a release build enforces the time limit in any case")
    # The end of the call is further away than the end of this test.
    service = Service(hostile, "--store", tmp_path / "sessions.db", "--max-time", 3600, "--max-queue", 1)
    client = Client(service.port)
    assert client.post("/sessions", {"flow": "stall", "id": "hostile"}).status == 201

    def stall():
        # It is refused while it meets one of the requests below; at the end its connection is closed.
        with pytest.raises((ConnectionError, http.client.HTTPException)):
            while Client(service.port).post("/sessions/hostile/actions", {"action": {"type": "stall"}}).status == 503:
                pass

    stalling = threading.Thread(target=stall, daemon=True)
    stalling.start()
    until(lambda: client.get("/sessions/hostile").status == 503)
    assert service.stop() == 0, "".join(service.errors)
    stalling.join()
