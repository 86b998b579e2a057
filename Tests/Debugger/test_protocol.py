"""What the debugger does, and that each of its messages is one of the protocol, whatever it is asked."""

import json
import os
import random
import subprocess

import pytest

from adapter import PATIENCE, PATIENT, ROOT, RUN, TODO, Adapter, recording

STEPS = 'add{ text = "milk" }\nadd{ text = "tea" }\nrows[2].toggle\nrows[1].toggle\nrows[2].toggle\n'
CHECKOUT = ROOT / "Examples/checkout/checkout.lua"

FAILING = """
local Flow = { name = "failing", state = { n = 0, kept = "" } }
Flow.apply = {
    try = function(state)
        local fine, message = pcall(function()
            error("not today")
        end)
        state.kept = message
    end,
    handled = function(state)
        xpcall(function() error("in a handler") end, function(message)
            return message
        end)
        state.n = state.n + 1
    end,
    resumed = function(state)
        local thread = coroutine.create(function()
            local nothing
            return nothing.field
        end)
        coroutine.resume(thread)
        state.n = state.n + 1
    end,
    fine = function(state) state.n = state.n + 1 end,
    spin = function() while true do end end,
    fail = function() error("and out") end,
}
function Flow.render(state, context)
    return { n = state.n, kept = state.kept }
end
return Flow
"""


@pytest.fixture
def failing(tmp_path):
    path = tmp_path / "failing.lua"
    path.write_text(FAILING)
    return path


def line(text):
    return next(n for n, found in enumerate(FAILING.splitlines(), 1) if text in found)


def test_todo_both_ways(tmp_path):
    with Adapter() as adapter:
        adapter.begin(
            "launch", {"program": str(recording(tmp_path, STEPS)), "flow": str(TODO)}, {TODO: [{"line": 31}]})
        assert adapter.stop() == ("breakpoint", 31, "apply.toggle of todo")
        assert adapter.value("item.done") == "false"
        assert adapter.go("next")[1] == 32
        assert adapter.go("stepBack")[1] == 31
        assert adapter.value("item.done") == "false"
        adapter.go("continue")
        adapter.go("continue")
        assert adapter.value("item.done") == "true"
        assert adapter.go("reverseContinue") == ("breakpoint", 31, "apply.toggle of todo")
        assert adapter.value("item.text") == '"milk"'


def test_a_failure_of_checkout(tmp_path):
    path = recording(tmp_path, "pay\n", CHECKOUT)
    with Adapter() as adapter:
        adapter.begin("launch", {"program": str(path), "flow": str(CHECKOUT)}, filters=["failed"])
        assert adapter.stop() == ("exception", 32, "apply.pay of checkout")
        info = adapter.body("exceptionInfo", {"threadId": 1})
        assert info["details"]["message"] == "the cart is empty"
        assert "checkout.lua:32" in info["description"]
        assert adapter.go("stepBack")[0] == "step"


@pytest.mark.parametrize(
    ("action", "place", "message"),
    [
        ("try", "error(\"not today\")", "not today"),
        ("handled", "error(\"in a handler\")", "in a handler"),
        ("resumed", "return nothing.field", "attempt to index a nil value"),
    ])
def test_an_error_that_is_caught_stops(failing, tmp_path, action, place, message):
    path = recording(tmp_path, f"fine\n{action}\nfine\n{action}\n", failing)
    with Adapter() as adapter:
        adapter.begin("launch", {"program": str(path)}, filters=["caught"])
        for _ in range(2):
            assert adapter.stop()[:2] == ("exception", line(place))
            info = adapter.body("exceptionInfo", {"threadId": 1})
            assert info["breakMode"] == "always" and message in info["description"]
            adapter.body("continue", {"threadId": 1})
        assert adapter.stop()[0] == "end"
        assert adapter.go("reverseContinue")[:2] == ("exception", line(place))


def test_without_the_filter_nothing_that_is_caught_stops(failing, tmp_path):
    path = recording(tmp_path, "try\nhandled\nresumed\n", failing)
    with Adapter() as adapter:
        adapter.begin("launch", {"program": str(path)}, filters=["failed", "limit"])
        assert adapter.stop()[0] == "end"


