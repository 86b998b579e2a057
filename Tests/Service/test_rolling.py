"""A service that is replaced while it is used, behind a balancer that knows nothing of it but /readyz."""

import http.client
import os
import random
import shutil
import threading
import time
import uuid

import pytest

from balancer import HAPROXY, Balancer
from checker import is_postgres
from errands import ERRANDS, Errands, Server
from service import HERE, SEED, Client, Service, free_port, until


@pytest.mark.skipif(not shutil.which(HAPROXY), reason="haproxy is not installed")
def test_no_request_fails_while_services_are_replaced(store, tmp_path):
    ports = free_port(), free_port()
    # Time enough for the balancer to notice.
    options = ["--store", store, "--drain-delay", "5"]
    start = lambda port: Service(HERE / "chain.lua", *options, port=port)
    services = [start(port) for port in ports]
    balancer = Balancer(tmp_path, ports)
    client = Client(balancer.port)
    sessions = [f"s{number}" for number in range(4)]
    for session in sessions:
        answer = client.post("/sessions", {"flow": "chain", "id": session})
        assert answer.status == 201, (answer.headers, answer.text)
    answers, is_over = [], threading.Event()

    def load(session):
        own = Client(balancer.port)
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
                until(balancer.uses_both)
    finally:
        is_over.set()
        for thread in threads:
            thread.join()
    failed = [answer for answer in answers if answer[1] != 200]
    assert failed == [], f"{len(failed)} of {len(answers)}"
    for session in sessions:
        assert [step for name, _, step in answers if name == session] == list(
            range(1, 1 + sum(name == session for name, _, _ in answers)))
    balancer.stop()
    for service in services:
        assert service.stop() == 0


# With a number of rounds the machine should be idle: each timer must be in time then.
ROUNDS = int(os.environ.get("ROUNDS", "0"))


def test_what_slept_or_ran_at_a_service_that_ended_goes_on_at_the_other(store):
    numbers = random.Random(SEED)
    server = Server()
    ports = [free_port(), free_port()]
    start = lambda port: Service(
        HERE / "errands.lua", "--store", store, "--allow", f"http={server.host}", "--max-rate", "100000", port=port)
    services = [start(port) for port in ports]
    load = Errands(ports)
    load.create(server)
    with load:
        for number in range(ROUNDS or 4):
            # The one that stays has to go on with all that the other one had.
            count = load.fetched()
            until(lambda: load.fetched() >= count + len(ERRANDS) or load.wrong)
            ended = number % 2
            if numbers.random() < 0.5:
                services[ended].kill()
            else:
                assert services[ended].stop() == 0
            before = load.woken()
            until(lambda: load.wrong or all(count > before[session] for session, count in load.woken().items()))
            services[ended] = start(ports[ended])
    wrong, late = load.check()
    assert not wrong, "\n".join(wrong[:5])
    print(f"{len(late)} timers, late by {late[len(late) // 2]} ms at the median and {late[-1]} ms at most")
    assert not ROUNDS or late[-1] <= 2000
    for service in services:
        assert service.stop() == 0
    server.shutdown()
