"""What --secret names is seen nowhere, however it is asked for."""

import json

from adapter import Adapter, recording

SECRET = "hunter2-of-mine"
FLOW = """
local Login = { name = "login", state = { who = "", password = "" } }

local function check(password)
    if #password < 3 then error("too short: " .. password) end
    return password
end

Login.apply = {
    enter = function(state, action)
        local password = check(action.password)
        local copy = "it is " .. password
        print("given " .. password)
        state.who = action.who
        state.password = password
        local fine = pcall(function() error("caught " .. password) end)
    end,
    fail = function(state)
        error("with " .. state.password)
    end,
    over = function(state)
        return { password = state.password }
    end,
}

function Login.render(state, context)
    local shown = state.password
    local keyed = { [shown] = { [shown .. "!"] = true } }
    return { who = state.who, password = shown, again = { password = { deep = shown } }, keyed = keyed }
end

return Login
"""
ASKED = [
    "password", "copy", "state", "state.password", "action", "action.password", "rendering", "rendering.again", "props",
    "state.password .. 'x'", "#state.password", "{ state }", "state.password:upper()", "tostring(state)", "copy:reverse()",
    "error(copy)", "error(state.password)", "copy.x.y", "state.password.x.y", "string.format('%s', copy)",
]
COMMANDS = [
    ".state", ".tree", ".rendering", ".timeline", ".diff", ".diff 0 1", ".why", ".why password", ".why again.password",
    ".why not password", ".actions", ".workers", ".log login.lua:12: {password} {state} {action}", ".log login.lua:13: {copy}",
    ".help state",
]


def everything(adapter):
    for number, _ in enumerate(adapter.frames(), 1):
        for scope in adapter.ask("scopes", {"frameId": number}).get("body", {}).get("scopes", []):
            numbers = [scope["variablesReference"]]
            while numbers:
                found = adapter.ask("variables", {"variablesReference": numbers.pop()})
                for variable in found.get("body", {}).get("variables", []):
                    if variable["variablesReference"]:
                        numbers.append(variable["variablesReference"])
    for context in ("watch", "hover", "repl"):
        for expression in ASKED:
            adapter.value(expression, context)
    for command in COMMANDS:
        adapter.value(command, "repl")
    for text in ("state.", "pass", "rendering.again.", "keyed.", "rendering.keyed.", ".why ", ".why keyed.", ".state ", "action."):
        adapter.ask("completions", {"text": text, "column": len(text) + 1, "frameId": 1})
    for name in ("state.password", "state", "rendering.password", "rendering", "rendering.keyed"):
        info = adapter.body("dataBreakpointInfo", {"name": name})
        adapter.body("setDataBreakpoints", {"breakpoints": [{"dataId": info["dataId"]}]})
    adapter.ask("exceptionInfo", {"threadId": 1})


def look(tmp_path, command):
    flow = tmp_path / "login.lua"
    flow.write_text(FLOW)
    enter = json.dumps({"type": "enter", "who": "me", "password": SECRET})
    breakpoints = {
        flow: [{"line": 12}, {"line": 16}, {"line": 13, "logMessage": "{password} {copy} {state} {action}"},
               {"line": 14, "condition": "error(copy)"}]}
    filters = ["failed", "caught", "limit"]
    with Adapter("--secret", "password") as adapter:
        if command == "flow":
            adapter.begin("launch", {"program": str(flow), "actions": [json.loads(enter), "fail"]}, breakpoints, filters)
        else:
            path = recording(tmp_path, f"{enter}\nfail\nover\n", flow)
            assert SECRET in path.read_text()
            adapter.begin("launch", {"program": str(path), "flow": str(flow)}, breakpoints, filters)
        seen = []
        for _ in range(8):
            seen.append(adapter.stop())
            everything(adapter)
            if seen[-1][0] == "end":
                break
            adapter.body("continue", {"threadId": 1})
            if command == "flow" and len(seen) == 5:
                break
        shown = [json.dumps(m) for m in adapter.messages if SECRET in json.dumps(m) or "enim-fo-2retnuh" in json.dumps(m)]
        assert not shown, shown[:5]
        assert any("[secret]" in json.dumps(m) for m in adapter.messages)
        assert {"breakpoint", "exception"} <= {reason for reason, _, _ in seen}, seen


def test_of_a_recording(tmp_path):
    look(tmp_path, "recording")


def test_of_a_flow(tmp_path):
    look(tmp_path, "flow")
