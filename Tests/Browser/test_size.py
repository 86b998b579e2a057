"""The page stays small however large the session is: what it holds, asks and is told is counted."""

import gzip
import json
import urllib.request

from playwright.sync_api import expect

from conftest import EXAMPLES, ROOT

FLOW = """
local Item = { name = "item" }
function Item.state(props) return { text = string.rep("x" .. props.id .. " ", 5000) } end
function Item.render(state, context) return { id = context.props.id, size = #state.text } end
return {
    state = function() return { count = 0, long = {} } end,
    apply = { increment = function(state)
        state.count = state.count + 1
        state.long[state.count] = state.count
    end },
    render = function(state, context)
        local rows = {}
        for id = 1, 400 do rows[id] = context:render(Item, { id = id }, { key = id }) end
        return { count = state.count, rows = rows, increment = context:sink("increment") }
    end,
}
"""
STEPS = 3000


def test_a_large_session_makes_no_large_page(program, visit, tmp_path):
    flow = tmp_path / "large.lua"
    flow.write_text(FLOW)
    running = program(flow, "--max-memory", "1000")
    for _ in range(STEPS):
        running.process.stdin.write("increment\n")
    running.process.stdin.flush()
    page = visit(running.url())
    expect(page.locator(".top .position")).to_have_text("step 3,000 of 3,000", timeout=3_600_000)
    expect(page.get_by_role("tree", name="Nodes").get_by_role("treeitem").nth(3)).to_be_visible()
    expect(page.locator(".screen")).to_contain_text("15,000")

    answers = []
    page.on("response", lambda answer: answers.append(answer) if "/request" in answer.url else None)
    entries = page.get_by_role("listbox", name="Inputs")
    for key, step in [("Home", "0"), ("End", "3,000"), ("Home", "0")]:
        entries.press(key)
        expect(page.locator(".top .position")).to_have_text(f"step {step} of 3,000")
        expect(page.get_by_role("option", selected=True)).to_contain_text(step)
        expect(page.locator(".screen dd").first).to_have_text(step)
    asked = [json.loads(answer.request.post_data)["do"] for answer in answers]
    assert len(asked) <= 3 * 9, asked
    assert sum(len(answer.body()) for answer in answers) < 1_000_000

    assert page.locator("*").count() < 2000
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.enable")
    session.send("HeapProfiler.collectGarbage")
    assert session.send("Runtime.getHeapUsage")["usedSize"] < 30_000_000


def test_the_files_are_served_compressed(program):
    running = program(EXAMPLES / "hello/hello.lua")
    for path in sorted((ROOT / "Sources/Web/CPages/inspector").iterdir()):
        request = urllib.request.Request(f"{running.origin}/{path.name}", headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request) as answer:
            assert answer.headers["Content-Encoding"] == "gzip", path.name
            sent = gzip.decompress(answer.read()).decode().splitlines()
        # Lines of comments are empty.
        lines = path.read_text().splitlines()
        assert len(sent) == len(lines)
        assert all(line in (other, "") for line, other in zip(sent, lines))


def test_the_messages_of_a_long_session_are_those_on_the_screen(program, visit, tmp_path):
    flow = tmp_path / "large.lua"
    flow.write_text(FLOW)
    running = program(flow, "--max-memory", "1000")
    running.process.stdin.write("increment\n" * STEPS)
    running.process.stdin.flush()
    page = visit(running.url(fragment="&view=messages"))
    expect(page.locator(".top .position")).to_have_text("step 3,000 of 3,000", timeout=3_600_000)
    rows = page.get_by_role("listbox", name="Messages")
    expect(rows.get_by_role("option", selected=True)).to_contain_text("increment")
    answers = []
    page.on("response", lambda answer: answers.append(answer) if "/request" in answer.url else None)
    for key, step in [("Home", "0"), ("PageDown", "10"), ("End", "3,000")]:
        rows.press(key)
        expect(page.locator(".top .position")).to_have_text(f"step {step} of 3,000")
        expect(rows.get_by_role("option").nth(1)).to_contain_text("increment")
        expect(rows.get_by_role("option", selected=True)).to_contain_text(step)
    asked = [json.loads(answer.request.post_data) for answer in answers]
    assert sum(one["do"] == "messages" for one in asked) <= 6, asked
    assert page.locator("*").count() < 2000


def test_a_jump_does_not_style_the_page_for_each_bar(program, visit, tmp_path):
    flow = tmp_path / "counter.lua"
    flow.write_text("""return {
        state = function() return { count = 0 } end,
        apply = { increment = function(state) state.count = state.count + 1 end },
        render = function(state, context) return { count = state.count, increment = context:sink("increment") } end,
    }""")
    running = program(flow)
    running.process.stdin.write("increment\n" * 600)
    running.process.stdin.flush()
    page = visit(running.url())
    expect(page.locator(".top .position")).to_have_text("step 600 of 600")
    expect(page.get_by_role("option", selected=True)).to_contain_text("600")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")

    def styled():
        return next(one["value"] for one in session.send("Performance.getMetrics")["metrics"] if one["name"] == "RecalcStyleCount")

    before = styled()
    page.get_by_role("slider", name="Step").click(position={"x": 100, "y": 20})
    expect(page.locator(".top .position")).not_to_have_text("step 600 of 600")
    expect(page.get_by_role("option", selected=True)).not_to_contain_text("600")
    # The ribbon has 500 bars.
    assert styled() - before < 250
