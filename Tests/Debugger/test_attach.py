"""A session that another process plays is looked into by its socket, and does not notice."""

import re
import subprocess

import pytest

from adapter import PATIENCE, PATIENT, RUN, TODO, Adapter

# A coroutine that is made when the file is loaded, long before anybody looks.
KEPT = """
local step = coroutine.wrap(function(n)
    while true do
        local double = n * 2
        n = coroutine.yield(double)
    end
end)
local Kept = { name = "kept", state = { n = 1 } }
Kept.apply = {
    up = function(state)
        state.n = step(state.n)
    end,
    spin = function() while true do end end,
}
function Kept.render(state) return { n = state.n } end
return Kept
"""


class Playing:
    """A flow that is played by a process of its own, at whose socket others attach."""

    def __init__(self, flow, folder, *options):
        self.socket = folder / "s.sock"
        self.process = subprocess.Popen(
            [RUN, "repl", str(flow), "--listen", str(self.socket), *PATIENT, *options], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # It has answered: so it listens.
        self.say('= "ready"')
        self.until(lambda line: "ready" in line)

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, fits):
        for line in self.process.stdout:
            if fits(line):
                return line
        raise AssertionError(self.process.stderr.read())

    def attached(self, *lines):
        """What a REPL that attaches says of some lines."""
        done = subprocess.run(
            [RUN, "attach", str(self.socket)], input="\n".join(lines) + "\n", capture_output=True, text=True,
            timeout=PATIENCE)
        # Who waits for a program on a busy machine says so.
        return done.stdout + re.sub(r"waiting for the program at .*, which is busy\n", "", done.stderr)

    def close(self):
        self.process.stdin.close()
        assert self.process.wait(PATIENCE) == 0


@pytest.fixture
def play(tmp_path):
    playing = []

    def start(flow, *options):
        playing.append(Playing(flow, tmp_path, *options))
        return playing[-1]

    yield start
    for process in playing:
        process.process.kill()
        process.process.wait()


def test_others_go_on_while_one_has_stopped(play):
    todo = play(TODO)
    with Adapter() as adapter:
        adapter.begin("attach", {"socket": str(todo.socket)}, {TODO: [{"line": 31}]})
        todo.say('add{ text = "milk" }')
        todo.say("rows[1].toggle")
        assert adapter.stop() == ("breakpoint", 31, "apply.toggle of todo")
        # It stands there; meanwhile others send and are answered.
        said = todo.attached('add{ text = "tea" }', "= #state.items")
        assert said.splitlines()[-1] == "2"
        todo.say("= state.items[1].done")
        assert "true" in todo.until(lambda line: line.strip() in ("true", "false"))
        assert adapter.value("item.done") == "false"
        # What came meanwhile is found by going on.
        todo.say("rows[2].toggle")
        todo.say("= state.items[2].done")
        todo.until(lambda line: line.strip() == "true")
        assert adapter.go("continue") == ("breakpoint", 31, "apply.toggle of todo")
        assert adapter.value("item.text") == '"tea"'


def test_nothing_happens_to_the_session_if_the_debugger_dies(play):
    todo = play(TODO)
    adapter = Adapter()
    adapter.begin("attach", {"socket": str(todo.socket)}, {TODO: [{"line": 26}]})
    todo.say('add{ text = "milk" }')
    adapter.stop()
    before = todo.attached(".timeline", ".state")
    adapter.process.kill()
    adapter.process.wait()
    after = todo.attached(".timeline", ".state")
    assert before == after
    assert "1 of 1 done" in todo.attached("rows[1].toggle", "= rendering.title")
    todo.close()


def test_a_coroutine_that_was_there_before_is_stopped_in(play, tmp_path):
    flow = tmp_path / "kept.lua"
    flow.write_text(KEPT)
    kept = play(flow)
    kept.say("up")
    kept.say("= state.n")
    kept.until(lambda line: line.strip() == "2")
    inside = KEPT.splitlines().index("        local double = n * 2") + 1
    with Adapter() as adapter:
        adapter.begin("attach", {"socket": str(kept.socket)}, {flow: [{"line": inside}]})
        # It has been there once already.
        reason, at, _ = adapter.stop()
        assert (reason, at) == ("breakpoint", inside)
        adapter.body("continue", {"threadId": 1})
        kept.say("up")
        assert adapter.stop()[:2] == ("breakpoint", inside)
        kept.say("= state.n")
        kept.until(lambda line: line.strip() == "4")


