"""Starts `workflow-run serve`, or the program WORKFLOW_SERVE (.build/debug/workflow-serve), and talks to it as clients do."""

import http.client
import json
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import threading
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
SERVE = os.environ.get("WORKFLOW_SERVE", str(ROOT / ".build/debug/workflow-serve"))
# The seconds after which what is waited for does not come any more. However busy the machine is, it comes earlier.
# A test that waits so long fails before it is ended as a whole, so that it can say what it has waited for.
PATIENCE = 400
# What a test chooses at random, it chooses alike again for the same seed.
# The processes that tests run in have one seed.
SEED = int(os.environ.setdefault("SEED", str(random.randrange(1 << 32))))


def until(holds):
    end = time.monotonic() + PATIENCE
    while not (found := holds()):
        assert time.monotonic() < end, "it never came to hold"
        time.sleep(0.01)
    return found


def free_port():
    """A port for a server that is restarted: none of those that the system gives to clients, which would take it."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


def threads_of(process):
    lines = []
    for thread in sorted(pathlib.Path(f"/proc/{process}/task").glob("*")):
        try:
            told = [(thread / name).read_text().strip() for name in ["comm", "wchan", "syscall"]]
        except OSError as error:
            told = [str(error)]
        lines.append(f"{thread.name}: {' '.join(told)}\n")
    return "".join(lines)


class Service:
    def __init__(self, *arguments, port=0, folder=None, open_to_all=True, files=None, under=()):
        options = ["--open-to-all"] if open_to_all else []
        # However slow the machine is, a call may take its time, and a connection may rest.
        for option, seconds in [("--max-time", PATIENCE), ("--idle", 3600)]:
            if option not in arguments:
                options += [option, str(seconds)]
        limit = ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh"] if files else []
        self.process = subprocess.Popen(
            [*under, *limit, SERVE, *map(str, arguments), *options, "--port", str(port)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            cwd=folder)
        self.errors = []
        for line in self.process.stderr:
            self.errors.append(line)
            if found := re.search(r"(https?)://[^\s:/]+:(\d+)(?:\S*#token=(\S+))?", line):
                self.port = int(found[2])
                self.token = found[3]
                break
        else:
            raise AssertionError("".join(self.errors))
        threading.Thread(target=lambda: self.errors.extend(self.process.stderr), daemon=True).start()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Ends it as an administrator would; gives its status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it does not end\n{threads_of(self.process.pid)}{''.join(self.errors)}") from None


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.text = response.read()

    @property
    def body(self):
        return json.loads(self.text)


class Client:
    """One connection to a service, at a port of this computer or an address of another; it is made again when it is lost."""

    def __init__(self, port, token=None, timeout=PATIENCE):
        self.address = port if isinstance(port, tuple) else ("127.0.0.1", port)
        self.token, self.timeout = token, timeout
        self.connection = None

    def ask(self, method, path, body=None, **headers):
        """Sends a request once; whatever keeps it from being answered is an OSError or an HTTPException."""
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            fields["Authorization"] = f"Bearer {self.token}"
        if body is not None:
            body = json.dumps(body)
            fields["Content-Type"] = "application/json"
        if self.connection is None:
            self.connection = http.client.HTTPConnection(*self.address, timeout=self.timeout)
        try:
            self.connection.request(method, path, body, fields)
            return Answer(self.connection.getresponse())
        except (OSError, http.client.HTTPException) as error:
            self.close()
            if isinstance(error, TimeoutError) and self.timeout == PATIENCE:
                raise AssertionError(f"{method} {path} is not answered") from error
            raise

    def close(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def get(self, path, **headers):
        return self.ask("GET", path, **headers)

    def post(self, path, body=None, **headers):
        return self.ask("POST", path, {} if body is None else body, **headers)

    def keep_posting(self, path, body, until=None):
        """Sends a request under one key until it is answered; gives None if that never was, by the time `until`."""
        key = str(uuid.uuid4())
        while until is None or time.monotonic() < until:
            try:
                answer = self.post(path, body, Idempotency_Key=key)
                if answer.status not in (429, 502, 503, 504) and not (
                        answer.status == 409 and answer.body["code"] == "in_flight"):
                    return answer
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(random.uniform(0.002, 0.02))
        return None
