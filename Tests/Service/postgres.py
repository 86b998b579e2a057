"""A PostgreSQL of the tests' own, in a temporary folder, and what its databases hold."""

import glob
import json
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile
import uuid

from service import PATIENCE, free_port, until

# It refuses to be run by root.
USER = next((name for name in ["postgres", "nobody"] if name in {user.pw_name for user in pwd.getpwall()}), None)
# It is small, and one that is ended at once leaves nothing outside of its folder. It does not wait for the disk, which
# matters when a computer crashes, and takes seconds of each start on one that is busy.
SETTINGS = {"shared_buffers": "16MB", "min_wal_size": "32MB", "max_wal_size": "64MB", "max_connections": "60",
            "dynamic_shared_memory_type": "mmap", "fsync": "off"}


def find(program):
    """The path of one of its programs; those of the server are not in the PATH of Debian."""
    found = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{program}"), key=lambda path: float(path.split("/")[4]))
    return shutil.which(program) or (found[-1] if found else None)


IS_INSTALLED = all(find(program) for program in ["initdb", "pg_basebackup", "postgres", "psql"])


def ask(uri, text):
    is_query = text.lstrip().upper().startswith(("SELECT", "WITH"))
    # A row is one line, whatever stands in it.
    command = f"SELECT row_to_json(found) FROM ({text}) AS found" if is_query else text
    ran = subprocess.run(
        [find("psql"), "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set", "ON_ERROR_STOP=1",
         "--dbname", uri, "--command", command],
        env={**os.environ, "PGOPTIONS": "-c search_path=workflow,public"}, capture_output=True, text=True)
    if ran.returncode != 0:
        raise OSError(ran.stderr)
    return [tuple(json.loads(line).values()) for line in ran.stdout.splitlines()] if is_query else []


class Server:
    """A server, which is reached by a socket in its folder and, where it is asked for, at a port.

    It is stopped as its administrators, its crashes and its machine do.
    """

    def __init__(self, has_port=False, parent="/tmp", under=(), is_small=True, **settings):
        self._prepare(has_port, parent, {**(SETTINGS if is_small else {}), **settings})
        self.under = under
        self._run("initdb", "--pgdata", self.data, "--username", "workflow", "--auth", "trust", "--encoding", "UTF8",
                  "--locale", "C", "--no-instructions", "--no-sync", *(["--wal-segsize", "1"] if is_small else []))
        # Whoever reaches it may.
        with open(self.data / "pg_hba.conf", "a") as file:
            file.write("host all all all trust\n")
        self.start()

    def _prepare(self, has_port, parent, settings):
        # The path of a socket may not be long.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="pg-", dir=parent))
        self.data = self.folder / "data"
        self.port = free_port() if has_port else None
        self.settings = settings
        # What runs it.
        self.under = ()
        self.process = None
        if os.geteuid() == 0:
            shutil.chown(self.folder, USER)

    def as_user(self, program, *arguments):
        """What runs a program as the user to whom the folder belongs."""
        user = pwd.getpwnam(USER) if os.geteuid() == 0 else None
        prefix = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"] if user else []
        return [*prefix, find(program) or program, *map(str, arguments)]

    def _run(self, program, *arguments):
        subprocess.run(self.as_user(program, *arguments), cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

    # Starting and stopping

    def start(self):
        settings = {"unix_socket_directories": self.folder, "listen_addresses": "127.0.0.1" if self.port else "",
                    "port": self.port or 5432, **self.settings}
        arguments = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [*self.under, *self.as_user("postgres", "-D", self.data, *arguments)], cwd=self.folder, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, start_new_session=True)
        until(self._answers)

    def _answers(self):
        assert self.process.poll() is None, (self.folder / "log").read_text()
        try:
            ask(self.uri("postgres"), "SELECT 1")
        except OSError:
            return False
        return True

    def stop(self):
        """Ends it as an administrator does: what is under way is broken off, and the connections are closed."""
        self._end(signal.SIGINT)

    def kill(self):
        """Ends it at once; what it had promised it reads from its log when it starts again."""
        self._end(signal.SIGQUIT)

    def _end(self, with_signal):
        if self.process and self.process.poll() is None:
            self.process.send_signal(with_signal)
            self.process.wait(PATIENCE)

    def restart(self, is_killed=False):
        self.kill() if is_killed else self.stop()
        self.start()

    def remove(self):
        self.kill()
        shutil.rmtree(self.folder)

    # Databases

    def uri(self, database, port=None):
        """The address of a database; with a port, by TCP, such as through a proxy."""
        if port := port or self.port:
            return f"postgresql://workflow@127.0.0.1:{port}/{database}"
        return f"postgresql:///{database}?host={self.folder}&user=workflow"

    def create(self):
        name = f"test_{uuid.uuid4().hex}"
        ask(self.uri("postgres"), f"CREATE DATABASE {name}")
        return name

    def ask(self, text, database="postgres"):
        return ask(self.uri(database), text)

    # A standby

    def standby(self, name="standby", port=None):
        """Another server, without which this one acknowledges nothing from now on; it can take its place."""
        other = Server.__new__(Server)
        other._prepare(self.port is not None, self.folder.parent, {**self.settings, "cluster_name": name})
        other.port = port or other.port
        try:
            other._run("pg_basebackup", "--pgdata", other.data, "--write-recovery-conf", "--checkpoint", "fast",
                       "--no-sync", "--dbname", self.uri("postgres"))
            other.start()
            self.ask(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'")
            self.ask("SELECT pg_reload_conf()")
            until(lambda: self.ask("SELECT sync_state FROM pg_stat_replication") == [("sync",)])
        except BaseException:
            other.remove()
            raise
        return other

    def promote(self):
        self.ask("SELECT pg_promote()")
        until(lambda: self.ask("SELECT pg_is_in_recovery()") == [(False,)])
