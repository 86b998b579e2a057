"""A pooler between a service and PostgreSQL that gives each transaction whatever connection is free."""

import os
import shutil
import subprocess

import pytest

import checker
import postgres as servers
from service import free_port, until
from test_kills import KILLS, run

POOLER = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"
CONFIGURATION = """
[databases]
* = host={folder} user=workflow
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
"""


@pytest.mark.skipif(not shutil.which(POOLER), reason="pgbouncer is not installed")
def test_nothing_is_lost_or_doubled_behind_a_pooler(postgres, monkeypatch):
    folder, port = postgres.folder / "pooler", free_port()
    folder.mkdir()
    (folder / "pgbouncer.ini").write_text(CONFIGURATION.format(folder=postgres.folder, port=port))
    if os.geteuid() == 0:
        shutil.chown(folder, servers.USER)
    pooler = subprocess.Popen(
        [*postgres.as_user(POOLER), folder / "pgbouncer.ini"], cwd=folder, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    try:
        database = postgres.create()
        pooled, direct = postgres.uri(database, port=port), postgres.uri(database)

        def answers():
            assert pooler.poll() is None, "the pooler has ended"
            # It takes no option of a connection, and so not that with which the rest is asked.
            return subprocess.run([servers.find("psql"), "--dbname", pooled, "--command", "SELECT 1"],
                                  capture_output=True).returncode == 0

        until(answers)
        monkeypatch.setattr("test_kills.check", lambda deeds, store: checker.check(deeds, direct))
        wrong, deeds = run(pooled, KILLS)
        assert not wrong, "\n".join(wrong[:20])
        assert len(deeds) > KILLS * 5
    finally:
        pooler.terminate()
        pooler.wait()
