"""A recording is debugged without a network, without plugins and without a trace in the file system."""

import re
import shutil
import subprocess

import pytest

from adapter import PATIENT, ROOT, RUN, Adapter

# A test that fails leaves a recording, with the answers of a server in it.
BUG = """
it("has a bug", function()
    local flow = workflow.test("weather", { url = "http://weather.invalid" })
    flow:worker("http.get"):output {
        status = 200, url = "http://weather.invalid", headers = {}, body = "", json = { place = "Oslo", celsius = 3, sky = "snow" },
    }
    flow:send("reload")
    flow:worker("http.get"):output {
        status = 404, url = "http://weather.invalid", headers = {}, body = "",
    }
    flow:expect_rendering { message = "none" }
end)
"""


@pytest.fixture
def weather(tmp_path):
    shutil.copytree(ROOT / "Examples/weather", tmp_path / "weather")
    (tmp_path / "weather/bug_test.lua").write_text(BUG)
    done = subprocess.run(
        [RUN, "test", "weather", "--recordings", "failed", *PATIENT], capture_output=True, text=True, cwd=tmp_path)
    path, = (tmp_path / "failed").glob("*.jsonl")
    assert "http.get" in path.read_text(), done.stdout
    return tmp_path / "weather/weather.lua", path


def line_of(flow):
    return next(n for n, text in enumerate(flow.read_text().splitlines(), 1) if "answer.status ~= 200" in text)


def look(adapter, flow, path):
    line = line_of(flow)
    adapter.begin("launch", {"program": str(path), "flow": str(flow)}, {flow: [{"line": line}]})
    assert adapter.stop()[:2] == ("breakpoint", line)
    assert adapter.value("answer.json.place") == '"Oslo"'
    assert adapter.go("continue")[:2] == ("breakpoint", line)
    assert adapter.value("answer.status") == "404"
    assert adapter.go("reverseContinue")[:2] == ("breakpoint", line)
    assert adapter.go("stepBack")[0] == "step"
    for command in (".why screen", ".why not nothing", ".tree", ".workers", ".timeline", f".log weather.lua:{line}: {{answer.status}}"):
        adapter.value(command, "repl")


def can(*command):
    return shutil.which(command[0]) is not None and subprocess.run(command, capture_output=True).returncode == 0


@pytest.mark.skipif(not can("unshare", "-rn", "true"), reason="this machine lets nobody make a namespace without a network")
def test_without_a_network(weather):
    with Adapter(prefix=("unshare", "-rn")) as adapter:
        look(adapter, *weather)


def traced(log):
    """The calls that a program made of the system, without those of its start."""
    return [line for line in log.read_text(errors="replace").splitlines() if "ENOENT" not in line]


@pytest.mark.skipif(not can("strace", "-f", "true"), reason="there is no strace, or it may not look")
def test_nothing_is_written_loaded_or_asked(weather, tmp_path):
    log = tmp_path / "calls"
    with Adapter(
            prefix=("strace", "-f", "-qq", "-o", str(log), "-e", "trace=openat,open,creat,mkdir,rename,unlink,socket,connect")
    ) as adapter:
        look(adapter, *weather)
    calls = traced(log)
    assert any("weather.lua" in call for call in calls)
    assert not [call for call in calls if re.search(r"workflow-(http|sqlite|inspector)|/plugins/", call)]
    assert not [call for call in calls if re.search(r"\b(creat|mkdir|rename|unlink)\(", call)]
    assert not [call for call in calls if re.search(r"O_(WRONLY|RDWR|CREAT)", call) and "/dev/" not in call]
    assert not [call for call in calls if re.search(r"\b(socket|connect)\(", call)]


@pytest.mark.skipif(not can("strace", "-f", "true"), reason="there is no strace, or it may not look")
def test_logging_the_past_loads_no_plugin(weather, tmp_path):
    flow, path = weather
    log = tmp_path / "calls"
    done = subprocess.run(
        ["strace", "-f", "-qq", "-o", str(log), "-e", "trace=openat,socket,connect", RUN, "replay", str(path),
         "--flow", str(flow), "--log", f"weather.lua:{line_of(flow)}: {{answer.status}}"], capture_output=True, text=True)
    assert "404" in done.stdout, done.stdout + done.stderr
    calls = traced(log)
    assert not [call for call in calls if re.search(r"workflow-(http|sqlite|inspector)|socket\(|connect\(", call)]
    assert not [call for call in calls if re.search(r"O_(WRONLY|RDWR|CREAT)", call) and "/dev/" not in call]
