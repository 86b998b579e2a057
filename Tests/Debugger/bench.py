"""Measures `workflow-run debug` and `replay --log`; Scripts/bench debugger runs it. What is compared is measured by turns, in
processor time of the process, so that a busy machine matters less.
"""

import os
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time

from adapter import PATIENT, RUN, TODO, Adapter, recording

ROUNDS = int(os.environ.get("ROUNDS", "9"))
# A loop over records, as flows have them, and a function that nobody calls.
HOT = """
local function other(value)
    return value + 1
end

local Hot = { name = "hot" }
function Hot.state()
    local items = {}
    for index = 1, 100 do items[index] = { id = index, done = index % 3 == 0, n = index } end
    return { items = items, sum = 0 }
end
Hot.apply = {
    spin = function(state)
        local items, sum = {}, 0
        for index, item in ipairs(state.items) do items[index] = { n = item.n, done = item.done } end
        for _ = 1, 5000 do
            for index = 1, #items do
                local item = items[index]
                if not item.done then
                    sum = sum + item.n
                end
            end
        end
        state.sum = sum
    end,
    other = function(state) state.sum = other(state.sum) end,
}
function Hot.render(state) return { sum = state.sum } end
return Hot
"""


def line_of(text):
    return next(n for n, line in enumerate(HOT.splitlines(), 1) if text in line)


def row(name, values, unit, limit):
    low, middle, high = min(values), statistics.median(values), max(values)
    print(f"{name:58} {middle:8.3f} {unit:3} [{low:.3f} … {high:.3f}]  wanted {limit}", flush=True)


def used(process):
    threads = pathlib.Path(f"/proc/{process.pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


def whole(command, stdin=""):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, input=stdin, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def played(flow, actions):
    process = subprocess.Popen(
        [RUN, "repl", str(flow), *PATIENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(lines):
        process.stdin.write(f'{lines}= "ready"\n')
        process.stdin.flush()
        while "ready" not in process.stdout.readline():
            pass
        return used(process)

    first = ask("spin\n")
    second = ask("".join(f"{action}\n" for action in actions))
    process.stdin.close()
    process.wait()
    return second - first


def debugged(flow, actions):
    """The same from the console of a debugger, without breakpoints."""
    with Adapter(checked=False) as adapter:
        adapter.begin("launch", {"program": str(flow)}, filters=["failed"])
        adapter.value("spin", "repl")
        first = used(adapter.process)
        for action in actions:
            adapter.value(action, "repl")
        return used(adapter.process) - first


def without_breakpoints(folder):
    flow = folder / "hot.lua"
    flow.write_text(HOT)
    actions = ["spin"] * 60
    ratios = [debugged(flow, actions) / played(flow, actions) for _ in range(ROUNDS)]
    row("a flow without breakpoints, debugged / played", ratios, "×", "≤ 1.02")


def with_breakpoints(folder):
    flow = folder / "hot.lua"
    flow.write_text(HOT)
    # The last step is quick, as that is looked into at the end.
    path = recording(folder, "spin\n" * 4 + "other\n", flow, "hot.jsonl")
    never = {"hitCondition": "1000000000"}
    for name, breakpoint, limit in [
        ("a breakpoint in another function / none", {"line": line_of("return value + 1")}, "≤ 2.5"),
        ("a breakpoint in the hot loop / none", {"line": line_of("sum = sum + item.n"), **never}, "≤ 4"),
        ("the same with a condition / none", {"line": line_of("sum = sum + item.n"), "condition": "sum < 0"}, "-"),
    ]:
        ratios = []
        for _ in range(ROUNDS):
            with Adapter(checked=False) as adapter:
                adapter.body("initialize", {"adapterID": "x"})
                first = used(adapter.process)
                adapter.body("launch", {"program": str(path), "flow": str(flow)})
                second = used(adapter.process)
                adapter.body("setBreakpoints", {"source": {"path": str(flow)}, "breakpoints": [breakpoint]})
                adapter.body("setExceptionBreakpoints", {"filters": []})
                third = used(adapter.process)
                adapter.send("configurationDone")
                adapter.until(lambda m: m.get("event") == "stopped")
                ratios.append((used(adapter.process) - third) / (second - first))
        row(name, ratios, "×", limit)


def steps_back(folder):
    numbers = random.Random(1)
    lines = "".join(
        f'add{{ text = "{n}" }}\n' if n % 500 == 0 else f"rows[{numbers.randrange(n // 500 + 1) + 1}].toggle\n"
        for n in range(10_000))
    path = recording(folder, lines, TODO, "long.jsonl")
    with Adapter(checked=False) as adapter:
        adapter.begin("launch", {"program": str(path), "flow": str(TODO), "at": 10_000})
        adapter.stop()
        adapter.body("setBreakpoints", {"source": {"path": str(TODO)}, "breakpoints": [{"line": 31}]})
        times = []
        for number in range(300):
            # From place to place, and then line by line.
            command = "reverseContinue" if number % 30 == 29 else "stepBack"
            start = time.perf_counter()
            adapter.go(command)
            if command == "stepBack":
                times.append((time.perf_counter() - start) * 1000)
        row("a step back and the stack, in 10,000 steps", times, "ms", "< 100")


def logs(folder):
    flow = folder / "count.lua"
    flow.write_text(
        'local Count = { name = "count", state = { n = 0 } }\nCount.apply = {\n    up = function(state)\n'
        "        state.n = state.n + 1\n    end,\n}\n"
        'function Count.render(state, context) return { n = state.n, up = context:sink("up") } end\nreturn Count\n')
    path = recording(folder, "up\n" * 100_000, flow, "count.jsonl")
    ratios = []
    for number in range(ROUNDS + 1):
        plain = whole([RUN, "replay", str(path), "--flow", str(flow)])
        logged = whole([RUN, "replay", str(path), "--flow", str(flow), "--log", "count.lua:4: {state.n}"])
        if number:
            ratios.append(logged / plain)
    row("replay --log of 100,000 steps, one place / replay", ratios, "×", "≤ 3")


ROWS = {"plain": without_breakpoints, "breakpoints": with_breakpoints, "back": steps_back, "log": logs}

if __name__ == "__main__":
    print(f"{ROUNDS} rounds; load {os.getloadavg()[0]:.1f}")
    for name in sys.argv[1:] or ROWS:
        with tempfile.TemporaryDirectory() as folder:
            ROWS[name](pathlib.Path(folder))