def test_a_limit_stops(failing, tmp_path):
    limits = ("--max-instructions", "100000", "--max-time", "600")
    path = recording(tmp_path, "fail\nfine\nspin\n", failing, "s.jsonl", *limits)
    with Adapter(*limits) as adapter:
        adapter.begin("launch", {"program": str(path)}, filters=["limit"])
        assert adapter.stop()[:2] == ("exception", line("while true"))
        assert adapter.body("exceptionInfo", {"threadId": 1})["exceptionId"] == "instruction_limit"


def test_a_limit_of_time_stops_where_an_action_was_sent(failing):
    with Adapter("--max-time", "1") as adapter:
        adapter.begin("launch", {"program": str(failing)}, filters=["failed"])
        sent = adapter.send("evaluate", {"expression": "spin", "context": "repl"})
        assert adapter.stop()[:2] == ("exception", line("while true"))
        adapter.body("threads")
        answer = next(m for m in adapter.messages if m.get("request_seq") == sent)
        assert not answer["success"] and "stopped after 1 s" in answer["message"], answer


def test_a_command_that_searches_lets_no_request_wait(tmp_path):
    flow = tmp_path / "flow.lua"
    flow.write_text("""
        return {
            state = { n = 0 },
            apply = { spin = function() while true do end end },
            render = function(state, context)
                return { spin = context:sink("spin"), lost = state.n > 0 and 1 or nil }
            end,
        }
        """)
    with Adapter() as adapter:
        adapter.begin("launch", {"program": str(flow)})
        search = adapter.send("evaluate", {"expression": ".why not lost", "context": "repl"})
        adapter.body("threads")
        adapter.body("completions", {"text": ".why lo", "column": 8})
        # One that waits for its turn is cancelled alone.
        others = [adapter.send("evaluate", {"expression": line, "context": "repl"}) for line in (".help", ".state")]
        for other in reversed(others):
            adapter.body("cancel", {"requestId": other})
            answer = next(m for m in adapter.messages if m.get("request_seq") == other)
            assert answer["message"] == "cancelled", answer
        adapter.body("threads")
        assert not [m for m in adapter.messages if m.get("request_seq") == search]
        # It may not have begun when it is first cancelled.
        while not (answers := [m for m in adapter.messages if m.get("request_seq") == search]):
            adapter.body("cancel", {"requestId": search})
        assert not answers[0]["success"], answers
        assert ".why [not] [path]" in adapter.value(".help", "repl")


@pytest.mark.parametrize("command", ["pause", "disconnect"])
def test_a_launch_whose_actions_never_end_is_hurried(failing, command):
    with Adapter() as adapter:
        adapter.body("initialize", {"adapterID": "workflow", "linesStartAt1": True})
        launch = adapter.send("launch", {"program": str(failing), "actions": ["fine", "spin", "spin"]})
        hurry = adapter.send(command)
        launched = adapter.until(lambda m: m.get("request_seq") == launch)
        assert adapter.until(lambda m: m.get("request_seq") == hurry)["success"]
        # What comes while the file is loaded keeps it from being loaded.
        if command == "pause" and launched["success"]:
            adapter.body("configurationDone")
            assert adapter.stop()[0] == "pause"


