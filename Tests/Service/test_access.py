"""Flows that decide who may do what: what they are asked is the same however a client spells it."""

import hashlib
import json
import urllib.request

import pytest

from service import PATIENCE, ROOT, Client, Service

SHARED = ROOT / "Examples/recipes/shared.lua"
SCOPES = "read,act,create,travel,delete,inspect,evaluate"


@pytest.fixture(params=[(), ("--isolate",)], ids=["here", "isolated"])
def users(request, tmp_path):
    """The recipe of a list of several people under a service, and its users by name."""
    lines = []
    for name, claims in [("ann", ""), ("bob", ""), ("eve", ' {"role": "editor"}')]:
        digest = hashlib.sha256(f"token-of-{name}".encode()).hexdigest()
        lines.append(f"{name} {SCOPES} sha256:{digest}{claims}\n")
    (tmp_path / "tokens").write_text("".join(lines))
    service = Service(
        SHARED, "--store", tmp_path / "sessions.db", "--tokens", tmp_path / "tokens",
        *request.param, open_to_all=False)
    yield {name: Client(service.port, f"token-of-{name}") for name in ("ann", "bob", "eve")}
    assert service.stop() == 0, "".join(service.errors)


def act(client, **body):
    return client.post("/sessions/s/actions", body)


def rows(client):
    return [(row["text"], row["author"]) for row in client.get("/sessions/s").body["rendering"]["rows"]]


def test_a_list_of_several_people(users):
    ann, bob, eve = users["ann"], users["bob"], users["eve"]
    assert ann.post("/sessions", {"flow": "shared", "id": "s"}).status == 201
    assert act(ann, action={"type": "add", "text": "milk"}).status == 200
    # Who sent it is the author, whatever the client says.
    assert act(bob, at="add", **{"with": {"text": "bread", "author": "ann"}}).status == 200
    assert rows(eve) == [("milk", "ann"), ("bread", "bob")]
    sink = ann.get("/sessions/s").body["rendering"]["rows"][0]["remove"]
    for body in [
            {"action": {"type": "remove", "id": 1}},
            {"action": {"type": "remove", "id": 1}, "node": "shared"},
            {"at": "rows[1].remove"},
            {"at": "rows[2].remove", "with": {"id": 1}},
            {"sink": sink},
            {"sink": {"$sink": {"node": "shared", "action": {"type": "remove", "id": 2}}}, "with": {"id": 1}},
    ]:
        refused = act(bob, **body)
        assert (refused.status, refused.body["code"]) == (403, "not_granted"), body
    assert bob.post("/sessions/s/undo").status == 403
    assert rows(bob) == [("milk", "ann"), ("bread", "bob")]
    assert act(bob, at="rows[2].remove").status == 200
    assert act(eve, sink=sink).status == 200
    assert rows(ann) == []
    assert eve.post("/sessions/s/goto", {"step": 1}).status == 200
    assert rows(ann) == [("milk", "ann")]


def test_who_did_what_is_in_the_log(users):
    ann, bob = users["ann"], users["bob"]
    ann.post("/sessions", {"flow": "shared", "id": "s"})
    act(bob, action={"type": "add", "text": "milk"})
    # Only editors may take a recording of this flow.
    assert ann.get("/sessions/s/recording").status == 403
    lines = [json.loads(line) for line in users["eve"].get("/sessions/s/recording").text.splitlines()]
    assert lines[0]["type"] == "ready" and lines[0]["by"] == "ann"
    assert [line["by"] for line in lines if line["type"] == "action"] == ["bob"]
    assert lines[-1]["rendering"]["rows"][0]["author"] == "bob"


def test_a_reader_follows(users):
    ann = users["ann"]
    ann.post("/sessions", {"flow": "shared", "id": "s"})
    request = urllib.request.Request(
        f"http://127.0.0.1:{ann.address[1]}/sessions/s/events", headers={"Authorization": "Bearer token-of-bob"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as stream:
        assert any(line.startswith(b"event: rendering") for line in stream)
        act(ann, action={"type": "add", "text": "milk"})
        assert any(b'"milk"' in line for line in stream)
