"""The settings for editors are what these editors take, and start the debugger as it is."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tomllib

import jsonschema
import pytest

from adapter import ROOT, RUN

EDITORS = ROOT / "Examples/editors"
# The fields of a launch and of an attach, as the guide tells them.
GUIDE = ROOT / "Sources/Tools/WorkflowCommand/Documentation.docc/Debugging.md"
FIELDS = {field for row in re.findall(r"^\| (`.*?) \|", GUIDE.read_text(), re.M) for field in re.findall(r"`(\w+)`", row)}
FIELDS.add("socket")

# Of the schema of a manifest of VS Code what debuggers need.
ATTRIBUTES = {
    "type": "object", "additionalProperties": False,
    "properties": {
        "required": {"type": "array", "items": {"type": "string"}},
        "properties": {
            "type": "object",
            "additionalProperties": {
                "type": "object", "required": ["type", "description"], "additionalProperties": False,
                "properties": {
                    "type": {"enum": ["string", "object", "array", "integer", "boolean"]},
                    "description": {"type": "string"}, "default": {}, "items": {"type": "object"}}}}}}
MANIFEST = {
    "type": "object", "required": ["name", "version", "publisher", "engines", "contributes"],
    "properties": {
        "name": {"pattern": "^[a-z0-9][a-z0-9-]*$"}, "version": {"pattern": r"^\d+\.\d+\.\d+$"},
        "engines": {"type": "object", "required": ["vscode"], "properties": {"vscode": {"pattern": r"^\^\d+\.\d+\.\d+$"}}},
        "categories": {"type": "array", "items": {"enum": ["Debuggers"]}},
        "main": False, "browser": False, "activationEvents": False, "scripts": False, "dependencies": False,
        "contributes": {
            "type": "object", "required": ["breakpoints", "debuggers"], "additionalProperties": False,
            "properties": {
                "breakpoints": {
                    "type": "array", "minItems": 1,
                    "items": {"type": "object", "required": ["language"], "properties": {"language": {"const": "lua"}}}},
                "debuggers": {
                    "type": "array", "minItems": 1,
                    "items": {
                        "type": "object", "required": ["type", "label", "program", "configurationAttributes"],
                        "additionalProperties": False,
                        "properties": {
                            "type": {"type": "string"}, "label": {"type": "string"}, "program": {"type": "string"},
                            "runtime": {"type": "string"}, "args": {"type": "array", "items": {"type": "string"}},
                            "languages": {"type": "array", "items": {"type": "string"}},
                            "configurationAttributes": {
                                "type": "object", "required": ["launch", "attach"], "additionalProperties": False,
                                "properties": {"launch": ATTRIBUTES, "attach": ATTRIBUTES}},
                            "configurationSnippets": {
                                "type": "array",
                                "items": {
                                    "type": "object", "required": ["label", "body"],
                                    "properties": {"body": {"type": "object", "required": ["type", "request", "name"]}}}},
                            "initialConfigurations": {
                                "type": "array",
                                "items": {"type": "object", "required": ["type", "request", "name"]}}}}}}}}}


def is_adapter(command):
    """Whether a command is the debugger: it answers the first request of an editor."""
    body = json.dumps({"seq": 1, "type": "request", "command": "initialize", "arguments": {"adapterID": "x"}}).encode()
    environment = {**os.environ, "PATH": f"{pathlib.Path(RUN).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        command, input=b"Content-Length: %d\r\n\r\n" % len(body) + body, capture_output=True, env=environment)
    return done.returncode == 0 and b'"supportsStepBack":true' in done.stdout


def test_vscode():
    manifest = json.loads((EDITORS / "vscode/package.json").read_text())
    jsonschema.validate(manifest, MANIFEST)
    debugger = manifest["contributes"]["debuggers"][0]
    for request, attributes in debugger["configurationAttributes"].items():
        assert set(attributes["properties"]) <= FIELDS
        assert set(attributes["required"]) <= set(attributes["properties"])
        assert request == "attach" or set(attributes["properties"]) == FIELDS - {"socket"}
    requests = {configuration["request"] for configuration in debugger["initialConfigurations"]}
    assert requests == {"launch", "attach"}
    snippets = [snippet["body"] for snippet in debugger["configurationSnippets"]]
    for configuration in debugger["initialConfigurations"] + snippets:
        attributes = debugger["configurationAttributes"][configuration["request"]]
        assert configuration["type"] == debugger["type"]
        assert set(configuration) - {"type", "request", "name"} <= set(attributes["properties"])
        assert set(attributes["required"]) <= set(configuration)
    assert is_adapter([EDITORS / "vscode" / debugger["program"], *debugger.get("args", [])])
    # A folder and no code.
    assert {path.suffix for path in (EDITORS / "vscode").iterdir()} == {"", ".json"}


def test_helix():
    language, = tomllib.loads((EDITORS / "helix.toml").read_text())["language"]
    assert language["name"] == "lua"
    debugger = language["debugger"]
    assert set(debugger) <= {"name", "transport", "command", "args", "port-arg", "templates", "quirks"}
    assert debugger["transport"] in ("stdio", "tcp")
    for template in debugger["templates"]:
        assert set(template) == {"name", "request", "completion", "args"}
        assert template["request"] in ("launch", "attach")
        assert set(template["args"]) <= FIELDS
        for index, asked in enumerate(template["completion"]):
            assert set(asked) <= {"name", "completion", "default"} and asked["completion"] == "filename"
            assert f"{{{index}}}" in template["args"].values()
    assert is_adapter([debugger["command"], *debugger["args"]])


def test_neovim():
    text = (EDITORS / "nvim-dap.vim").read_text()
    command, arguments = re.search(r'command = "(.*?)", args = \{ (.*?) \}', text).groups()
    assert is_adapter([command, *json.loads(f"[{arguments}]")])
    assert set(re.findall(r"^\s+(?:type = .*name = \".*\", )?(\w+) = (?:function|\"\$)", text, re.M)) <= FIELDS


def balanced(text):
    words = re.findall(r'"(?:\\.|[^"])*"|;[^\n]*|[()\']|[^\s()\']+', text)
    stack = [[]]
    for word in words:
        if word.startswith(";") or word == "'":
            continue
        if word == "(":
            stack.append([])
        elif word == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word)
    assert len(stack) == 1, "a parenthesis is open"
    return stack[0]


def test_emacs():
    form, = balanced((EDITORS / "emacs.el").read_text())
    assert form[:2] == ["with-eval-after-load", "dape"]
    asked = {"workflow": ":program", "workflow-recording": ":program", "workflow-attach": ":socket"}
    for (name, field), addition in zip(asked.items(), form[2:], strict=True):
        assert addition[:2] == ["add-to-list", "dape-configs"]
        entry = addition[-1]
        settings = dict(zip(entry[1::2], entry[2::2]))
        assert entry[0] == name
        assert {"modes", "command", "command-args", ":type", ":request", field} == set(settings)
        assert settings[":request"] == ('"attach"' if field == ":socket" else '"launch"')
        assert is_adapter([json.loads(settings["command"]), *map(json.loads, settings["command-args"])])


@pytest.mark.skipif(not shutil.which("emacs"), reason="there is no emacs")
def test_emacs_reads_it(tmp_path):
    script = """(progn (defvar dape-configs nil) (provide 'dape) (load "%s" nil t)
        (princ (prin1-to-string (assq 'workflow dape-configs))))""" % (EDITORS / "emacs.el")
    done = subprocess.run(["emacs", "-Q", "--batch", "--eval", script], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert 'command "workflow-run" command-args ("debug")' in done.stdout
