"""The file of the sessions: what the service says when it cannot use it, what it leaves, and its copies."""

import re
import shutil
import signal
import sqlite3
import subprocess
import threading

import pytest

from service import HERE, PATIENCE, SERVE, Client, Service, until


def add(client, session, value):
    return client.post(f"/sessions/{session}/actions", {"action": {"type": "add", "value": value}})


def begin(client, session):
    assert client.post("/sessions", {"flow": "chain", "id": session}).status == 201


@pytest.mark.parametrize("suffix", ["", "-wal", "-shm"])
def test_a_service_whose_file_is_gone_ends(tmp_path, suffix):
    store = tmp_path / "sessions.db"
    service = Service(HERE / "chain.lua", "--store", store)
    client = Client(service.port)
    begin(client, "a")
    assert add(client, "a", 1).status == 200
    copy = tmp_path / "away"
    (tmp_path / f"sessions.db{suffix}").rename(copy)
    assert service.process.wait(PATIENCE) == 74
    until(lambda: f"sessions.db{suffix} cannot be opened" in "".join(service.errors))
    # Nothing that was acknowledged is lost.
    if not suffix:
        copy.rename(store)
    with sqlite3.connect(store) as database:
        assert database.execute("SELECT step FROM session").fetchall() == [(1,)]


def test_a_service_that_cannot_store_is_not_ready(tmp_path):
    store = tmp_path / "sessions.db"
    service = Service(HERE / "chain.lua", "--store", store)
    client = Client(service.port)
    begin(client, "a")
    assert client.get("/readyz").status == 200
    database = sqlite3.connect(store, isolation_level=None)
    database.execute("BEGIN IMMEDIATE")
    until(lambda: client.get("/readyz").status == 503)
    assert client.get("/readyz").body["code"] == "busy"
    assert client.get("/healthz").status == 200
    database.execute("ROLLBACK")
    until(lambda: client.get("/readyz").status == 200)
    assert add(client, "a", 1).status == 200
    assert service.stop() == 0


def test_a_service_that_ends_leaves_one_file(tmp_path):
    folder = tmp_path / "store"
    folder.mkdir()
    service = Service(HERE / "chain.lua", "--store", folder / "sessions.db")
    client = Client(service.port)
    begin(client, "a")
    assert add(client, "a", 1).status == 200
    assert service.stop() == 0
    assert [file.name for file in folder.iterdir()] == ["sessions.db"]


def test_a_copy_is_made_while_a_service_runs(tmp_path):
    store = tmp_path / "sessions.db"
    service = Service(HERE / "chain.lua", "--store", store, "--max-rate", "1000000")
    client = Client(service.port)
    begin(client, "a")
    steps, is_over = [0], threading.Event()

    def load():
        own = Client(service.port)
        while not is_over.is_set():
            steps.append(add(own, "a", len(steps)).body["step"])

    thread = threading.Thread(target=load)
    thread.start()
    backup = lambda to: subprocess.run([SERVE, "backup", store, to], capture_output=True, text=True)
    try:
        for number in range(3):
            before = steps[-1]
            done = backup(tmp_path / f"copy{number}.db")
            assert done.returncode == 0, done.stderr
            with sqlite3.connect(tmp_path / f"copy{number}.db") as database:
                assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
                [(step,)] = database.execute("SELECT step FROM session").fetchall()
            assert before <= step <= steps[-1] + 1
    finally:
        is_over.set()
        thread.join()
    again = backup(tmp_path / "copy0.db")
    assert again.returncode == 66 and f"there is a file {tmp_path}/copy0.db already" in again.stderr
    assert backup(tmp_path / "missing" / "copy.db").returncode == 66
    missing = subprocess.run([SERVE, "backup", tmp_path / "no.db", tmp_path / "to.db"], capture_output=True, text=True)
    assert missing.returncode == 66 and not (tmp_path / "to.db").exists()
    assert service.stop() == 0
    # The copy is served as any store is.
    restored = Service(HERE / "chain.lua", "--store", tmp_path / "copy2.db")
    assert add(Client(restored.port), "a", 1).status == 200
    assert restored.stop() == 0


@pytest.mark.skipif(not shutil.which("strace"), reason="strace is not installed")
def test_a_new_store_costs_four_syncs(tmp_path):
    trace = tmp_path / "trace"
    service = subprocess.Popen(
        ["strace", "-f", "-e", "trace=fsync,fdatasync,write", "-o", trace, SERVE, HERE / "chain.lua", "--open-to-all",
         "--port", "0", "--store", tmp_path / "sessions.db"], stderr=subprocess.PIPE, text=True)
    assert "serving" in service.stderr.readline()
    until_served = trace.read_text().split("serving 1 flow")[0]
    child = int(re.search(r"\d+", until_served)[0])
    subprocess.run(["kill", f"-{signal.SIGTERM.value}", str(child)], check=True)
    service.wait(PATIENCE)
    syncs = re.findall(r"(?:fsync|fdatasync)\(", until_served)
    assert 0 < len(syncs) <= 4, until_served
