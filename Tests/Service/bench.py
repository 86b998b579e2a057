"""Measures `workflow-run serve`; Scripts/bench serve runs it. What is compared is measured by turns, in one run."""

import asyncio
import os
import pathlib
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import uuid

from load import Latencies
from service import HERE, Client, Service

ADD = {"action": {"type": "add", "value": 1}}
WRK = """
local number, body = 0, '{"action":{"type":"add","value":1}}'
function setup(thread) number = number + 1; thread:set("number", number) end
function init() math.randomseed(os.time() * 100 + number); made = 0 end
function request()
    made = made + 1
    return wrk.format("POST", "/sessions/SESSION/actions", {
        ["Content-Type"] = "application/json",
        ["Idempotency-Key"] = string.format("%08x-%04x-4000-8000-%012x", math.random(0, 2^31 - 1), number, made),
    }, body)
end
function response(status) if status ~= 200 then bad = (bad or 0) + 1 end end
"""


def milliseconds(seconds):
    return f"{seconds * 1000:.2f} ms"


def timed(body):
    begun = time.perf_counter()
    body()
    return time.perf_counter() - begun


class BareStore:
    """The same rows in the same kind of file, without anything around them."""

    def __init__(self, path):
        self.database = sqlite3.connect(path, isolation_level=None)
        self.database.executescript("""
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            CREATE TABLE session (number INTEGER PRIMARY KEY, version INTEGER, step INTEGER);
            CREATE TABLE input (session INTEGER, step INTEGER, document TEXT, PRIMARY KEY (session, step)) WITHOUT ROWID;
            INSERT INTO session VALUES (1, 0, 0);""")
        self.step = 0

    def commit(self):
        self.step += 1
        self.database.execute("BEGIN IMMEDIATE")
        self.database.execute("UPDATE session SET version = version + 1, step = ? WHERE number = 1", [self.step])
        self.database.execute("INSERT INTO input VALUES (1, ?, ?)", [self.step, '{"action":{"type":"add","value":1}}'])
        self.database.execute("COMMIT")


def one_at_a_time(service, folder):
    bare = BareStore(folder / "bare.db")
    client = Client(service.port, service.token)
    client.post("/sessions", {"flow": "chain", "id": "alone"})

    def act():
        answer = client.post("/sessions/alone/actions", ADD, Idempotency_Key=str(uuid.uuid4()))
        assert answer.status == 200, answer.text

    alone, commits = [], []
    for _ in range(10):
        alone += [timed(act) for _ in range(50)]
        commits += [timed(bare.commit) for _ in range(50)]
    median, base = statistics.median(alone), statistics.median(commits)
    print(f"one at a time: {Latencies(alone)}; bare commit {milliseconds(base)}: + {milliseconds(median - base)}")


def connections(sessions):
    return 64 if sessions == 1 else sessions


def steps(client, session):
    return client.get(f"/sessions/{session}").body["of"]


def keep(service, folder, sessions, seconds):
    """How many actions as many sessions keep, in what time, and what wrk tells: one has 64 connections, each of many has one."""
    client = Client(service.port, service.token)
    names = [f"many-{sessions}-{number}" for number in range(sessions)]
    for name in names:
        client.post("/sessions", {"flow": "chain", "id": name})
    # One wrk plays one session or all of them in turn.
    script = folder / "load.lua"
    text = WRK
    if sessions > 1:
        text = text.replace('"/sessions/SESSION/actions"', f'"/sessions/many-{sessions}-" .. made % {sessions} .. "/actions"')
    script.write_text(text.replace("SESSION", names[0]))
    before = sum(steps(client, name) for name in names)
    begun = time.perf_counter()
    report = subprocess.run(
        ["wrk", "-t1", f"-c{connections(sessions)}", f"-d{seconds}s", "--latency", "-s", script, f"http://127.0.0.1:{service.port}"],
        capture_output=True, text=True, check=True).stdout
    took = time.perf_counter() - begun
    return sum(steps(client, name) for name in names) - before, took, report


