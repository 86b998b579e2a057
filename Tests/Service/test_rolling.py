"""A service that is replaced while it is used, behind a balancer that knows nothing of it but /readyz."""

import csv
import http.client
import shutil
import socket
import subprocess
import threading
import time
import urllib.request
import uuid

import pytest

from service import HERE, Client, Service, until

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
    default-server check inter 1s fall 1 rise 1
    server one 127.0.0.1:{one}
    server two 127.0.0.1:{two}
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def are_used(told):
    """Whether the balancer uses both services."""
    with urllib.request.urlopen(f"http://127.0.0.1:{told}/;csv") as answer:
        rows = list(csv.DictReader(answer.read().decode().removeprefix("# ").splitlines()))
    return all(row["status"] == "UP" for row in rows if row["svname"] in ("one", "two"))


@pytest.mark.skipif(not shutil.which(HAPROXY), reason="haproxy is not installed")
def test_no_request_fails_while_services_are_replaced(tmp_path):
    ports = free_port(), free_port()
    # Time enough for the balancer to notice.
    options = ["--store", tmp_path / "sessions.db", "--drain-delay", "5"]
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
        while not is_over.is_set():
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
        for _ in range(3):
            for index, port in enumerate(ports):
                count = len(answers)
                while len(answers) < count + 200:
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
