"""A service that is replaced while it is used, behind a balancer that knows nothing of it but /readyz."""

import csv
import http.client
import http.server
import os
import random
import shutil
import subprocess
import threading
import time
import urllib.request
import uuid

import pytest

from checker import is_postgres
from service import HERE, PATIENCE, SEED, Client, Service, free_port, until

HAPROXY = shutil.which("haproxy") or "/usr/sbin/haproxy"
CONFIGURATION = """
defaults
    mode http
    timeout connect 60s
    timeout client 600s
    timeout server 600s
    timeout check 60s
    option redispatch
    retries 3
frontend all
    bind 127.0.0.1:{port}
    default_backend services
frontend told
    bind 127.0.0.1:{told}
    stats enable
    stats uri /
backend services
    option httpchk GET /readyz
    default-server check inter 500ms fall 1 rise 1
    server one 127.0.0.1:{one}
    server two 127.0.0.1:{two}
"""


def are_used(told):
    """Whether the balancer uses both services."""
    with urllib.request.urlopen(f"http://127.0.0.1:{told}/;csv") as answer:
        rows = list(csv.DictReader(answer.read().decode().removeprefix("# ").splitlines()))
    return all(row["status"] == "UP" for row in rows if row["svname"] in ("one", "two"))


@pytest.mark.skipif(not shutil.which(HAPROXY), reason="haproxy is not installed")
def test_no_request_fails_while_services_are_replaced(store, tmp_path):
    ports = free_port(), free_port()
    # Time enough for the balancer to notice.
    options = ["--store", store, "--drain-delay", "5"]
    start = lambda port: Service(HERE / "chain.lua", *options, port=port)
    services = [start(port) for port in ports]
    front, told = free_port(), free_port()
    (tmp_path / "haproxy.cfg").write_text(
        CONFIGURATION.format(port=front, told=told, one=ports[0], two=ports[1]))
    balancer = subprocess.Popen([HAPROXY, "-f", tmp_path / "haproxy.cfg"], stderr=subprocess.DEVNULL)
    client = Client(front)
    while True:
        try:
            if client.get("/readyz").status == 200:
                break
        except (OSError, http.client.HTTPException):
            pass
        time.sleep(0.05)
    sessions = [f"s{number}" for number in range(4)]
    for session in sessions:
        answer = client.post("/sessions", {"flow": "chain", "id": session})
        assert answer.status == 201, (answer.headers, answer.text)
    answers, is_over = [], threading.Event()

    def load(session):
        own = Client(front)
        value = 0
        # They do not take all of the processor from what runs beside.
        while not is_over.wait(0.03):
            value += 1
            try:
                answer = own.post(f"/sessions/{session}/actions", {"action": {"type": "add", "value": value}},
                                  Idempotency_Key=str(uuid.uuid4()))
                answers.append((session, answer.status, answer.body.get("step")))
            except (OSError, http.client.HTTPException) as error:
                answers.append((session, repr(error), None))

    threads = [threading.Thread(target=load, args=[session]) for session in sessions]
    for thread in threads:
        thread.start()
    try:
        # It takes some seconds each time, and what the store does not do is the same.
        for _ in range(1 if is_postgres(store) else 3):
            for index, port in enumerate(ports):
                count = len(answers)
                while len(answers) < count + 100:
                    time.sleep(0.01)
                assert services[index].stop() == 0
                services[index] = start(port)
                until(lambda: are_used(told))
    finally:
        is_over.set()
        for thread in threads:
            thread.join()
    failed = [answer for answer in answers if answer[1] != 200]
    assert failed == [], f"{len(failed)} of {len(answers)}"
    for session in sessions:
        assert [step for name, _, step in answers if name == session] == list(
            range(1, 1 + sum(name == session for name, _, _ in answers)))
    balancer.terminate()
    for service in services:
        assert service.stop() == 0


