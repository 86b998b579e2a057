"""Scripts/bench page [steps|nodes|state|costs …]: measures the page of large sessions: 100,000 steps, 10,000 nodes, a state
of 100 MB.

Printed are the first paint, the rendering on the screen, the elements and the heap of the page, and the time from a click on
the timeline to the rendering of that step; then what an action costs the program without a page, with one that nobody has
opened, and with one in a browser. It takes Chromium and Playwright for Python. CHROMIUM is the browser,
/usr/bin/chromium unless it is set; WORKFLOW_RUN is the program, .build/release/workflow-run unless it is set.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import sync_playwright

TOP = Path(__file__).resolve().parent.parent.parent
RUN = os.environ.get("WORKFLOW_RUN", str(TOP / ".build/release/workflow-run"))
COUNTER = """
local rows_of = %s
return {
    state = function() return { count = 0 } end,
    apply = { increment = function(state) state.count = state.count + 1 end },
    render = function(state, context)
        return { count = state.count, rows = rows_of(context), increment = context:sink("increment") }
    end,
}
"""
ROWS = """(function()
    local Row = { name = "row" }
    function Row.state() return { text = %s } end
    function Row.render(state, context) return { id = context.props.id } end
    return function(context)
        local rows = {}
        for id = 1, %d do rows[id] = context:render(Row, { id = id }, { key = id }) end
        return rows
    end
end)()"""
SESSIONS = [
    ("100,000 steps", COUNTER % "function() end", 100_000),
    ("10,000 nodes", COUNTER % (ROWS % ('""', 10_000)), 1000),
    ("a state of 100 MB", COUNTER % (ROWS % ('string.rep("x", 10000000)', 10)), 1000),
]
CLICKS = """async (count) => {
    const ribbon = document.querySelector(".ribbon");
    ribbon.setPointerCapture = () => {};
    const box = ribbon.getBoundingClientRect();
    const frame = () => new Promise(requestAnimationFrame);
    const number = (selector, pattern) => document.querySelector(selector)?.textContent.replaceAll(",", "").match(pattern)?.[0];
    const times = [];
    for (let index = 1; index <= count; index++) {
        const began = performance.now();
        const before = number(".position", /\\d+/);
        const clientX = box.left + box.width * ((index * 0.37) % 1);
        ribbon.dispatchEvent(new PointerEvent("pointerdown", { clientX, pointerId: 1 }));
        do await frame();
        while (number(".position", /\\d+/) === before || number(".screen dd", /\\d+/) !== number(".position", /\\d+/));
        times.push(Math.round(performance.now() - began));
    }
    return times.sort((a, b) => a - b);
}"""

COUNTED = """
return {
    state = function() return { count = 0 } end,
    apply = {
        increment = function(state) state.count = state.count + 1 end,
        tell = function(state) return state.count end,
    },
    render = function(state, context) return { count = state.count, increment = context:sink("increment") } end,
}
"""
ACTIONS = 100_000
ROUNDS = 7


def main():
    wanted = sys.argv[1:]
    for name, flow, steps in SESSIONS:
        if wanted and not any(word in name for word in wanted):
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "large.lua"
            path.write_text(flow)
            program = subprocess.Popen(
                [RUN, "run", path, "--inspect", "--max-time", "60", "--max-memory", "2000"],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            try:
                found = next(filter(None, (re.search(r"inspect at (http://\S+)", line) for line in program.stderr)), None)
                if not found:
                    sys.exit("error: the program has printed no address\nhelp: run it by hand with --inspect to see why")
                program.stdin.write("increment\n" * steps)
                program.stdin.flush()
                origin, token = found[1].split("/#token=")
                while step_of(origin, token) < steps:
                    time.sleep(0.5)
                print(f"{name}: {measured(found[1])}", flush=True)
            finally:
                program.terminate()
                program.wait()
    if not wanted or "costs" in wanted:
        compare_costs()


def compare_costs():
    """Prints what an action costs with a page, as ratios to what it costs without; the ways take turns."""
    ways = {"without a page": [], "nobody looks": ["--inspect"], "a browser looks": ["--inspect"]}
    costs = {way: [] for way in ways}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "counted.lua"
        path.write_text(COUNTED)
        browser = launched(playwright)
        for _ in range(ROUNDS):
            for way, options in ways.items():
                costs[way].append(cost(path, options, browser if way == "a browser looks" else None))
        browser.close()
    for way in ways:
        ratios = [[one / base for one, base in zip(*pair)] for pair in zip(costs[way], costs["without a page"])]
        wall, cpu = (statistics.median(column) for column in zip(*ratios))
        print(f"{way}: {wall:.3f} of the time an action, {cpu:.3f} of the processor's (medians of {ROUNDS})", flush=True)


def cost(path, options, browser):
    """The seconds that the actions take by the clock and of the processor."""
    program = subprocess.Popen(
        [RUN, "run", path, "--quiet", "--keep-going", *options],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    page = None
    try:
        if options:
            address = next(filter(None, (re.search(r"inspect at (http://\S+)", line) for line in program.stderr)))[1]
            if browser:
                page = browser.new_page()
                page.goto(address)
                page.wait_for_selector(".screen dd")
        # What is told has been answered, so all before it has been dealt with.
        program.stdin.write("increment\n" * 100 + "tell\n")
        program.stdin.flush()
        program.stdout.readline()
        began, used = time.monotonic(), seconds_of(program.pid)
        program.stdin.write("increment\n" * ACTIONS + "tell\n")
        program.stdin.flush()
        program.stdout.readline()
        return time.monotonic() - began, seconds_of(program.pid) - used
    finally:
        program.terminate()
        program.wait()
        if page:
            page.close()


def seconds_of(process):
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def step_of(origin, token):
    request = urllib.request.Request(
        f"{origin}/request", b'{"do":"status"}', {"Content-Type": "application/json", "Authorization": f"Bearer {token}"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["value"]["of"]


def launched(playwright):
    return playwright.chromium.launch(
        executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])


def measured(address):
    with sync_playwright() as playwright:
        browser = launched(playwright)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        began = time.monotonic()
        page.goto(address)
        page.wait_for_selector(".screen dd")
        shown = time.monotonic() - began
        page.wait_for_selector(".entry")
        paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN")
        times = page.evaluate(CLICKS, 20)
        elements = page.locator("*").count()
        session = page.context.new_cdp_session(page)
        session.send("HeapProfiler.enable")
        session.send("HeapProfiler.collectGarbage")
        heap = session.send("Runtime.getHeapUsage")["usedSize"]
        browser.close()
    return (f"first paint {paint:.0f} ms, rendering {shown * 1000:.0f} ms, {elements} elements, heap {heap / 1e6:.1f} MB, "
            f"click to paint {times[len(times) // 2]} ms (median), {times[-2]} ms (95 %)")


main()