COUNT = """\
local Count = { name = "count", state = { n = 0 }, apply = {} }
function Count.apply.inc(state)
    local before = state.n
    state.n = before + 1
end
function Count.render(state) return { n = state.n } end
return Count
"""


def test_steps_that_were_there_before_are_as_they_were(play, tmp_path):
    flow = tmp_path / "count.lua"
    flow.write_text(COUNT)
    count = play(flow)
    for _ in range(3):
        count.say("inc")
    count.say("= state.n")
    count.until(lambda line: line.strip() == "3")
    with Adapter() as adapter:
        adapter.begin("attach", {"socket": str(count.socket)}, {flow: [{"line": 4}]})
        adapter.stop()
        for before in ["0", "1", "2"]:
            assert adapter.value("before") == before
            adapter.body("continue", {"threadId": 1})
            if before != "2":
                adapter.stop()
        # What is known here is not what happened any more.
        count.say(".undo 2")
        count.say("inc")
        said = adapter.until(lambda message: message.get("event") == "output")
        assert said["body"]["output"].startswith("the session has taken another way after step 1")


def pause_in(adapter, wanted):
    """Pauses until it stops in a call: what was sent may not have come yet."""
    while True:
        adapter.body("pause", {"threadId": 1})
        place = adapter.stop()
        if place[2].startswith(wanted):
            return place
        adapter.body("continue", {"threadId": 1})
        # A pause that comes while it goes on leaves it where it is.
        adapter.body("threads")


def test_a_pause_stops_in_a_loop_that_the_session_does_not_end(play, tmp_path):
    flow = tmp_path / "kept.lua"
    flow.write_text(KEPT)
    kept = play(flow)
    with Adapter() as adapter:
        adapter.begin("attach", {"socket": str(kept.socket)})
        for line in ["up", "up", "spin"]:
            kept.say(line)
        spin = KEPT.splitlines().index("    spin = function() while true do end end,") + 1
        assert pause_in(adapter, "apply.spin") == ("pause", spin, "apply.spin of kept")
        # What came before is there as well.
        assert adapter.frames()[-1]["name"].startswith("step 3 of 3, spin, which is under way")
        assert adapter.value("state.n") == "4"
        # It says again that it has stopped, for whom waits for that.
        adapter.body("pause", {"threadId": 1})
        assert adapter.stop()[2] == "apply.spin of kept"
        # Another attaches, and gives up.
        with Adapter() as other:
            other.body("initialize", {"adapterID": "workflow"})
            attach = other.send("attach", {"socket": str(kept.socket)})
            other.body("disconnect")
            answer = next(m for m in other.messages if m.get("request_seq") == attach)
            assert not answer["success"], answer


def test_a_console_that_waits_for_the_session_is_paused(play, tmp_path):
    flow = tmp_path / "kept.lua"
    flow.write_text(KEPT)
    kept = play(flow)
    with Adapter() as adapter:
        adapter.begin("attach", {"socket": str(kept.socket)})
        sent = adapter.send("evaluate", {"expression": "spin", "context": "repl"})
        assert pause_in(adapter, "apply.spin")[0] == "pause"
        answer = next(m for m in adapter.messages if m.get("request_seq") == sent)
        assert "still busy" in answer["message"], answer


def test_what_was_under_way_is_shown_as_it_ended(play, tmp_path):
    flow = tmp_path / "kept.lua"
    flow.write_text(KEPT)
    kept = play(flow, "--max-time", "2")
    with Adapter() as adapter:
        adapter.begin("attach", {"socket": str(kept.socket)}, filters=["failed"])
        kept.say("spin")
        adapter.body("pause", {"threadId": 1})
        adapter.stop()
        kept.say("up")
        kept.say("= state.n")
        kept.until(lambda line: line.strip() == "2")
        # The call that ran into the limit of time is no step.
        last = ""
        while "up" not in last:
            adapter.body("continue", {"threadId": 1})
            adapter.body("threads")
            adapter.body("pause", {"threadId": 1})
            adapter.stop()
            last = adapter.frames()[-1]["name"]
        assert last == "step 1 of 1, up"


