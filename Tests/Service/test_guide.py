"""Guides are followed, command by command, as their readers would; what they show is what comes."""

import os
import pathlib
import re
import subprocess

import pytest

from service import PATIENCE, ROOT, SERVE, free_port

GUIDES = ROOT / "Sources/Service/FlowService/Documentation.docc"
RUN = os.environ.get("WORKFLOW_RUN", str(pathlib.Path(SERVE).with_name("workflow-run")))


def commands(guide):
    for block in re.findall(r"```console\n(.*?)```", (GUIDES / guide).read_text(), re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, shown = part.partition("\n")
            yield command, shown


@pytest.mark.parametrize("guide", ["ServingFlows.md", "OneRequest.md"])
def test_the_guide_shows_what_happens(guide, tmp_path):
    port = str(free_port())
    bin = tmp_path / "bin"
    bin.mkdir()
    (bin / "workflow-run").symlink_to(RUN)
    (bin / "workflow-serve").symlink_to(SERVE)
    (tmp_path / "Examples").symlink_to(ROOT / "Examples")
    environment = {**os.environ, "PATH": f"{bin}:{os.environ['PATH']}"}
    found = list(commands(guide))
    assert len(found) > 10
    service = None
    try:
        for command, shown in found:
            if " serve Examples/" in command:
                service = subprocess.Popen(
                    [*command.split(), "--port", port], cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True)
                line = service.stderr.readline()
                while "serving" not in line:
                    line = service.stderr.readline()
                assert line.replace(port, "8080") == shown
                continue
            # Time enough for the beginning of a stream, and too little for more.
            text = command.replace("8080", port).replace("--max-time 1 ", "--max-time 10 ")
            ran = subprocess.run(
                ["bash", "-c", text], cwd=tmp_path, env=environment, capture_output=True, text=True)
            assert ran.stdout.replace(port, "8080") == shown, command
            # 28 is a stream that was left after its time.
            assert ran.returncode in ((0, 28) if "--max-time" in command else (0,)), (command, ran.stderr)
    finally:
        if service:
            service.terminate()
            assert service.wait(PATIENCE) == 0