def test_nothing_is_done_for_a_client_that_has_died(failing):
    """However long its last request would take, the debugger ends."""
    process = subprocess.Popen([RUN, "debug", *PATIENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for number, (command, arguments) in enumerate([
            ("initialize", {"adapterID": "workflow"}),
            ("launch", {"program": str(failing), "actions": ["spin"]})], 1):
        body = json.dumps(
            {"seq": number, "type": "request", "command": command, "arguments": arguments}).encode()
        process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    process.stdin.flush()
    assert b"Content-Length" in process.stdout.readline()
    process.stdin.close()
    process.stdout.close()
    assert process.wait(PATIENCE / 2) == 0


def test_what_the_console_takes(tmp_path):
    with Adapter() as adapter:
        adapter.begin(
            "launch", {"program": str(recording(tmp_path, STEPS)), "flow": str(TODO)}, {TODO: [{"line": 31}]})
        adapter.stop()
        assert "written at    todo.lua:31" in adapter.value(".why rows[2].done", "repl")
        assert "'state.editing' is false" in adapter.value(".why not rows[1].rename", "repl")
        assert adapter.value(".tree", "repl").splitlines()[0].strip().startswith("todo")
        assert "next_id" in adapter.value(".state", "repl")
        assert "3  todo" in adapter.value(".log todo.lua:31: {item.text}", "repl")
        assert ".why [not] [path]" in adapter.value(".help", "repl")
        assert "is not for the console" in adapter.value(".undo", "repl")
        assert "there is no command '.wyh'" in adapter.value(".wyh", "repl")
        targets = adapter.body("completions", {"text": ".why ro", "column": 8, "frameId": 1})["targets"]
        assert [(t["label"], t["start"], t["length"]) for t in targets] == [("rows", 5, 2)]


# What is asked at random: known requests with arguments that are odd, and unknown ones.
ODD = [None, 0, 1, -1, 2**31, 2**63 - 1, 2**63, -(2**64), 1.5, "", "x", "a" * 5000, "\u0000", "é🙂", [], {}, [{}], [None], True, {"a": []}]
COMMANDS = [
    "initialize", "setBreakpoints", "setFunctionBreakpoints", "setExceptionBreakpoints", "setDataBreakpoints",
    "dataBreakpointInfo", "breakpointLocations", "threads", "stackTrace", "scopes", "variables", "evaluate",
    "completions", "exceptionInfo", "loadedSources", "source", "continue", "next", "stepIn", "stepOut", "stepBack",
    "reverseContinue", "restartFrame", "restart", "pause", "cancel", "launch", "attach", "configurationDone", "goto", "gotoTargets",
    "setVariable", "readMemory", "", "🙂",
]
FIELDS = [
    "source", "breakpoints", "lines", "line", "endLine", "name", "variablesReference", "frameId", "threadId",
    "startFrame", "levels", "start", "count", "filter", "filters", "expression", "context", "text", "column",
    "granularity", "condition", "hitCondition", "logMessage", "dataId", "program", "socket", "sourceReference", "path", "targetId",
    "requestId",
]
SEEDS = [int(os.environ["SEED"])] if "SEED" in os.environ else range(int(os.environ.get("SEEDS", "6")))


def odd(numbers, depth=0):
    kind = numbers.random()
    if depth < 3 and kind < 0.25:
        return {numbers.choice(FIELDS): odd(numbers, depth + 1) for _ in range(numbers.randrange(4))}
    if depth < 3 and kind < 0.4:
        return [odd(numbers, depth + 1) for _ in range(numbers.randrange(4))]
    if kind < 0.6:
        return numbers.choice(["item", "state.items", ".why rows", ".", "..", ".log", "=1", "rows[1]", "add", "1 +", "{", "% 0"])
    return numbers.choice(ODD)


@pytest.mark.parametrize("seed", SEEDS)
def test_odd_requests_get_valid_answers(seed, tmp_path):
    numbers = random.Random(seed)
    with Adapter() as adapter:
        adapter.begin(
            "launch", {"program": str(recording(tmp_path, STEPS)), "flow": str(TODO)}, {TODO: [{"line": 31}]})
        first = adapter.last + 1
        for _ in range(1000):
            command = numbers.choice(COMMANDS)
            if numbers.random() < 0.1:
                adapter.send(command, odd(numbers))
                continue
            arguments = {name: odd(numbers) for name in numbers.sample(FIELDS, numbers.randrange(6))}
            answer = adapter.ask(command, arguments)
            assert answer["success"] or answer["message"], answer
        # Commands of the console are answered beside the others.
        asked = set(range(first, adapter.last + 1))
        while asked - {m.get("request_seq") for m in adapter.messages}:
            adapter.next()
        answers = [m["request_seq"] for m in adapter.messages if m["type"] == "response" and m["request_seq"] in asked]
        assert sorted(answers) == sorted(asked)
        # Whatever that was, it still works.
        adapter.body("setBreakpoints", {"source": {"path": str(TODO)}, "breakpoints": [{"line": 31}]})
        adapter.body("setDataBreakpoints", {"breakpoints": []})
        adapter.body("setFunctionBreakpoints", {"breakpoints": []})
        adapter.body("setExceptionBreakpoints", {"filters": []})
        adapter.body("restart")
        adapter.until(lambda m: m.get("event") == "stopped" and m["body"]["description"] in ("breakpoint", "pause"))


@pytest.mark.parametrize("seed", SEEDS)
def test_odd_bytes_end_nothing(seed):
    numbers = random.Random(seed)
    with Adapter() as adapter:
        pieces = [
            b"Content-Length: 5\r\n\r\n[1,2]", b"Content-Length: -1\r\n\r\n", b"Content-Length: 2\r\n\r\n{}", b"\r\n\r\n",
            b"Content-Length: 99999999999999999999\r\n\r\n", b"X: y\r\n\r\n", b"Content-Length: 3\r\n\r\n\xff\xfe\xfd",
            b"Content-Length: 0\r\n\r\n", json.dumps({"type": "request"}).encode() + b"\r\n\r\n",
        ]
        for _ in range(60):
            adapter.process.stdin.write(numbers.choice(pieces))
        adapter.process.stdin.flush()
        assert adapter.ask("initialize", {"adapterID": "x"})["success"]


def test_a_hit_of_a_line_is_gone_to(tmp_path):
    lines = 'add{ text = "milk" }\nadd{ text = "tea" }\nrows[2].toggle\nrows[1].toggle\n'
    with Adapter() as adapter:
        adapter.begin("launch", {"program": str(recording(tmp_path, lines)), "stopOnEntry": True})
        adapter.stop()
        source = {"path": str(TODO)}
        targets = adapter.body("gotoTargets", {"source": source, "line": 31})["targets"]
        assert [target["label"] for target in targets] == ["step 3, toggle", "step 4, toggle"]
        assert adapter.go("goto", targetId=targets[1]["id"]) == ("goto", 31, "apply.toggle of todo")
        assert adapter.value("item.text") == '"milk"'
        targets = adapter.body("gotoTargets", {"source": source, "line": 31})["targets"]
        adapter.go("goto", targetId=targets[0]["id"])
        assert adapter.value("item.text") == '"tea"'
        assert not adapter.ask("goto", {"threadId": 1, "targetId": 9})["success"]
        assert not adapter.ask("gotoTargets", {"source": {"path": "nothing.lua"}, "line": 1})["success"]


def test_lines_that_run_when_a_file_is_loaded_are_not_verified(tmp_path):
    flow = tmp_path / "flow.lua"
    text = """local n = 1
local function up(value)
    return value + n
end
local Flow = {
    state = { n = 0 },
    apply = { up = function(state) state.n = up(state.n) end },
}
function Flow.render(state)
    if state.n > 0 then return { n = state.n } end
    return {}
end
return Flow
"""
    flow.write_text(text)
    with Adapter() as adapter:
        adapter.body("initialize", {"adapterID": "workflow", "linesStartAt1": True})
        adapter.body("launch", {"program": str(flow)})
        lines = range(1, len(text.splitlines()) + 1)
        set_ = adapter.body(
            "setBreakpoints", {"source": {"path": str(flow)}, "breakpoints": [{"line": line} for line in lines]})
        verified = [b["line"] for b in set_["breakpoints"] if b["verified"]]
        assert verified == [3, 4, 7, 10, 11, 12]
        refused = [b["message"] for b in set_["breakpoints"] if not b["verified"]]
        assert all("when the file is loaded" in message for message in refused)


@pytest.mark.parametrize("passes", [True, False])
def test_a_test_is_debugged_whether_it_passes_or_fails(tmp_path, passes):
    (tmp_path / "flow.lua").write_text("""
        return {
            name = "flow", state = { n = 0 },
            apply = { up = function(state)
                state.n = state.n + 1
            end },
            render = function(state) return { n = state.n } end,
        }
        """)
    (tmp_path / "flow_test.lua").write_text(f"""
        local Flow = require "flow"
        it("counts", function()
            local flow = workflow.test(Flow)
            flow:send "up"
            flow:expect_rendering {{ n = {1 if passes else 2} }}
        end)
        """)
    with Adapter() as adapter:
        adapter.begin(
            "launch", {"program": str(tmp_path / "flow_test.lua")}, {tmp_path / "flow.lua": [{"line": 5}]})
        assert adapter.stop() == ("breakpoint", 5, "apply.up of flow")


TESTED = """\
local Flow = { name = "flow", state = { n = 0 } }
Flow.apply = {
    up = function(state)
        state.n = state.n + 1
    end,
}
function Flow.render(state) return { n = state.n } end
return Flow
"""
TEST = """\
local Flow = require "flow"
it("counts", function()
    local flow = workflow.test(Flow)
    local wanted = { n = WANTED }
    flow:send "up"

    flow:send "up"
    flow:expect_rendering(wanted)
end)
"""


@pytest.mark.parametrize("passes", [True, False])
def test_the_lines_of_a_test_are_stopped_in_both_ways(tmp_path, passes):
    """Breakpoints in a test, before what its lines give is played, with steps over and into that and back."""
    (tmp_path / "flow.lua").write_text(TESTED)
    test = tmp_path / "flow_test.lua"
    test.write_text(TEST.replace("WANTED", "2" if passes else "3"))
    with Adapter() as adapter:
        adapter.body("initialize", {"adapterID": "workflow", "linesStartAt1": True})
        adapter.body("launch", {"program": str(test)})
        answer = adapter.body("setBreakpoints", {"source": {"path": str(test)}, "breakpoints": [
            {"line": 6}, {"line": 8}, {"line": 1}, {"line": 5, "condition": "flow.rendering.n == 1"}]})
        assert [(b["verified"], b.get("line")) for b in answer["breakpoints"][:2]] == [(True, 7), (True, 8)]
        assert "when the file is loaded" in answer["breakpoints"][2]["message"]
        adapter.body("setExceptionBreakpoints", {"filters": ["failed"]})
        adapter.body("configurationDone")
        assert adapter.stop() == ("breakpoint", 7, "counts")
        assert adapter.value("rendering.n") == "1" and adapter.value("wanted.n - flow.state.n") == ("1" if passes else "2")
        assert adapter.go("stepBack")[1] == 5
        assert adapter.go("next")[1] == 7
        assert adapter.go("stepIn") == ("step", 4, "apply.up of flow")
        assert [frame["name"] for frame in adapter.frames()] == ["apply.up of flow", "counts", "step 2 of 2, up"]
        assert adapter.go("continue") == ("breakpoint", 8, "counts")
        why = next(m for m in reversed(adapter.messages) if m.get("event") == "stopped")["body"].get("text", "")
        assert why.startswith("" if passes else "the rendering is not as expected\n- n = 3\n+ n = 2")
        assert bool(why) != passes
        assert adapter.go("stepBack") == ("step", 7, "counts")
        assert adapter.go("continue")[1] == 8
        reason, line, _ = adapter.go("continue")
        assert (reason, line) == ("end", 9 if passes else 8)
        for expected in [8, 7, 3] if passes else [7, 3]:
            assert adapter.go("reverseContinue")[1] == expected
        said = "the test 'counts' " + ("passed\n" if passes else "failed at flow_test.lua:8: ")
        assert any(m["body"]["output"].startswith(said) for m in adapter.messages if m.get("event") == "output")


def test_a_condition_that_does_not_end_ends(tmp_path):
    """It stops and says which breakpoint it is, others work, and it is evaluated once alone."""
    flow = tmp_path / "flow.lua"
    flow.write_text("local function spin() while true do end end\n" + TESTED.replace("+ 1", "+ (spin and 1)"))
    with Adapter() as adapter:
        adapter.begin("launch", {"program": str(flow), "actions": ["up", "up", "up"]}, {
            flow: [{"line": 5, "condition": "spin()"}, {"line": 8, "condition": "state.n == 2"}]})
        for line in [5, 5, 8, 5]:
            assert adapter.stop()[:2] == ("breakpoint", line)
            adapter.body("continue", {"threadId": 1})
        said = [m["body"]["output"] for m in adapter.messages if m.get("event") == "output"]
        assert said == ["flow.lua:5: the condition 'spin()' cannot be evaluated: 'spin()' did not end\n"] * 3