def test_a_failure_of_an_attached_session_stops(play, tmp_path):
    flow = tmp_path / "kept.lua"
    flow.write_text(KEPT.replace("while true do end", 'error("no")'))
    kept = play(flow)
    with Adapter() as adapter:
        adapter.begin("attach", {"socket": str(kept.socket)}, filters=["failed"])
        kept.say("up")
        kept.say("spin")
        reason, _, name = adapter.stop()
        assert (reason, name) == ("exception", "apply.spin of kept")
        assert adapter.body("exceptionInfo", {"threadId": 1})["description"].endswith("no (in apply.spin of kept)")


def test_the_end_of_the_program_ends_debugging(play):
    todo = play(TODO)
    with Adapter() as adapter:
        adapter.begin("attach", {"socket": str(todo.socket)})
        todo.process.kill()
        adapter.until(lambda message: message.get("event") == "terminated")
        said = [m["body"]["output"] for m in adapter.messages if m.get("event") == "output"]
        assert "has ended" in said[-1]


def test_the_console_sends_and_asks(play):
    todo = play(TODO)
    with Adapter() as adapter:
        adapter.begin("attach", {"socket": str(todo.socket)}, {TODO: [{"line": 31}]})
        adapter.value('add{ text = "milk" }', "repl")
        adapter.send("evaluate", {"expression": "rows[1].toggle", "context": "repl"})
        assert adapter.stop()[:2] == ("breakpoint", 31)
        assert "written at    todo.lua:31" in adapter.value(".why rows[1].done", "repl")
        assert "1 of 1 done" in todo.attached("= rendering.title")


def test_the_past_of_an_attached_session_is_asked(play):
    todo = play(TODO)
    said = todo.attached(
        'add{ text = "milk" }', 'add{ text = "tea" }', "rows[2].toggle", ".why rows[2].done", ".why not rows[1].rename",
        ".why state.items[2].done of todo at 3 through 2", ".why action.id",
        ".log todo.lua:31: {item.text} {item.done}", "rows[1].toggle")
    assert "written at    todo.lua:31" in said
    assert "'state.editing' is false" in said
    assert "which read            state.items[2].done of todo  since step 2, made from itself" in said
    assert "action.id of todo  2 " in said
    assert "tea false" in said and "milk false" in said


def test_where_there_is_no_session(tmp_path):
    with Adapter() as adapter:
        adapter.body("initialize", {"adapterID": "workflow"})
        answer = adapter.ask("attach", {"socket": str(tmp_path / "nothing.sock")})
        assert not answer["success"] and "nothing.sock" in answer["message"]
        assert "socket" in adapter.ask("attach", {})["message"]


def test_a_session_whose_state_a_reload_kept_goes_on_from_there(play, tmp_path):
    flow = tmp_path / "count.lua"
    flow.write_text(COUNT)
    count = play(flow)
    for _ in range(3):
        count.say("inc")
    flow.write_text(COUNT.replace("before + 1", "before + 10"))
    count.say(".reload")
    count.say("inc")
    count.say("= state.n")
    count.until(lambda line: line.strip() == "13")
    with Adapter() as adapter:
        adapter.begin("attach", {"socket": str(count.socket)}, {flow: [{"line": 4}]})
        # Other files played the steps before, and which are left is played from what was kept.
        while not adapter.stop()[2] or not adapter.frames()[-1]["name"].startswith("step 4 of 4, inc"):
            adapter.body("continue", {"threadId": 1})
        assert adapter.value("before") == "3"
        adapter.body("continue", {"threadId": 1})
        count.say("inc")
        adapter.stop()
        assert adapter.value("before") == "13"
        assert adapter.frames()[-1]["name"].startswith("step 5 of 5, inc")
        # The files that are loaded here are not those of the session any more.
        flow.write_text(COUNT.replace("before + 1", "before + 100"))
        count.say(".reload")
        count.say("inc")
        count.say("= state.n")
        count.until(lambda line: line.strip() == "123")
        said = adapter.until(lambda message: message.get("event") == "output")
        assert said["body"]["output"].startswith("the session has loaded its files again after step 5")
