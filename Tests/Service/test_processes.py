"""Isolated flows: few processes for many sessions, one of which is one session's at any moment."""

import contextlib
import os
import pathlib
import random
import signal
import threading
import time

import pytest

from checker import Deed, check
from service import HERE, SEED, Client, Service, until

PROCESSES = 4
SESSIONS = int(os.environ.get("SESSIONS", "200"))
ROUNDS = int(os.environ.get("ROUNDS", "5"))


def is_alive(number):
    """Whether a process is more than an entry in a table: one that was killed stays there until it is asked for."""
    try:
        return pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def children(service, name=None):
    """The processes of a service, by their names: those of scripts, and the one from which they are forked."""
    found = []
    for task in pathlib.Path(f"/proc/{service.process.pid}/task").iterdir():
        try:
            numbers = (task / "children").read_text().split()
        except OSError:
            continue
        for number in map(int, numbers):
            try:
                title = pathlib.Path(f"/proc/{number}/comm").read_text().strip()
            except OSError:
                continue
            if name in (None, title) and is_alive(number):
                found.append(number)
    return found


def kill(number):
    with contextlib.suppress(ProcessLookupError):
        os.kill(number, signal.SIGKILL)


@pytest.fixture
def serve(tmp_path):
    services = []

    def start(*flows, options=()):
        services.append(Service(*flows, "--store", tmp_path / "sessions.db", "--isolate", *options))
        return services[-1], Client(services[-1].port)

    yield start
    for service in services:
        assert service.stop() == 0, "".join(service.errors)


def metric(client, name):
    for line in client.get("/metrics").text.decode().splitlines():
        if line.startswith(name + " "):
            return float(line.split()[1])


class Clients:
    """A client for each session, all of which do something a few times."""

    def __init__(self, port, work):
        self.wrong = []
        self.threads = [
            threading.Thread(target=self.run, args=[number, port, work]) for number in range(SESSIONS)]

    def run(self, number, port, work):
        try:
            work(number, Client(port))
        except Exception as error:
            self.wrong.append(f"{number}: {error!r}")

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        for thread in self.threads:
            thread.join()

    @property
    def are_done(self):
        return not any(thread.is_alive() for thread in self.threads)


@pytest.mark.parametrize("kills", [False, True], ids=["in-peace", "killed"])
def test_few_processes_play_many_sessions(serve, tmp_path, kills):
    service, client = serve(HERE / "chain.lua", options=["--processes", PROCESSES])
    deeds = [[] for _ in range(SESSIONS)]

    def work(number, client):
        name = f"s{number}"
        assert client.keep_posting("/sessions", {"flow": "chain", "id": name}).status == 201
        for value in range(ROUNDS):
            deed = Deed(number, name, value, time.monotonic())
            deeds[number].append(deed)
            answer = client.keep_posting(f"/sessions/{name}/actions", {"action": {"type": "add", "value": value}})
            assert answer.status == 200, answer.text
            deed.ended = time.monotonic()
            deed.step, deed.rendering = answer.body["step"], answer.body["rendering"]
            deed.outputs = answer.body["outputs"]

    numbers = random.Random(SEED)
    most = done = 0
    with Clients(service.port, work) as clients:
        while not clients.are_done:
            most = max(most, len(children(service, "flow-script")))
            # The zygote may be the one that is killed, too.
            alive = children(service)
            if kills and alive and sum(map(len, deeds)) >= done:
                done = sum(map(len, deeds)) + numbers.randint(1, 30)
                kill(numbers.choice(alive))
            time.sleep(0.002)
    assert not clients.wrong, "\n".join(clients.wrong[:20])
    assert 0 < most <= PROCESSES
    wrong = check([deed for own in deeds for deed in own], tmp_path / "sessions.db")
    assert not wrong, "\n".join(wrong[:20])
    # A process rests a little later than its request is answered.
    until(lambda: metric(client, "workflow_script_processes_at_work") == 0)
    assert metric(client, "workflow_script_processes") == PROCESSES
    assert metric(client, "workflow_script_process_handovers_total") > SESSIONS
    if kills:
        assert metric(client, "workflow_script_process_deaths_total") > 0
    else:
        assert metric(client, "workflow_script_process_deaths_total") == 0


