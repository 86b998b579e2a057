"""The program that serves, as those who administrate it use it."""

import json
import os
import pathlib
import re
import shlex
import shutil
import socket
import subprocess

from service import HERE, PATIENCE, ROOT, SERVE, Client, Service

# Commands, each with what it prints. With GOLDEN_UPDATE=1 the test writes the file anew.
COMMANDS = HERE / "commands.txt"
RUN = os.environ.get("WORKFLOW_RUN", str(pathlib.Path(SERVE).with_name("workflow-run")))


def run(*arguments):
    return subprocess.run([SERVE, *map(str, arguments)], capture_output=True, text=True)


def test_help_and_refusals_are_the_golden_ones(tmp_path):
    """Of each command in the file: what it prints, and its exit status unless that is 0."""
    shutil.copytree(ROOT / "Examples/todo", tmp_path / "flows")
    golden = COMMANDS.read_text()
    shown = ""
    for command in re.findall(r"^\$ (.*)$", golden, re.M):
        done = subprocess.run([RUN, *shlex.split(command)[1:]], text=True, cwd=tmp_path, env={**os.environ, "COLUMNS": "80"},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE)
        shown += f"$ {command}\n{done.stdout}" + (f"status {done.returncode}\n" if done.returncode else "")
    if os.environ.get("GOLDEN_UPDATE") == "1":
        COMMANDS.write_text(shown)
    assert shown == COMMANDS.read_text()


def test_a_supervisor_is_told_when_requests_are_answered_and_when_it_ends(tmp_path, monkeypatch):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as supervisor:
        supervisor.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        service = Service(HERE / "chain.lua", "--store", tmp_path / "sessions.db")
        assert supervisor.recv(100) == b"READY=1"
        assert Client(service.port).get("/readyz").status == 200
        assert service.stop() == 0
        assert supervisor.recv(100) == b"STOPPING=1"
    # A supervisor that is gone keeps nobody from serving.
    service = Service(HERE / "chain.lua", "--store", tmp_path / "sessions.db")
    assert service.stop() == 0


def test_a_token_may_have_no_scope(tmp_path):
    file = tmp_path / "tokens.txt"
    made = run("token", "ada", "--scope", "-", "--tokens", file)
    assert made.returncode == 0, made.stderr
    assert file.read_text().startswith("ada - sha256:")
    service = Service(HERE / "chain.lua", "--store", tmp_path / "sessions.db", "--tokens", file, open_to_all=False)
    answer = Client(service.port, re.search(r"wfs_\S+", made.stdout)[0]).get("/sessions/mine")
    assert (answer.status, answer.body["code"]) == (403, "not_granted")
    assert service.stop() == 0


def test_completions_and_manual_pages_have_all_options(tmp_path):
    told = run("--experimental-dump-help")
    serve = next(command for command in json.loads(told.stdout)["command"]["subcommands"] if command["commandName"] == "serve")
    assert [command["commandName"] for command in serve["subcommands"]] == ["token", "check", "backup"]
    assert {"--jwks", "--tls-cert", "--max-sessions"} <= {
        "--" + name["name"] for option in serve["arguments"] for name in option.get("names", [])}
    script = run("--generate-completion-script", "bash").stdout
    assert "--max-sessions" in script and "_workflow-run_repl" in script


def test_new_code_is_checked_with_grants(tmp_path):
    weather, store = ROOT / "Examples/weather/weather.lua", tmp_path / "sessions.db"
    grants = ["--allow", "http=127.0.0.1:9"]
    service = Service(weather, "--store", store, *grants)
    assert Client(service.port).post("/sessions", {"flow": "weather", "id": "here", "props": {
        "url": "http://127.0.0.1:9/"}}).status == 201
    assert service.stop() == 0
    checked = run("check", weather, "--store", store, *grants)
    assert (checked.returncode, checked.stdout) == (0, "✓ 1 session: 1 as before, 0 different, 0 refused\n")
