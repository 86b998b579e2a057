"""Plays the flows of workflow-bench from Python by lupa, and compares with what workflow-bench takes.

Usage: from_python.py <workflow-bench>, as Scripts/bench runs it. It needs lupa (pip install lupa), whose Lua is 5.4.
"""

import subprocess
import sys
import time

import lupa.lua54 as lupa


def flow(render):
    return """
        return {
            name = "flow",
            state = { count = 0, name = "n" },
            apply = { inc = function(state, action) state.count = state.count + action.by end },
            render = function(state, context)
                %s
            end,
        }
        """ % render


INTEGERS = flow("""
    local list = {}
    for i = 1, 10 do list[i] = state.count + i end
    return list
    """)


def records(count):
    return flow("""
        local rows = {}
        for i = 1, %d do
            rows[i] = { id = i, text = "item", done = state.count %% 2 == 0 }
        end
        return rows
        """ % count)


SHAPES = [
    ("10 integers, read in full", INTEGERS, 500),
    ("10 records of 3, read in full", records(10), 200),
    ("100 records of 3, read in full", records(100), 30),
    ("1,000 records of 3, read in full", records(1000), 4),
]


def value(table):
    """The Python value of a Lua one: a list for keys 1…n, a dict for names."""
    if lupa.lua_type(table) != "table":
        return table
    count = len(table)
    if count > 0:
        return [value(element) for element in table.values()]
    return {key: value(element) for key, element in table.items()}


def measure(source, calls):
    """Nanoseconds of one cycle of action, apply, render and reading: the best of many batches."""
    lua = lupa.LuaRuntime(unpack_returned_tuples=True)
    definition = lua.execute(source)
    state, apply, render = definition.state, definition.apply.inc, definition.render
    best = float("inf")
    for _ in range(40):
        start = time.perf_counter_ns()
        for _ in range(calls):
            apply(state, lua.table(type="inc", by=1))
            value(render(state, None))
        best = min(best, (time.perf_counter_ns() - start) / calls)
    return best


def ours(bench):
    """What workflow-bench takes for the same flows, by name."""
    text = subprocess.run(
        [bench, *(name for name, _, _ in SHAPES)], check=True, capture_output=True, text=True
    ).stdout
    times = {}
    for line in text.splitlines():
        for name, _, _ in SHAPES:
            if line.startswith(name + " "):
                times[name] = float(line[len(name):].split()[1])
    return times


def main():
    times = ours(sys.argv[1])
    print("\nflows in Lua against the same from Python by lupa")
    print(f"{'work':44}{'lupa, ns':>12}{'ours, ns':>12}{'ratio':>8}  goal")
    for name, source, calls in SHAPES:
        theirs = measure(source, calls)
        print(f"{name:44}{theirs:12.0f}{times[name]:12.0f}{times[name] / theirs:8.2f}  ≤ 0.33")


if __name__ == "__main__":
    main()