def test_a_flow_that_evades_all_limits_costs_one_request(serve):
    """One instruction of it takes minutes. Other sessions are asked meanwhile, and it goes on afterwards."""
    service, client = serve(
        HERE / "chain.lua", HERE / "stall.lua", options=["--processes", 2, "--max-time", 5])
    client.post("/sessions", {"flow": "stall", "id": "hostile"})
    for number in range(3):
        assert client.post("/sessions", {"flow": "chain", "id": f"s{number}"}).status == 201
    assert client.post("/sessions/hostile/actions", {"action": {"type": "add"}}).body["rendering"] == {"count": 1}

    for _ in range(2):
        answers = []
        stalling = threading.Thread(target=lambda: answers.append(Client(service.port).post(
            "/sessions/hostile/actions", {"action": {"type": "stall"}})))
        stalling.start()
        until(lambda: metric(client, "workflow_script_processes_at_work"))
        done = 0
        while stalling.is_alive():
            stalling.join(0.05)
            answer = client.post(f"/sessions/s{done % 3}/actions", {"action": {"type": "add", "value": done}})
            assert answer.status == 200, answer.text
            done += 1
        assert done > 1
        assert answers[0].status == 503
        assert answers[0].headers["Content-Type"] == "application/problem+json"
        assert answers[0].body["code"] == "process_ended"
        assert "did not come back within 6.0 seconds" in answers[0].body["detail"]

    answer = client.post("/sessions/hostile/actions", {"action": {"type": "add"}})
    assert answer.status == 200
    assert answer.body["rendering"] == {"count": 2}
    assert metric(client, "workflow_script_process_deaths_total") == 2


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGSYS, signal.SIGSTOP])
def test_whatever_ends_a_process_costs_one_request_at_most(serve, number):
    # One that has stopped is given up when the time of a call is over, in which all others end.
    service, client = serve(HERE / "chain.lua", options=["--processes", 2, "--max-time", 5])
    for name in "ab":
        assert client.post("/sessions", {"flow": "chain", "id": name}).status == 201
        assert client.post(f"/sessions/{name}/actions", {"action": {"type": "add", "value": 1}}).status == 200
    zygote = children(service, "flow-zygote")
    for process in children(service, "flow-script"):
        os.kill(process, number)
    for name in "ab":
        answers = [client.post(f"/sessions/{name}/actions", {"action": {"type": "add", "value": 2}})]
        if answers[0].status == 503:
            assert answers[0].body["code"] == "process_ended"
            answers.append(client.post(f"/sessions/{name}/actions", {"action": {"type": "add", "value": 2}}))
        assert answers[-1].status == 200, answers[-1].text
        assert answers[-1].body["step"] == 2
    # After a crash nothing is forked from the same zygote; addresses are others then.
    has_crashed = number in (signal.SIGSEGV, signal.SIGSYS)
    assert (children(service, "flow-zygote") != zygote) == has_crashed


def test_who_cannot_have_a_process_is_told_so(serve):
    service, client = serve(HERE / "stall.lua", options=["--processes", 1])
    for name in "ab":
        assert client.post("/sessions", {"flow": "stall", "id": name}).status == 201
    answers = []
    stalling = threading.Thread(target=lambda: answers.append(Client(service.port).post(
        "/sessions/a/actions", {"action": {"type": "stall"}})))
    stalling.start()
    until(lambda: metric(client, "workflow_script_processes_at_work"))
    answer = client.post("/sessions/b/actions", {"action": {"type": "add"}})
    assert answer.status == 503
    assert answer.body["code"] == "no_process"
    assert answer.headers["Retry-After"] == "1"
    # What only looks needs none.
    assert client.get("/sessions/b").status == 200
    for process in children(service, "flow-script"):
        kill(process)
    stalling.join()
    assert answers[0].body["code"] == "process_ended"
    assert client.post("/sessions/b/actions", {"action": {"type": "add"}}).status == 200