def many(service, folder, sessions, seconds=5):
    kept, took, report = keep(service, folder, sessions, seconds)
    client = Client(service.port, service.token)
    metrics = client.get("/metrics").text.decode()
    commits = float(metrics.split("workflow_commit_changes_count ")[1].split()[0])
    latency = " ".join(line.strip() for line in report.splitlines() if "50%" in line or "99%" in line)
    failed = [line for line in report.splitlines() if "Non-2xx" in line]
    print(f"{sessions} session(s), {connections(sessions)} at once: {kept / took:.0f} actions/s kept in {commits / took:.0f} commits/s, "
          f"{latency} {failed or ''}")


def bytes_an_action(service, store):
    client = Client(service.port, service.token)
    client.post("/sessions", {"flow": "chain", "id": "small"})

    def size():
        with sqlite3.connect(store) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return os.path.getsize(store)

    before = size()
    for _ in range(2000):
        client.post("/sessions/small/actions", ADD, Idempotency_Key=str(uuid.uuid4()))
    print(f"stored: {(size() - before) / 2000:.0f} bytes an action with its key")


async def readers(service, count, actions=20):
    client = Client(service.port, service.token)
    client.post("/sessions", {"flow": "chain", "id": "watched"})
    step = steps(client, "watched")
    seen = {}

    async def read():
        reader, writer = await asyncio.open_connection("127.0.0.1", service.port, limit=1 << 20)
        token = f"Authorization: Bearer {service.token}\r\n" if service.token else ""
        writer.write(f"GET /sessions/watched/events HTTP/1.1\r\nHost: 127.0.0.1\r\n{token}\r\n".encode())
        while line := await reader.readline():
            if not line.startswith(b"id: "):
                continue
            # STEP.OUTPUTS.VERSION: that of a rendering has no outputs of the step that comes next.
            step, outputs, _ = line[4:].split(b".")
            if outputs == b"0":
                seen.setdefault(int(step), []).append(time.perf_counter())

    tasks = []
    for _ in range(count):
        tasks.append(asyncio.create_task(read()))
        if len(tasks) % 50 == 0:
            await asyncio.sleep(0.05)
    while len(seen.get(step, [])) < count:
        await asyncio.sleep(0.05)
    late, answers = [], []
    loop = asyncio.get_running_loop()
    for _ in range(actions):
        begun = time.perf_counter()
        answer = await loop.run_in_executor(None, lambda: client.post("/sessions/watched/actions", ADD))
        answered = time.perf_counter()
        answers.append(answered - begun)
        step = answer.body["step"]
        while len(seen.get(step, [])) < count:
            await asyncio.sleep(0.005)
        late += [moment - answered for moment in seen[step]]
    for task in tasks:
        task.cancel()
    print(f"{count} readers: the action is answered after {Latencies(answers)}; they are told after that: {Latencies(late)}")


def memory(service):
    for line in pathlib.Path(f"/proc/{service.process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024


def start(folder):
    """From the start of the process until it answers."""
    flow = HERE / "chain.lua"
    times = []
    for number in range(10):
        begun = time.perf_counter()
        service = Service(flow, "--store", folder / f"empty-{number}.db")
        Client(service.port).get("/readyz")
        times.append(time.perf_counter() - begun)
        service.stop()
    print(f"start to ready, with a store that is made: {milliseconds(statistics.median(times))}")


def main(wanted):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="bench-", dir=os.environ.get("BENCH_FOLDER")))
    try:
        start(folder) if not wanted or "start" in wanted else None
        store = folder / "sessions.db"
        service = Service(HERE / "chain.lua", "--store", store, "--max-rate", 1000000, "--max-streams", 2000,
                          "--max-connections", 4000)
        print(f"memory: {memory(service):.1f} MB at the start")
        try:
            measures = {
                "alone": lambda: one_at_a_time(service, folder), "hot": lambda: many(service, folder, 1),
                "many": lambda: many(service, folder, 32), "bytes": lambda: bytes_an_action(service, store),
                "readers": lambda: asyncio.run(readers(service, 1000)),
            }
            for name, measure in measures.items():
                if not wanted or name in wanted:
                    measure()
            print(f"memory: {memory(service):.1f} MB at the end")
        finally:
            service.stop()
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
