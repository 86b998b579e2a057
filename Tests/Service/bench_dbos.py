"""Measures a service on PostgreSQL beside DBOS and beside a bare statement; `Scripts/bench serve dbos` runs it.

All use one server, with the settings that PostgreSQL has of itself, by turns in one run. They share the processors of this
computer with the clients. ROUNDS is how many turns there are (5 unless it is set).
"""

import concurrent.futures
import contextlib
import importlib.metadata
import os
import pathlib
import statistics
import tempfile
import time
import uuid

import dbos
import psycopg

import postgres
from bench import ADD, keep
from load import Latencies
from service import HERE, Client, Service

ROUNDS = int(os.environ.get("ROUNDS", "5"))
SECONDS = 3
STEPS = 50
TICKS = os.sysconf("SC_CLK_TCK")
# The rows of an action with a key, and nothing that a service needs to be sure of them.
BARE = """
    WITH c AS (
        SELECT * FROM unnest(%b::bigint[], %b::bigint[], %b::text[]) AS c (number, step, key)
    ), updated AS (
        UPDATE workflow.session t SET version = version + 1, step = c.step, step_count = c.step, updated = 1764000000000
        FROM c WHERE t.number = c.number AND t.step = c.step - 1
    ), inputs AS (
        INSERT INTO workflow.input
        SELECT number, step, 1764000000000, '{"action":{"type":"add","value":1}}' FROM c
    )
    INSERT INTO workflow.receipt SELECT number, key, 4711, step, 1, step, false, 1764000000000 FROM c"""


@dbos.DBOS.step()
def step(value):
    return value + 1


@dbos.DBOS.workflow()
def steps(count):
    taken = []
    for value in range(count):
        begun = time.perf_counter()
        step(value)
        taken.append(time.perf_counter() - begun)
    return taken


def processor_time(process):
    """Seconds of a process and of its children, whether these have ended or not."""
    total = 0
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            number, rest = stat.parent.name, stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if number == str(process):
            total += sum(map(int, rest[11:15]))
        elif rest[1] == str(process):
            total += sum(map(int, rest[11:13]))
    return total / TICKS


def workflows_at_once(threads, cores):
    """How many steps are done in a second by the threads of this process, on some cores."""
    all_cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    begun = time.perf_counter()

    def work(_):
        done = 0
        while time.perf_counter() < begun + SECONDS:
            done += len(steps(STEPS))
        return done

    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        done = sum(pool.map(work, range(threads)))
    os.sched_setaffinity(0, all_cores)
    return done / (time.perf_counter() - begun)


class Bare:
    def __init__(self, store, sessions):
        service = start(store)
        client = Client(service.port)
        for number in range(sessions):
            assert client.post("/sessions", {"flow": "chain", "id": f"bare-{number}"}).status == 201
        service.stop()
        self.numbers, self.step = list(range(1, sessions + 1)), 0
        self.connection = psycopg.connect(store, autocommit=True)

    def store(self):
        self.step += 1
        keys = [os.urandom(18).hex() for _ in self.numbers]
        stored = self.connection.execute(BARE, [self.numbers, [self.step] * len(keys), keys], prepare=True).rowcount
        assert stored == len(keys)
        return stored

    def keep(self):
        kept, begun = 0, time.perf_counter()
        while (taken := time.perf_counter() - begun) < SECONDS:
            kept += self.store()
        return kept, taken


def start(store):
    return Service(HERE / "chain.lua", "--store", store, "--max-rate", 1000000, "--max-connections", 4000)


def measure(closing):
    folder = pathlib.Path(closing.enter_context(tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER"))))
    folder.chmod(0o755)
    server = postgres.Server(has_port=True, parent=folder, is_small=False)
    closing.callback(server.remove)
    new = lambda: server.uri(server.create())
    bare = Bare(new(), 512)
    closing.callback(bare.connection.close)
    # A connection for each thread.
    dbos.DBOS(config={"name": "bench", "system_database_url": new(), "sys_db_pool_size": 40, "log_level": "ERROR"})
    dbos.DBOS.launch()
    closing.callback(dbos.DBOS.destroy)
    service = start(new())
    closing.callback(service.kill)
    client = Client(service.port)
    assert client.post("/sessions", {"flow": "chain", "id": "alone"}).status == 201

    def act(_):
        begun = time.perf_counter()
        assert client.post("/sessions/alone/actions", ADD, Idempotency_Key=str(uuid.uuid4())).status == 200
        return time.perf_counter() - begun

    def keep_with_costs(sessions):
        spent = lambda: [processor_time(service.process.pid), processor_time(server.process.pid), os.times().children_user +
                         os.times().children_system]
        before = spent()
        kept, took, _ = keep(service, folder, sessions, SECONDS)
        return kept / took, [(after - before) / kept * 1e6 for before, after in zip(before, spent())]

    # One core does more in Python than several, whose threads fight for its lock.
    cores = {"DBOS": os.sched_getaffinity(0), "DBOS on a core": {min(os.sched_getaffinity(0))}}
    # What is first done takes longer.
    steps(STEPS), workflows_at_once(32, cores["DBOS"]), bare.keep(), [act(None) for _ in range(STEPS)]
    keep_with_costs(32), keep_with_costs(512)
    alone, rates, costs = {"DBOS": [], "ours": []}, {name: [] for name in [*cores, "32", "bare", "512"]}, []
    for number in range(ROUNDS):
        alone["DBOS"] += steps(STEPS)
        alone["ours"] += map(act, range(STEPS))
        for name, its_cores in cores.items():
            rates[name].append(workflows_at_once(32, its_cores))
        rates["32"].append(keep_with_costs(32)[0])
        kept, took = bare.keep()
        rates["bare"].append(kept / took)
        rate, cost = keep_with_costs(512)
        rates["512"].append(rate)
        costs.append(cost)
        print(f"round {number + 1}:", ", ".join(f"{name} {values[-1]:.0f}/s" for name, values in rates.items()),
              ", ".join(f"{one:.0f} µs" for one in cost), f"load {os.getloadavg()[0]:.1f}", flush=True)
    theirs, ours = Latencies(alone["DBOS"]), Latencies(alone["ours"])
    median = {name: statistics.median(values) for name, values in rates.items()}
    version = importlib.metadata.version("dbos")
    print(f"one at a time: a step of DBOS {version} {theirs}; an action {ours}: "
          f"{ours.quantile(0.5) / theirs.quantile(0.5):.2f} of it at the median")
    print(f"32 at once: {median['32']:.0f} actions a second;",
          ", ".join(f"{median[name]:.0f} steps of {name}: {median['32'] / median[name]:.1f} times" for name in cores))
    print(f"512 at once: {median['bare']:.0f} a second by the bare statement, {median['512']:.0f} actions: "
          f"{100 * median['512'] / median['bare']:.0f} %")
    service_cost, database, clients = (statistics.median(one) for one in zip(*costs))
    print(f"time of processors for one of these: {service_cost:.0f} µs of the service, {database:.0f} of the database, "
          f"{clients:.0f} of the clients")


if __name__ == "__main__":
    with contextlib.ExitStack() as closing:
        measure(closing)
