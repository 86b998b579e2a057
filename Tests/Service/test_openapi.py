"""The service is held against its own description, by a program that is not ours."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from service import PATIENCE, ROOT, Service

SCHEMATHESIS = shutil.which("schemathesis") or str(pathlib.Path(sys.executable).with_name("schemathesis"))


@pytest.mark.skipif(not shutil.which(SCHEMATHESIS), reason="schemathesis is not installed")
def test_the_service_does_what_its_description_says(tmp_path):
    service = Service(ROOT / "Examples/todo/todo.lua", ROOT / "Examples/counter/counter.lua",
                      "--store", tmp_path / "sessions.db", "--max-rate", 1000000, open_to_all=False)
    try:
        report = subprocess.run(
            [SCHEMATHESIS, "run", f"http://127.0.0.1:{service.port}/openapi.json", "--header",
             f"Authorization: Bearer {service.token}", "--exclude-path-regex", "/events$", "--seed", "1",
             "--max-examples", os.environ.get("GENERATED", "50"), "--generation-database", "none",
             "--request-timeout", str(PATIENCE), "--suppress-health-check", "too_slow"],
            capture_output=True, text=True, cwd=tmp_path)
        assert report.returncode == 0, report.stdout[-6000:] + report.stderr[-2000:]
    finally:
        assert service.stop() == 0
