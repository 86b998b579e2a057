"""The files of the guide to several hosts start services; test_rolling.py uses its balancer."""

import configparser
import shutil
import subprocess

import pytest
import yaml

from service import HERE, ROOT, SERVE, Client, Service

FOLDER = ROOT / "Examples/several-hosts"


def arguments(command, places):
    program, serve, *words = command.split()
    assert (program.rsplit("/")[-1], serve) == ("workflow-run", "serve")
    # The port is chosen by the test.
    if "--port" in words:
        place = words.index("--port")
        del words[place:place + 2]
    for word in places:
        assert word in words, word
    return [place for word in words if (place := places.get(word, word)) is not None]


def serves(command, places, folder):
    (folder / "flows").mkdir()
    shutil.copy(HERE / "chain.lua", folder / "flows")
    subprocess.run([SERVE, "token", "ada", "--scope", "read", "--tokens", folder / "tokens"],
                   check=True, stdout=subprocess.DEVNULL)
    places |= {"/etc/workflow/flows": folder / "flows", "/etc/workflow/tokens": folder / "tokens"}
    service = Service(*arguments(command, places), open_to_all=False)
    try:
        assert Client(service.port).get("/readyz").status == 200
    finally:
        service.kill()


def test_compose_starts_services(store, tmp_path):
    parts = yaml.safe_load((FOLDER / "compose.yaml").read_text())["services"]
    assert parts["one"] == parts["two"] == parts["three"]
    serves(parts["one"]["command"], {
        "postgresql://workflow@database/workflow": store, "0.0.0.0": "127.0.0.1"}, tmp_path)


def unit(path):
    parser = configparser.ConfigParser(strict=False, interpolation=None, delimiters=["="], comment_prefixes=["#"])
    parser.optionxform = str
    parser.read_string(path.read_text())
    return parser["Service"]


def test_the_unit_starts_services(store, tmp_path):
    serves(unit(FOLDER / "workflow@.service")["ExecStart"], {
        "${WORKFLOW_STORE}": store, "$WORKFLOW_OPTIONS": None}, tmp_path)


def test_the_unit_is_as_confined_as_that_of_the_package():
    ours, packages = unit(FOLDER / "workflow@.service"), unit(ROOT / "Scripts/Packaging/workflow.service")
    differing = {name for name in {*ours, *packages} if ours.get(name) != packages.get(name)}
    assert differing == {"ExecStart", "EnvironmentFile", "StateDirectory", "StateDirectoryMode"}


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_takes_the_unit(tmp_path):
    # It looks for the program.
    copy = tmp_path / "workflow@.service"
    copy.write_text((FOLDER / "workflow@.service").read_text().replace("/usr/bin/workflow-run", "/bin/true"))
    told = subprocess.run(["systemd-analyze", "verify", "--man=no", copy], capture_output=True, text=True)
    assert told.returncode == 0 and not told.stderr, told.stderr
