"""What clients of a service rely on: once, in order, only what was seen, and nothing missed."""

import json
import select
import shutil
import socket
import subprocess
import threading
import time
import urllib.request
import uuid

import pytest

from service import HERE, PATIENCE, ROOT, SERVE, Client, Service, until


@pytest.fixture
def serve(tmp_path):
    services = []

    def start(*flows, options=(), port=0, files=None):
        services.append(
            Service(*flows, "--store", tmp_path / "sessions.db", *options, port=port, files=files))
        return services[-1], Client(services[-1].port)

    yield start
    for service in services:
        if service.process.poll() is None:
            assert service.stop() == 0, "".join(service.errors)


@pytest.fixture
def chain(serve):
    service, client = serve(HERE / "chain.lua")
    assert client.post("/sessions", {"flow": "chain", "id": "s"}).status == 201
    return service, client


def add(client, value, **headers):
    return client.post("/sessions/s/actions", {"action": {"type": "add", "value": value}}, **headers)


def events(port, path, count, found=None, **headers):
    """The first events of a stream: (name, id, data); they are added to `found` as they come."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
    found, name, place = [] if found is None else found, None, None
    end = time.monotonic() + PATIENCE
    with urllib.request.urlopen(request, timeout=PATIENCE) as stream:
        for line in stream:
            # A stream that has nothing to tell says so every few seconds.
            assert time.monotonic() < end, f"{len(found)} of {count} events: {found}"
            field, _, text = line.decode().rstrip("\n").partition(": ")
            if field == "event":
                name = text
            elif field == "id":
                place = text
            elif field == "data":
                found.append((name, place, json.loads(text)))
                name = place = None
                if len(found) == count:
                    return found
    return found


def test_a_request_that_comes_again_is_answered_again(chain):
    _, client = chain
    first = add(client, 5, Idempotency_Key="k")
    assert first.body["step"] == 1 and first.body["outputs"] == [{"sum": 36}]
    add(client, 6)
    again = add(client, 5, Idempotency_Key='"k"')
    assert again.status == 200
    assert again.body["rendering"] == first.body["rendering"] and again.body["outputs"] == first.body["outputs"]
    assert client.get("/sessions/s").body["of"] == 2


def test_a_key_is_for_one_request(chain):
    _, client = chain
    add(client, 5, Idempotency_Key="k")
    other = add(client, 6, Idempotency_Key="k")
    assert (other.status, other.body["code"]) == (422, "key_reused")
    assert client.get("/sessions/s").body["of"] == 1


def test_a_key_whose_step_was_given_up_says_so(chain):
    _, client = chain
    add(client, 5, Idempotency_Key="k")
    client.post("/sessions/s/undo")
    add(client, 6)
    again = add(client, 5, Idempotency_Key="k")
    assert (again.status, again.body["code"]) == (409, "given_up")


def test_a_key_survives_the_service(serve):
    service, client = serve(HERE / "chain.lua")
    client.post("/sessions", {"flow": "chain", "id": "s"})
    first = add(client, 5, Idempotency_Key="k")
    service.kill()
    _, client = serve(HERE / "chain.lua")
    again = add(client, 5, Idempotency_Key="k")
    assert again.body == first.body


def test_a_session_is_begun_once_for_a_key(chain):
    _, client = chain
    first = client.post("/sessions", {"flow": "chain"}, Idempotency_Key="new")
    again = client.post("/sessions", {"flow": "chain"}, Idempotency_Key="new")
    assert first.status == again.status == 201 and first.body == again.body
    assert client.post("/sessions", {"flow": "chain", "props": {"a": 1}}, Idempotency_Key="new").status == 422
    assert client.post("/sessions", {"flow": "chain"}).body["id"] != first.body["id"]


def test_a_branch_is_made_once_for_a_key(chain):
    _, client = chain
    for value in range(3):
        add(client, value)
    first = client.post("/sessions/s/branch", {"step": 2}, Idempotency_Key="b")
    assert first.status == 201, first.text
    assert (first.body["step"], first.body["rendering"]["count"]) == (2, 2)
    again = client.post("/sessions/s/branch", {"step": 2}, Idempotency_Key="b")
    assert again.status == 201 and again.body == first.body
    client.post(f"/sessions/{first.body['id']}/actions", {"action": {"type": "add", "value": 9}})
    assert client.get("/sessions/s").body["of"] == 3


def test_a_stale_screen_is_refused_with_the_present_one(chain):
    _, client = chain
    tag = client.get("/sessions/s").headers["ETag"]
    assert add(client, 1, If_Match=tag).status == 200
    stale = add(client, 2, If_Match=tag)
    assert stale.status == 412
    assert stale.body["session"]["step"] == 1 and stale.body["session"]["rendering"]["count"] == 1
    seen = stale.body["session"]["tag"]
    # A weak tag equals none, and so does a step alone.
    for tag in [f'W/"{seen}"', f'"{seen.split(".")[0]}"', '""']:
        assert add(client, 2, If_Match=tag).status == 412
    for tag in ["1", '"', f'"{seen}" "7"']:
        assert add(client, 2, If_Match=tag).status == 400
    assert add(client, 2, If_Match=f'"7" , , "{seen}"').status == 200
    assert add(client, 3, If_Match="*").status == 200


def test_a_step_that_comes_back_is_another_screen(chain):
    _, client = chain
    seen = {}

    def look(answer):
        tag, rendering = answer.headers["ETag"], answer.body["rendering"]
        assert tag == f'"{answer.body["tag"]}"' and answer.body["tag"].startswith(f'{answer.body["step"]}.')
        assert seen.setdefault(tag, rendering) == rendering
        return tag

    for value in [3, 5]:
        first = look(client.get("/sessions/s"))
        second = look(add(client, value))
        client.post("/sessions/s/undo")
        look(client.get("/sessions/s"))
        look(add(client, value + 1))
        for tag in [first, second]:
            assert client.get("/sessions/s", If_None_Match=tag).status == 200
            for method, path, body in [("POST", "/actions", {"action": {"type": "add", "value": 1}}),
                                       ("POST", "/undo", {}), ("POST", "/branch", {}), ("POST", "/close", {}),
                                       ("DELETE", "", None), ("GET", "", None)]:
                assert client.ask(method, "/sessions/s" + path, body, If_Match=tag).status == 412, (method, path)
        # Closing it changes nothing that is seen.
        last = client.get("/sessions/s").headers["ETag"]
        assert client.post("/sessions/s/close", If_Match=last).status == 204
        assert client.get("/sessions/s", If_None_Match=last).status == 304
        assert client.ask("DELETE", "/sessions/s", If_Match=last).status == 204
        assert client.post("/sessions", {"flow": "chain", "id": "s"}).status == 201


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_the_client_in_javascript_acts_on_what_it_saw(chain, tmp_path):
    service, client = chain
    (tmp_path / "client.mjs").write_bytes(client.get("/client.js").text)
    script = tmp_path / "act.mjs"
    script.write_text("""
        import { connect } from "./client.mjs";
        const session = connect(process.argv[2]).session("s");
        const act = (value, seen) => session.send({ type: "add", value }, { if: seen });
        const first = await session.read();
        const second = await act(1, first);
        await session.undo({ if: second.tag });
        const last = await act(2);
        for (const seen of [first, second, second.tag]) {
            for (const act of ["send", "undo", "branch", "delete"]) {
                const given = { send: [{ type: "add", value: 3 }], branch: [undefined, undefined] }[act] ?? [];
                const refusal = await session[act](...given, { if: seen }).catch((error) => error);
                console.log(act, refusal.status);
            }
        }
        console.log(last.step, (await act(3, last)).step);
        """)
    done = subprocess.run(["node", script, f"http://127.0.0.1:{service.port}"], capture_output=True, text=True,
                          timeout=PATIENCE)
    refusals = [f"{act} 412" for act in ["send", "undo", "branch", "delete"]] * 3
    assert done.stdout.splitlines() == [*refusals, "1 2"], done.stdout + done.stderr


def test_a_request_without_fields_may_have_an_empty_body_of_any_type(chain):
    _, client = chain
    add(client, 1)
    for path, status in [("undo", 200), ("redo", 200), ("retry", 200), ("branch", 201), ("close", 204)]:
        for kind in [None, "application/json", "text/plain", "application/x-www-form-urlencoded"]:
            client.post("/sessions/s/goto", {"step": 1 if path != "redo" else 0})
            headers = {"Content-Type": kind} if kind else {}
            answer = client.ask("POST", f"/sessions/s/{path}", None, Content_Length="0", **headers)
            assert answer.status == status, (path, kind, answer.text)
    assert client.ask("POST", "/sessions", None, Content_Type="application/json", Content_Length="0").status == 400


def test_a_path_is_the_same_however_it_is_written(chain):
    _, client = chain
    add(client, 1)
    assert client.get("/%73essions/%73").body == client.get("/sessions/s").body
    body = {"action": {"type": "add", "value": 2}}
    first = client.post("/sessions/s/actions", body, Idempotency_Key="k")
    assert client.post("/sessions/%73/%61ctions", body, Idempotency_Key="k").body == first.body


def test_a_range_is_ignored(chain):
    _, client = chain
    for path in ["/sessions/s", "/client.js"]:
        whole = client.get(path)
        part = client.get(path, Range="bytes=0-3")
        assert (part.status, part.text) == (200, whole.text)
        assert "Content-Range" not in part.headers and "Accept-Ranges" not in part.headers


def test_who_has_the_present_screen_is_not_sent_it_again(chain):
    _, client = chain
    tag = client.get("/sessions/s").headers["ETag"]
    for known in [tag, f"W/{tag}", f'"7", {tag}', "*"]:
        assert client.get("/sessions/s", If_None_Match=known).status == 304
    assert add(client, 1).status == 200
    assert client.get("/sessions/s", If_None_Match=tag).status == 200


def test_of_many_that_saw_the_same_one_comes_through(chain):
    service, client = chain
    tag = client.get("/sessions/s").headers["ETag"]
    answers = []

    def act(value):
        answers.append(add(Client(service.port), value, If_Match=tag).status)

    threads = [threading.Thread(target=act, args=[value]) for value in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200] + [412] * 15


def test_what_a_flow_refuses_is_not_kept(chain):
    _, client = chain
    refused = client.post("/sessions/s/actions", {"action": {"type": "dance"}}, Idempotency_Key="k")
    assert (refused.status, refused.body["code"]) == (409, "unknown_action")
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert "locals" not in refused.body["error"] and "location" not in refused.body["error"]
    assert client.get("/sessions/s").body["of"] == 0
    assert client.post("/sessions/s/actions", {"action": {"type": "add", "value": "x"}}).status == 409
    assert add(client, 1, Idempotency_Key="k2").body["step"] == 1


@pytest.mark.parametrize("path, body", [
    ("/sessions", {"flow": "chain", "id": "../etc"}), ("/sessions", {"flow": "chain", "id": ""}),
    ("/sessions", {"flow": 5}), ("/sessions", {}), ("/sessions", {"flow": "chain", "prop": {}}),
    ("/sessions/s/actions", {}), ("/sessions/s/actions", {"at": 5}), ("/sessions/s/goto", {}),
    ("/sessions/s/goto", {"step": "x"}), ("/sessions/s/undo", {"step": 1}), ("/sessions/s/props", {"props": 5}),
])
def test_what_cannot_be_read_is_refused_with_a_reason(chain, path, body):
    _, client = chain
    answer = client.post(path, body)
    assert answer.status == 400 and answer.body["code"] == "bad_request" and answer.body["detail"]


def test_readers_are_told_of_each_output_and_of_what_they_missed(chain):
    service, client = chain
    for value in range(5):
        add(client, value)
    name, place, shown = events(service.port, "/sessions/s/events", 1)[0]
    assert (name, place, shown["rendering"]["count"]) == ("rendering", "5.0.6", 5)
    # Steps 3 to 5 were missed, of the third nothing was told; then it goes on.
    seen = []
    reader = threading.Thread(
        target=events, args=[service.port, "/sessions/s/events", 6, seen], kwargs={"Last-Event-ID": "2"})
    reader.start()
    while len(seen) < 4 and reader.is_alive():
        time.sleep(0.001)
    add(client, 7)
    reader.join()
    assert [(name, place) for name, place, _ in seen] == [
        ("output", "2.1.6"), ("output", "3.1.6"), ("output", "4.1.6"), ("rendering", "5.0.6"),
        ("output", "5.1.7"), ("rendering", "6.0.7")]
    sums = [data["output"]["sum"] for name, _, data in seen if name == "output"]
    expected, total = [], 1
    for value in [0, 1, 2, 3, 4, 7]:
        total = (total * 31 + value) % 2147483647
        expected.append(total)
    assert sums == expected[2:]
    # What was told of a step is not told again.
    assert events(service.port, "/sessions/s/events", 1, **{"Last-Event-ID": "5.1"})[0][0] == "rendering"


def test_a_reader_misses_no_output_of_steps_that_took_the_place_of_others(chain):
    service, client = chain
    for value in range(3):
        add(client, value)
    assert events(service.port, "/sessions/s/events", 1)[0][1] == "3.0.4"
    # While nobody reads, steps 2 and 3 are given up for others.
    for path in ["undo", "undo"]:
        assert client.post(f"/sessions/s/{path}").status == 200
    for value in [8, 9]:
        add(client, value)
    missed = events(service.port, "/sessions/s/events", 3, **{"Last-Event-ID": "3.0.4"})
    assert [(name, data["step"]) for name, _, data in missed] == [("output", 2), ("output", 3), ("rendering", 3)]
    assert missed[0][2]["output"]["sum"] == 31 * 31 + 8
    # Whoever has had one of the new ones gets the other.
    assert [data["step"] for _, _, data in events(
        service.port, "/sessions/s/events", 2, **{"Last-Event-ID": missed[0][1]})] == [3, 3]


def test_a_reader_of_a_session_that_was_made_anew_begins_with_it(chain):
    service, client = chain
    for value in range(3):
        add(client, value)
    assert client.ask("DELETE", "/sessions/s").status == 204
    assert client.post("/sessions", {"flow": "chain", "id": "s"}).status == 201
    add(client, 5)
    told = events(service.port, "/sessions/s/events", 2, **{"Last-Event-ID": "3.0.4"})
    assert [(name, place.rpartition(".")[0]) for name, place, _ in told] == [("output", "0.1"), ("rendering", "1.0")]
    # It has no version that the one before had.
    assert all(int(place.rpartition(".")[2]) > 4 for _, place, _ in told)
    assert events(service.port, "/sessions/s/events", 1, **{"Last-Event-ID": ""})[0][:2] == ("rendering", told[1][1])


def test_an_action_that_cannot_be_rendered_is_told_so_each_time(serve, tmp_path):
    flow = tmp_path / "odd.lua"
    flow.write_text("""
        return {
            name = "odd",
            state = function() return { n = 0 } end,
            apply = { add = function(state) state.n = state.n + 1 end },
            render = function(state)
                if state.n == 2 then error("two cannot be shown") end
                return { n = state.n }
            end,
        }
        """)
    _, client = serve(flow)
    client.post("/sessions", {"flow": "odd", "id": "s"})
    act = lambda key: client.post("/sessions/s/actions", {"action": {"type": "add"}}, Idempotency_Key=key)
    assert act("a").body["rendering"] == {"n": 1}
    for _ in range(2):
        answer = act("b")
        assert answer.status == 409 and "two cannot be shown" in answer.body["detail"], answer.text
    # It was applied once, and the flow goes on.
    assert client.get("/sessions/s").body["step"] == 2
    answer = act("c")
    assert (answer.status, answer.body["step"], answer.body["rendering"]) == (200, 3, {"n": 3})


def test_a_flow_decides_who_may_do_what(serve, tmp_path):
    flow = tmp_path / "owned.lua"
    flow.write_text("""
        return {
            name = "owned",
            state = function() return { n = 0 } end,
            apply = { add = function(state) state.n = state.n + 1 end, clear = function(state) state.n = 0 end },
            access = function(principal, what)
                local verb = what["do"]
                return verb == "create" or verb == "read" or verb == "send" and what.action.type == "add"
            end,
            render = function(state) return { n = state.n } end,
        }""")
    _, client = serve(flow)
    client.post("/sessions", {"flow": "owned", "id": "s"})
    assert client.post("/sessions/s/actions", {"action": {"type": "add"}}).status == 200
    refused = client.post("/sessions/s/actions", {"action": {"type": "clear"}})
    assert (refused.status, refused.body["code"]) == (403, "not_granted")
    assert client.post("/sessions/s/undo").status == 403
    assert client.get("/sessions/s").body["rendering"] == {"n": 1}
    assert client.ask("DELETE", "/sessions/s").status == 403


def test_timers_go_on_after_the_service_was_killed(serve, tmp_path):
    flow = tmp_path / "alarm.lua"
    flow.write_text("""
        return {
            name = "alarm",
            state = function() return { rang = false } end,
            apply = { ring = function(state) state.rang = true end },
            render = function(state, context)
                if not state.rang then context:run("clock.after", { seconds = 1 }, { on_output = "ring" }) end
                return { rang = state.rang }
            end,
        }""")
    service, client = serve(flow)
    client.post("/sessions", {"flow": "alarm", "id": "s"})
    service.kill()
    service, client = serve(flow)
    # Nobody asks for the session but to see whether it rang: it is woken by itself.
    until(lambda: [one for one in client.get("/sessions").body["sessions"] if one["of"] == 1])
    assert client.get("/sessions/s").body["rendering"] == {"rang": True}


def test_a_stream_tells_of_what_another_service_stores(tmp_path):
    store = tmp_path / "sessions.db"
    one, two = (Service(HERE / "chain.lua", "--store", store) for _ in range(2))
    near, far = Client(one.port), Client(two.port)
    assert near.post("/sessions", {"flow": "chain", "id": "s"}).status == 201
    seen = []
    reader = threading.Thread(target=events, args=[one.port, "/sessions/s/events", 8, seen])
    reader.start()
    until(lambda: seen)
    act = lambda client, value: client.post("/sessions/s/actions", {"action": {"type": "add", "value": value}})
    # Each waits until it is seen, so that the next one comes from the other side.
    for number, client in enumerate([far, near, far], 1):
        assert act(client, number).status == 200
        until(lambda: any(name == "rendering" and data["step"] == number for name, _, data in seen))
    # Without an output in between, but with steps that are given up.
    assert far.post("/sessions/s/undo").status == 200
    reader.join()
    assert [name for name, _, _ in seen] == ["rendering"] + ["output", "rendering"] * 3 + ["rendering"]
    assert [data["step"] for name, _, data in seen if name == "output"] == [1, 2, 3]
    assert [data["step"] for name, _, data in seen if name == "rendering"] == [0, 1, 2, 3, 2]
    assert far.ask("DELETE", "/sessions/s").status == 204
    for service in (one, two):
        assert service.stop() == 0


def test_a_stream_whose_events_nobody_wants_takes_no_place(serve):
    service, client = serve(ROOT / "Examples/counter/counter.lua", options=["--max-streams", "1"])
    client.post("/sessions", {"flow": "counter", "id": "c"})
    for _ in range(3):
        head = Client(service.port)
        assert head.ask("HEAD", "/sessions/c/events").status == 200
        head.close()
    until(lambda: b"workflow_open_streams 0\n" in client.get("/metrics").text)


def test_pages_of_sessions_have_each_once(chain):
    _, client = chain
    names = {"s"} | {f"n{number}" for number in range(25)}
    for name in sorted(names - {"s"}):
        client.post("/sessions", {"flow": "chain", "id": name})
    found, after = [], None
    while True:
        page = client.get("/sessions?limit=10" + (f"&after={after}" if after else "")).body
        found += [session["id"] for session in page["sessions"]]
        if "next" not in page:
            break
        after = page["next"]
    assert len(found) == len(names) and set(found) == names
    assert client.ask("DELETE", "/sessions/n3").status == 204
    assert client.get("/sessions/n3").status == 404


def test_a_recording_is_replayed_by_the_program(chain, tmp_path):
    import os
    import subprocess

    _, client = chain
    for value in range(4):
        add(client, value, Idempotency_Key=str(uuid.uuid4()))
    recording = tmp_path / "s.jsonl"
    recording.write_bytes(client.get("/sessions/s/recording").text)
    program = os.environ.get("WORKFLOW_RUN", str(ROOT / ".build/debug/workflow-run"))
    assert subprocess.run([program, "replay", recording, "--flow", HERE / "chain.lua"], capture_output=True).returncode == 0


def test_a_script_that_takes_its_process_down_costs_one_request(serve):
    """With --isolate: whatever a flow does to its process, the service and other sessions go on, and so does it."""
    import os
    import pathlib
    import signal

    service, client = serve(HERE / "chain.lua", options=["--isolate"])

    def children():
        found = []
        for task in pathlib.Path(f"/proc/{service.process.pid}/task").iterdir():
            found += (task / "children").read_text().split()
        return set(found)

    client.post("/sessions", {"flow": "chain", "id": "other"})
    client.post("/sessions/other/actions", {"action": {"type": "add", "value": 1}})
    before = children()
    client.post("/sessions", {"flow": "chain", "id": "s"})
    add(client, 1)
    own = children() - before
    assert own
    for process in own:
        os.kill(int(process), signal.SIGKILL)
    answers = [add(client, 2, Idempotency_Key="k") for _ in range(3)]
    assert answers[-1].status == 200, answers[-1].text
    assert [answer.status for answer in answers[:-1] if answer.status not in (200, 503)] == []
    assert answers[-1].body["step"] == 2
    assert client.post("/sessions/other/actions", {"action": {"type": "add", "value": 2}}).body["step"] == 2


@pytest.mark.parametrize("coding, status", [
    ("Transfer-Encoding: gzip, chunked", 400), ("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", 400),
    ("Transfer-Encoding: chunked", 200), ("Content-Encoding: gzip\r\nTransfer-Encoding: chunked", 415)])
def test_a_body_in_an_unknown_coding_is_refused(chain, coding, status):
    service, client = chain
    body = json.dumps({"action": {"type": "add", "value": 1}})
    with socket.create_connection(("127.0.0.1", service.port)) as connection:
        connection.sendall(
            f"POST /sessions/s/actions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{coding}\r\n\r\n"
            f"{len(body):x}\r\n{body}\r\n0\r\n\r\n".encode())
        assert connection.recv(65536).decode().startswith(f"HTTP/1.1 {status} ")
    assert client.get("/sessions/s").body["step"] == (1 if status == 200 else 0)


def test_a_service_with_few_open_files_refuses_connections_it_has_no_files_for(serve):
    service, client = serve(HERE / "chain.lua", files=160)
    until(lambda: any("fewer connections" in line for line in service.errors))
    connections, waiting = [], set()
    try:
        for _ in range(200):
            connections.append(socket.create_connection(("127.0.0.1", service.port)))
        waiting = set(connections)
        while len(waiting) > 96:
            answered = select.select(waiting, [], [], PATIENCE)[0]
            assert answered
            for connection in answered:
                assert connection.recv(100).startswith(b"HTTP/1.1 503 ")
                waiting.remove(connection)
    finally:
        for connection in connections:
            connection.close()
    # It may learn of the ends of these later than of the next one.
    assert client.keep_posting("/sessions", {"flow": "chain", "id": "s"}).status == 201


def test_who_writes_the_flows_is_said_before_others_are_served(tmp_path):
    def refusal(*options):
        return subprocess.run(
            [SERVE, HERE / "chain.lua", "--store", tmp_path / "s.db", "--port", "0", "--open-to-all", *options],
            capture_output=True, text=True)

    undecided = refusal("--host", "0.0.0.0")
    assert undecided.returncode == 64
    for words in ["who writes the flows served at 0.0.0.0", "--isolate: scripts run in processes", "--trusted-flows: nobody hostile"]:
        assert words in undecided.stderr
    assert refusal("--host", "0.0.0.0", "--isolate", "--trusted-flows").returncode == 64
    for choice in ["--isolate", "--trusted-flows"]:
        service = Service(HERE / "chain.lua", "--store", tmp_path / "s.db", "--host", "0.0.0.0", choice)
        assert Client(service.port).get("/readyz").status == 200
        assert service.stop() == 0