# With a number of rounds the machine should be idle: each timer must be in time then.
ROUNDS = int(os.environ.get("ROUNDS", "0"))
ERRANDS = [f"e{number}" for number in range(12)]


class Numbers(http.server.BaseHTTPRequestHandler):
    """Answers a path with its last part, after a while."""

    def do_GET(self):
        time.sleep(random.uniform(0, 1))
        body = self.path.rsplit("/", 1)[1].encode()
        try:
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            # A worker that was cancelled does not wait for it.
            pass

    def log_message(self, *_):
        pass


class Errands:
    """Clients that leave notes in sessions whose workers run, at any of the services that is there."""

    def __init__(self, ports):
        self.ports = ports
        self.notes = {session: [] for session in ERRANDS}
        self.wrong = []
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=self.run, args=[session]) for session in ERRANDS]

    def run(self, session):
        numbers = random.Random(f"{SEED} {session}")
        while not self.is_over.wait(numbers.uniform(0, 0.4)):
            note = len(self.notes[session])
            answer = ask_any(
                self.ports, "POST", f"/sessions/{session}/actions",
                {"action": {"type": "note", "value": note}}, Idempotency_Key=str(uuid.uuid4()))
            if answer.status != 200:
                self.wrong.append(f"{session}, note {note}: {answer.status} {answer.text}")
                return
            self.notes[session].append(note)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        for thread in self.threads:
            thread.join()


def ask_any(ports, *request, **headers):
    """Asks services in turn until one answers."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        client = Client(random.choice(ports))
        try:
            answer = client.ask(*request, **headers)
            if answer.status not in (409, 429, 503) or answer.status == 409 and answer.body["code"] not in (
                    "conflict", "in_flight"):
                return answer
        except (OSError, http.client.HTTPException):
            pass
        finally:
            client.close()
        time.sleep(0.02)
    raise AssertionError(f"nobody answers {request}")


def test_what_slept_or_ran_at_a_service_that_ended_goes_on_at_the_other(store):
    numbers = random.Random(SEED)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Numbers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    host = f"127.0.0.1:{server.server_address[1]}"
    ports = [free_port(), free_port()]
    start = lambda port: Service(
        HERE / "errands.lua", "--store", store, "--allow", f"http={host}",
        "--max-rate", "100000", port=port)
    services = [start(port) for port in ports]
    for index, session in enumerate(ERRANDS):
        assert Client(ports[index % 2]).post("/sessions", {
            "flow": "errands", "id": session,
            "props": {"url": f"http://{host}/{session}", "seconds": 0.1 * (1 + index)},
        }).status == 201
    state = lambda session: ask_any(ports, "GET", f"/sessions/{session}").body["rendering"]
    fetched = lambda: sum(len(state(session)["fetched"]) for session in ERRANDS)
    with Errands(ports) as load:
        for number in range(ROUNDS or 4):
            # The one that stays has to go on with all that the other one had.
            count = fetched()
            until(lambda: fetched() >= count + len(ERRANDS) or load.wrong)
            ended = number % 2
            if numbers.random() < 0.5:
                services[ended].kill()
            else:
                assert services[ended].stop() == 0
            before = {session: len(state(session)["late"]) for session in ERRANDS}
            until(lambda: load.wrong or all(len(state(session)["late"]) > before[session] for session in ERRANDS))
            services[ended] = start(ports[ended])
    late = []
    for session in ERRANDS:
        rendering = state(session)
        assert rendering["fetched"] == list(range(1, len(rendering["fetched"]) + 1)), session
        assert rendering["notes"] == load.notes[session], session
        late += rendering["late"]
    assert not load.wrong, "\n".join(load.wrong[:5])
    late.sort()
    print(f"{len(late)} timers, late by {late[len(late) // 2]} ms at the median and {late[-1]} ms at most")
    assert not ROUNDS or late[-1] <= 2000
    for service in services:
        assert service.stop() == 0
    server.shutdown()
