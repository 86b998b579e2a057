"""Starts `workflow-run debug`, or WORKFLOW_RUN, as editors do. Each message is held against the types of the protocol."""

import json
import os
import pathlib
import queue
import subprocess
import threading

import dap_types
from pydantic import TypeAdapter

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUN = os.environ.get("WORKFLOW_RUN", str(ROOT / ".build/debug/workflow-run"))
TODO = ROOT / "Examples/todo/todo.lua"
# However slow the machine is, a call may take its time.
PATIENT = ("--max-time", "600")
# What keeps a test from waiting forever for what never comes. However busy the machine is, what comes is earlier.
PATIENCE = 600


def model(name):
    return getattr(dap_types, name, None)


def check(message, asked=None):
    """Holds a message of the adapter against the protocol; `asked` is the command that a response answers."""
    assert set(message) <= {"seq", "type", "command", "request_seq", "success", "message", "body", "event"}, message
    if message["type"] == "event":
        name = message["event"]
        kind = model(name[0].upper() + name[1:] + "Event")
        assert kind, f"no such event: {name}"
    else:
        name = message["command"]
        kind = model(name[0].upper() + name[1:] + "Response") if message["success"] else model("ErrorResponse")
        if not message["success"]:
            assert message["message"], message
            known = kind
        else:
            known = kind or model("Response")
        kind = known
    TypeAdapter(kind).validate_python(message, strict=True)


def recording(folder, lines, flow=TODO, name="s.jsonl", *options):
    path = pathlib.Path(folder) / name
    path.unlink(missing_ok=True)
    subprocess.run(
        [RUN, str(flow), "--quiet", "--record", str(path), *PATIENT, *options], input=lines, text=True, check=False,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
    assert path.exists()
    return path


class Adapter:
    def __init__(self, *options, prefix=(), folder=None, checked=True):
        self.process = subprocess.Popen(
            [*prefix, RUN, "debug", *PATIENT, *map(str, options)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, cwd=folder)
        self.checked, self.asked, self.last = checked, {}, 0
        self.messages, self.coming = [], queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        stream = self.process.stdout
        while header := stream.readline():
            length = 0
            while header.strip():
                name, _, value = header.decode().partition(":")
                if name.lower() == "content-length":
                    length = int(value)
                header = stream.readline()
            self.coming.put(json.loads(stream.read(length)))
        self.coming.put(None)

    def write(self, message):
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def send(self, command, arguments=None):
        self.last += 1
        self.asked[self.last] = command
        message = {"seq": self.last, "type": "request", "command": command}
        if arguments is not None:
            message["arguments"] = arguments
        self.write(message)
        return self.last

    def next(self):
        """What it says next; None at the end."""
        message = self.coming.get(timeout=PATIENCE)
        if message is not None:
            self.messages.append(message)
            if self.checked:
                check(message)
        return message

    def until(self, fits):
        while (message := self.next()) is not None:
            if fits(message):
                return message
        raise AssertionError(f"it has ended: {self.process.stderr.read().decode()}")

    def ask(self, command, arguments=None):
        number = self.send(command, arguments)
        return self.until(lambda m: m.get("request_seq") == number)

    def body(self, command, arguments=None):
        """What a request gives, which must not be refused."""
        answer = self.ask(command, arguments)
        assert answer["success"], answer
        return answer.get("body", {})

    def stop(self):
        """Where it stops next: the reason, the line and the name of the frame."""
        event = self.until(lambda m: m.get("event") == "stopped")
        frame = self.frames()[0]
        return event["body"]["description"].partition(":")[0], frame["line"], frame["name"]

    def go(self, command, **arguments):
        self.body(command, {"threadId": 1, **arguments})
        return self.stop()

    def frames(self):
        return self.body("stackTrace", {"threadId": 1})["stackFrames"]

    def value(self, expression, context="watch"):
        answer = self.ask("evaluate", {"expression": expression, "context": context, "frameId": 1})
        return answer["body"]["result"] if answer["success"] else answer["message"]

    def begin(self, command, arguments, breakpoints=None, filters=None, before=()):
        """Opens what is to be debugged, with breakpoints by file, and lets it go."""
        self.body("initialize", {"adapterID": "workflow", "linesStartAt1": True})
        self.body(command, arguments)
        for path, lines in (breakpoints or {}).items():
            self.body("setBreakpoints", {"source": {"path": str(path)}, "breakpoints": lines})
        if filters is not None:
            self.body("setExceptionBreakpoints", {"filters": filters})
        for name, more in before:
            self.body(name, more)
        self.body("configurationDone")
        return self

    def close(self):
        if self.process.poll() is None:
            try:
                self.ask("disconnect")
            except (AssertionError, OSError, queue.Empty):
                self.process.kill()
        self.process.stdin.close()
        return self.process.wait(PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind:
            self.process.kill()
        status = self.close()
        assert kind or status == 0, self.process.stderr.read().decode()
