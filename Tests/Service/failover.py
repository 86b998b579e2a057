"""Measures how long sessions rest when their service is lost or replaced; `Scripts/bench serve failover` runs it.

The machine should be idle. TRIALS is how often a service is lost (50 unless it is set). STORE is the address of an
empty database in place of a PostgreSQL that is started here; "sqlite" is a file.
"""

import http.client
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
import uuid

import postgres
from balancer import HAPROXY, Balancer
from checker import rows
from load import Latencies
from service import HERE, PATIENCE, SEED, Client, Service, free_port, until

TRIALS = int(os.environ.get("TRIALS", "50"))
# Sessions of each trial, which sleep at the service that is lost.
SLEEPERS = 4
FLOWS = HERE / "chain.lua", HERE / "sleeper.lua"
STARTED = []


def start(store, port, *options):
    STARTED.append(Service(*FLOWS, "--store", store, "--max-rate", "100000", *options, port=port))
    return STARTED[-1]


def ask(port, method, path, body=None, timeout=1):
    """Asks one service until it does what it is asked."""
    client, key = Client(port, timeout=timeout), str(uuid.uuid4())
    while True:
        try:
            answer = client.ask(method, path, body, Idempotency_Key=key)
            if answer.status in (200, 201):
                client.close()
                return answer.body
            if answer.status not in (409, 429, 503):
                raise AssertionError(f"{answer.status} {answer.text}")
        except (OSError, http.client.HTTPException):
            pass
        time.sleep(0.005)


def lose(store, is_killed):
    """One service after the other is lost: how long it takes until the other does what it did."""
    numbers = random.Random(SEED)
    ports = [free_port(), free_port()]
    services = [start(store, port) for port in ports]
    acted, woken = [], []
    for trial in range(TRIALS):
        lost, left = trial % 2, 1 - trial % 2
        for port in ports:
            ask(port, "GET", "/readyz")
        # They sleep where they were made. Nobody asks for those whose time comes, as that would wake them.
        acting, due = [], {}
        for number in range(SLEEPERS):
            for is_asked in [True, False]:
                name = f"{is_killed}-{trial}-{number}-{is_asked}"
                seconds = 3600 if is_asked else numbers.uniform(0.3, 1.5)
                if is_asked:
                    acting.append(name)
                else:
                    due[name] = time.time() + seconds
                ask(ports[lost], "POST", "/sessions", {"flow": "sleeper", "id": name, "props": {"seconds": seconds}})
        time.sleep(numbers.uniform(0, 0.25))
        lost_at = time.time()
        services[lost].process.send_signal(signal.SIGKILL if is_killed else signal.SIGSTOP)

        def act(name):
            ask(ports[left], "POST", f"/sessions/{name}/actions", {"action": {"type": "note", "value": trial}})
            acted.append(time.time() - lost_at)

        clients = [threading.Thread(target=act, args=[name]) for name in acting]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        while len(woke := dict(rows(store, f"""
                SELECT id, input.time FROM session JOIN input ON session = number
                WHERE id LIKE '{is_killed}-{trial}-%-False'"""))) < SLEEPERS:
            time.sleep(0.1)
        # What woke before was not left behind.
        woken += [at / 1000 - max(lost_at, due[name]) for name, at in woke.items() if at / 1000 > lost_at]
        if is_killed:
            services[lost].kill()
            services[lost] = start(store, ports[lost])
        else:
            services[lost].process.send_signal(signal.SIGCONT)
    for service in services:
        service.stop()
    how = "killed" if is_killed else "stopped"
    print(f"{TRIALS} services {how}: first action of a session at the other one after {Latencies(acted)}")
    print(f"{TRIALS} services {how}: a timer that was due fires after {Latencies(woken)}", flush=True)


def hand_over(store):
    """Services are replaced in order, behind a balancer: the longest time between two answers, and what failed."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="failover-"))
    ports = [free_port(), free_port()]
    options = ["--drain-delay", "2"]
    services = [start(store, port, *options) for port in ports]
    balancer = Balancer(folder, ports)
    names = [f"over-{number}" for number in range(4)]
    for name in names:
        ask(balancer.port, "POST", "/sessions", {"flow": "chain", "id": name}, timeout=60)
    gaps, failed, taken, is_over = [], [], [], threading.Event()
    moments = [(time.monotonic(), "the start")]
    note = lambda what: moments.append((time.monotonic(), what))

    def place(at):
        before, what = max(moment for moment in moments if moment[0] <= at)
        return f"{(at - before) * 1000:.0f} ms after {what}"

    def load(name):
        client, last = Client(balancer.port), time.monotonic()
        while not is_over.wait(0.01):
            begun = time.monotonic()
            try:
                answer = client.post(f"/sessions/{name}/actions", {"action": {"type": "add", "value": 1}},
                                     Idempotency_Key=str(uuid.uuid4()))
                if answer.status != 200:
                    failed.append(f"{answer.status} {answer.text}, {place(time.monotonic())}")
                    continue
            except (OSError, http.client.HTTPException) as error:
                failed.append(f"{error!r}, {place(time.monotonic())}")
                continue
            now = time.monotonic()
            taken.append(now - begun)
            gaps.append((now - last, now))
            last = now

    clients = [threading.Thread(target=load, args=[name]) for name in names]
    for client in clients:
        client.start()
    rounds = max(1, TRIALS // 5)
    for number in range(rounds):
        time.sleep(1)
        index = number % 2
        note("SIGTERM")
        # A second one would end it at once.
        services[index].process.send_signal(signal.SIGTERM)
        until(lambda: not balancer.uses_both())
        note("the balancer left it")
        assert services[index].process.wait(PATIENCE) == 0
        note("it ended")
        services[index] = start(store, ports[index], *options)
        note("a new one was ready")
        until(balancer.uses_both)
        note("the balancer took that")
    is_over.set()
    for client in clients:
        client.join()
    balancer.stop()
    for service in services:
        service.stop()
    shutil.rmtree(folder)
    longest, at = max(gaps)
    print(f"{rounds} services replaced behind haproxy: {len(taken)} requests, {len(failed)} failed {failed[:3] or ''}, "
          f"the longest time between two answers of a session {longest * 1000:.0f} ms, until {place(at)}; an answer takes "
          f"{Latencies(taken)}", flush=True)


def main(wanted):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="failover-", dir=os.environ.get("BENCH_FOLDER")))
    server, store = None, os.environ.get("STORE")
    if not store:
        server = postgres.Server(fsync="on")
        store = server.uri(server.create())
    elif store == "sqlite":
        store = folder / "sessions.db"
    try:
        measures = {"killed": lambda: lose(store, True), "stopped": lambda: lose(store, False)}
        if shutil.which(HAPROXY):
            measures["handover"] = lambda: hand_over(store)
        for name, measure in measures.items():
            if not wanted or name in wanted:
                measure()
    finally:
        # Those that are left when it has failed.
        for service in STARTED:
            service.kill()
        if server:
            server.remove()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
