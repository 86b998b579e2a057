"""nvim-dap (NVIM_DAP is a clone; skipped without) in a Neovim without a screen drives the debugger by Examples/editors."""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

from adapter import PATIENCE, ROOT, RUN, TODO, recording

NVIM_DAP = os.environ.get("NVIM_DAP", "")
STEPS = 'add{ text = "milk" }\nadd{ text = "tea" }\nrows[2].toggle\nrows[1].toggle\nrows[2].toggle\n'

pytestmark = [
    pytest.mark.skipif(not shutil.which("nvim"), reason="there is no nvim"),
    pytest.mark.skipif(
        not (pathlib.Path(NVIM_DAP) / "lua/dap.lua").exists(), reason="NVIM_DAP names no clone of nvim-dap"),
]

# What a user does by keys is done by calls here; each stop is noted, with what the editor shows of it.
DRIVER = """
local dap = require "dap"
local seen, moves = { stops = {}, output = {} }, vim.json.decode(vim.env.MOVES)
local function finish()
    vim.fn.writefile({ vim.json.encode(seen) }, vim.env.SEEN)
    vim.cmd "qall!"
end
dap.listeners.after.event_output.driver = function(_, body)
    table.insert(seen.output, { body.output, body.line or 0 })
end
dap.listeners.after.event_stopped.driver = function(session, body)
    vim.defer_fn(function()
        session:request("stackTrace", { threadId = body.threadId }, function(failure, answer)
            assert(not failure, vim.inspect(failure))
            local frame = answer.stackFrames[1]
            session:request("evaluate", { expression = vim.env.SHOWN, frameId = frame.id, context = "watch" },
                function(_, value)
                    table.insert(seen.stops, { body.reason, frame.line, value and value.result or "" })
                    local move = table.remove(moves, 1)
                    if move then dap[move]() else finish() end
                end)
        end)
    end, 0)
end
vim.cmd.edit(vim.env.FLOW)
vim.api.nvim_win_set_cursor(0, { 31, 0 })
dap.set_breakpoint(nil, nil, vim.env.MESSAGE ~= "" and vim.env.MESSAGE or nil)
local configuration = dap.configurations.lua[tonumber(vim.env.WHICH)]
for name, value in pairs(vim.json.decode(vim.env.MORE)) do configuration[name] = value end
dap.run(configuration)
"""


def drive(folder, moves, which=1, shown="item.done", message="", **more):
    """Starts the editor with the settings, and gives what it saw."""
    bin = folder / "bin"
    bin.mkdir()
    (bin / "workflow-run").symlink_to(RUN)
    (folder / "driver.lua").write_text(DRIVER)
    seen = folder / "seen.json"
    environment = {
        **os.environ, "PATH": f"{bin}:{os.environ['PATH']}", "XDG_STATE_HOME": str(folder),
        "FLOW": str(TODO), "MOVES": json.dumps(moves), "MORE": json.dumps(more), "SEEN": str(seen),
        "SHOWN": shown, "MESSAGE": message, "WHICH": str(which),
    }
    done = subprocess.run(
        ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "--cmd", f"set rtp+={NVIM_DAP}",
         "-c", f"source {ROOT / 'Examples/editors/nvim-dap.vim'}", "-c", f"luafile {folder / 'driver.lua'}"],
        env=environment, cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    assert seen.exists(), done.stdout + done.stderr
    return json.loads(seen.read_text())


def test_a_recording_is_gone_through_both_ways(tmp_path):
    path = recording(tmp_path, STEPS)
    seen = drive(
        tmp_path, ["step_over", "step_back", "continue", "reverse_continue"], which=2, program=str(path))
    assert seen["stops"] == [
        ["breakpoint", 31, "false"], ["step", 32, "true"], ["step", 31, "false"],
        ["breakpoint", 31, "false"], ["breakpoint", 31, "false"],
    ]


def test_a_log_point_fills_in_the_past_and_nothing_stops(tmp_path):
    path = recording(tmp_path, STEPS)
    seen = drive(tmp_path, [], which=2, message="{item.text} {item.done}", program=str(path))
    assert seen["output"] == [["tea false\n", 31], ["milk false\n", 31], ["tea true\n", 31]]
    assert [stop[0] for stop in seen["stops"]] == ["pause"]


def test_a_flow_is_debugged_while_it_is_played(tmp_path):
    seen = drive(
        tmp_path, ["step_over"], actions=['add{ text = "milk" }', "rows[1].toggle"], shown="state.items[1].done")
    assert seen["stops"] == [["breakpoint", 31, "false"], ["step", 32, "true"]]
