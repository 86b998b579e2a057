"""Plays a flow from Python, by a program of its own or at the socket of one that plays it already."""

import json
import socket
import subprocess


class Session:
    def __init__(self, reader, writer):
        self.reader, self.writer, self.last_id = reader, writer, 0
        self.rendering, self.outputs = None, []

    @classmethod
    def run(cls, flow, *options):
        command = ["workflow-run", flow, "--json", *options]
        # What goes wrong comes as an event too, so stderr is not shown.
        program = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return cls(program.stdout, program.stdin)

    @classmethod
    def attach(cls, path):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(path)
        return cls(connection.makefile("r"), connection.makefile("w"))

    def events(self):
        """The events as they come; the rendering and the outputs are kept on the way."""
        for line in self.reader:
            event = json.loads(line)
            if event["type"] == "rendering":
                self.rendering = event["rendering"]
            elif event["type"] == "output":
                self.outputs.append(event["output"])
            yield event

    def request(self, do, **fields):
        """Sends a request, and gives the value of its reply, which comes after all that it caused."""
        self.last_id += 1
        self.writer.write(json.dumps({"id": self.last_id, "do": do, **fields}) + "\n")
        self.writer.flush()
        for event in self.events():
            if event["type"] == "reply" and event["id"] == self.last_id:
                if not event["ok"]:
                    raise RuntimeError(event["error"]["message"])
                return event.get("value")
        raise EOFError("the session is over")
