"""A client of Python that is not ours, dap-python, drives the debugger at a port."""

import re
import subprocess

import dap
import pydantic
import pytest
from dap.base import ErrorResponse
from dap.events import OutputEvent, StoppedEvent

from adapter import PATIENCE, PATIENT, RUN, TODO, Adapter, recording

STEPS = 'add{ text = "milk" }\nadd{ text = "tea" }\nrows[2].toggle\nrows[1].toggle\nrows[2].toggle\n'


class Handler(dap.handler.Handler):
    """Mends what dap-python has otherwise than the protocol: ids of breakpoints are numbers, and an answer without a body
    is no whole message within itself."""

    def handle_event(self, event):
        if event.event == "stopped" and "hitBreakpointIds" in event.body:
            event.body["hitBreakpointIds"] = [str(number) for number in event.body["hitBreakpointIds"]]
        return super().handle_event(event)

    def handle_response(self, response):
        try:
            return super().handle_response(response)
        except pydantic.ValidationError:
            assert response.success and not response.body, response
            return response


class Client:
    """Sends what dap-python makes of requests, and waits for what it makes of answers."""

    def __init__(self, port):
        self.connection = dap.Connection("127.0.0.1", port)
        self.connection.start()
        self.dap = dap.Client("workflow")
        self.dap.handler = Handler(self.dap)
        self.seen = []
        self.coming = iter(())

    def next(self):
        while True:
            for message in self.coming:
                self.seen.append(message)
                return message
            data = self.connection.out_queue.get(timeout=PATIENCE)
            self.coming = iter(list(self.dap.receive(data)))

    def flush(self):
        self.connection.write(self.dap.send())

    def wait(self, kind, fits=lambda _: True):
        self.flush()
        while True:
            message = self.next()
            if isinstance(message, kind) and fits(message):
                return message
            assert not isinstance(message, ErrorResponse), message

    def stop(self):
        return self.wait(StoppedEvent)

    def place(self):
        self.dap.stack_trace(1)
        trace = self.wait(dap.responses.StackTraceResponse)
        frame = trace.stackFrames[0]
        return frame.line, frame.name

    def move(self, send):
        send(1)
        self.stop()
        return self.place()


@pytest.fixture
def port():
    process = subprocess.Popen([RUN, "debug", "--port", "0", *PATIENT], stdout=subprocess.PIPE, text=True)
    yield int(re.search(r":(\d+)", process.stdout.readline())[1])
    process.kill()
    process.wait()


def begin(port, path, **arguments):
    client = Client(port)
    client.wait(dap.responses.Initialized)
    client.dap.send_request("launch", {"program": str(path), "flow": str(TODO), **arguments})
    client.wait(dap.events.InitializedEvent)
    return client


def test_it_goes_both_ways(port, tmp_path):
    client = begin(port, recording(tmp_path, STEPS))
    client.dap.set_breakpoints(
        {"path": str(TODO)}, [{"line": 31}])
    answer = client.wait(dap.responses.SetBreakpointsResponse)
    assert [(b.verified, b.line) for b in answer.breakpoints] == [(True, 31)]
    client.dap.configuration_done()
    assert client.stop().reason == "breakpoint"
    assert client.place() == (31, "apply.toggle of todo")
    assert client.move(client.dap.next)[0] == 32
    assert client.move(client.dap.step_back) == (31, "apply.toggle of todo")
    assert client.move(client.dap.continue_)[0] == 31
    client.dap.evaluate("item.text", frame_id=1, context="watch")
    assert client.wait(dap.responses.EvaluateResponse).result == '"milk"'
    assert client.move(client.dap.reverse_continue)[0] == 31
    client.dap.evaluate("item.text", frame_id=1, context="hover")
    assert client.wait(dap.responses.EvaluateResponse).result == '"tea"'


def test_data_breakpoints(port, tmp_path):
    client = begin(port, recording(tmp_path, STEPS))
    client.dap.set_breakpoints({"path": str(TODO)}, [{"line": 31, "hitCondition": "3"}])
    client.dap.configuration_done()
    client.stop()
    client.place()
    client.dap.data_breakpoint_info("state.items[2].done")
    info = client.wait(dap.responses.DataBreakpointInfoResponse)
    client.dap.set_data_breakpoints([{"dataId": info.dataId}])
    client.wait(dap.responses.SetDataBreakpointsResponse)
    client.dap.reverse_continue(1)
    stopped = client.stop()
    assert (stopped.reason, stopped.text) == ("data breakpoint", "false → true")
    assert client.place() == (31, "apply.toggle of todo")


def test_the_variables_are_paged(port, tmp_path):
    lines = "".join(f'add{{ text = "item {n}" }}\n' for n in range(40))
    client = begin(port, recording(tmp_path, lines), at=40)
    client.dap.configuration_done()
    client.stop()
    client.place()
    client.dap.scopes(1)
    scopes = {s.name: s.variablesReference for s in client.wait(dap.responses.ScopesResponse).scopes}
    client.dap.variables(scopes["State"])
    items = next(v for v in client.wait(dap.responses.VariablesResponse).variables if v.name == "items")
    client.dap.variables(items.variablesReference, "indexed", 10, 3)
    page = client.wait(dap.responses.VariablesResponse).variables
    assert [v.name for v in page] == ["[11]", "[12]", "[13]"]


def test_completions_and_what_the_console_knows(port, tmp_path):
    client = begin(port, recording(tmp_path, STEPS), at=3)
    client.dap.configuration_done()
    client.stop()
    client.dap.completions(".wh", 4, 1, frame_id=1)
    assert [t.label for t in client.wait(dap.responses.CompletionsResponse).targets] == [".why"]
    client.dap.evaluate(".why rows[2].done", frame_id=1, context="repl")
    assert "written at    todo.lua:31" in client.wait(dap.responses.EvaluateResponse).result


def test_variables_of_a_frame_say_where_they_come_from(tmp_path):
    with Adapter() as adapter:
        adapter.begin(
            "launch", {"program": str(recording(tmp_path, STEPS)), "at": 3}, {TODO: [{"line": 31}, {"line": 66}]})
        assert adapter.stop()[0] == "entry"
        assert adapter.go("continue")[:2] == ("breakpoint", 31)
        said = adapter.value(".why item.done", "repl")
        assert said.startswith("  item.done   false ") and "since step 3" in said
        assert "written at  todo.lua:30 " in said
        assert "which read  state.items[2].done of todo  since step 2" in said
        assert "which read  action" not in said
        assert adapter.go("continue")[:2] == ("breakpoint", 66)
        said = adapter.value(".why done", "repl")
        assert "written at  todo.lua:63 " in said
        assert [line.split()[2] for line in said.splitlines() if "which read" in line] == [
            "state.items[1].done", "state.items[2].done"]
        assert adapter.value(".why #rows", "repl").startswith("  #rows       2 ")
        # The frame has no such variable.
        assert "rendered by" in adapter.value(".why title", "repl")


def test_log_points_tell_the_past(port, tmp_path):
    client = begin(port, recording(tmp_path, STEPS))
    client.dap.set_breakpoints(
        {"path": str(TODO)}, [{"line": 31, "logMessage": "{item.text}"}])
    client.dap.configuration_done()
    client.stop()
    logged = [m for m in client.seen if isinstance(m, OutputEvent)]
    assert [(m.output, m.line) for m in logged] == [("tea\n", 31), ("milk\n", 31), ("tea\n", 31)]
