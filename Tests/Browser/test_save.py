"""A session is taken along: as a page that opens without a program, as a recording, as a test."""

import json
import subprocess

from playwright.sync_api import expect

from conftest import EXAMPLES, ROOT, RUN


def play(running):
    for text in ["buy tea", "</script><script>alert(1)</script>", "wash the mug"]:
        running.ask("send", action={"type": "add", "text": text})
    running.ask("send", node="todo/item:1", action={"type": "toggle"})


def saved(page, name):
    expect(page.locator(".rendering")).to_be_visible()
    with page.expect_download() as download:
        said = page.evaluate("""async (name) => {
            const [{ connect }, saving] = await Promise.all([import("/protocol.js"), import("/save.js")]);
            const host = await connect();
            const said = await saving[name](host);
            host.close();
            return said;
        }""", name)
    return said, download.value


def test_a_saved_page_opens_without_a_program(program, visit, tmp_path):
    running = program(EXAMPLES / "todo/todo.lua")
    play(running)
    said, download = saved(visit(running.url()), "savePage")
    assert said.startswith("todo.html holds 4 steps, in ")
    path = tmp_path / download.suggested_filename
    download.save_as(path)
    running.close()
    for theme in ["light", "dark"]:
        page = visit(path.as_uri(), theme=theme, offline=True)
        rendering = page.locator(".rendering").first
        expect(rendering.get_by_text("1 of 3 done", exact=True)).to_be_visible()
        expect(rendering.get_by_text("</script><script>alert(1)</script>", exact=True)).to_be_visible()
        expect(rendering.get_by_role("button", name="Add", exact=True)).to_be_disabled()
        expect(page.get_by_text("toggle").first).to_be_visible()
        assert page.evaluate("document.scripts.length") == 2


def test_a_saved_page_goes_to_a_step(program, visit, tmp_path):
    running = program(EXAMPLES / "todo/todo.lua")
    play(running)
    _, download = saved(visit(running.url()), "savePage")
    path = tmp_path / "todo.html"
    download.save_as(path)
    page = visit(path.as_uri() + "#step=1", offline=True)
    expect(page.locator(".rendering").first.get_by_text("0 of 1 done", exact=True)).to_be_visible()


def test_a_recording_and_a_test_are_saved(program, visit, tmp_path):
    running = program(EXAMPLES / "todo/todo.lua")
    running.ask("send", action={"type": "add", "text": "buy tea"})
    page = visit(running.url())
    said, download = saved(page, "saveRecording")
    assert said == "todo.jsonl is saved."
    download.save_as(tmp_path / "todo.jsonl")
    events = [json.loads(line)["type"] for line in (tmp_path / "todo.jsonl").read_text().splitlines()]
    assert events[0] == "ready" and "action" in events
    subprocess.run([RUN, "replay", tmp_path / "todo.jsonl"], check=True, cwd=tmp_path, stdout=subprocess.DEVNULL)
    said, download = saved(page, "saveTest")
    assert said == "todo_test.lua is saved."
    assert "buy tea" in download.path().read_text()


DOLLARS = """
local Flow = { state = { n = 0, ["$"] = "number", deep = { ["$"] = "number", text = "7" } } }
Flow.apply = { add = function(state) state.n = state.n + 1 end }
function Flow.render(state, context)
    return {
        n = state.n, big = math.maxinteger, rows = { { ["$"] = "number", start = "1" }, { ["$sink"] = true }, { ["$view"] = 1 } },
        ["$view"] = { as = "board", label = { ["$sink"] = { node = "x" } } }, add = context:sink("add"),
    }
end
return Flow
"""


def test_a_saved_page_holds_keys_that_begin_with_a_dollar_sign(program, visit, tmp_path):
    (tmp_path / "flow.lua").write_text(DOLLARS)
    running = program(tmp_path / "flow.lua")
    running.ask("send", action={"type": "add"})
    _, download = saved(visit(running.url()), "savePage")
    path = tmp_path / "saved.html"
    download.save_as(path)
    journal = path.read_text().split('id="journal">')[1].split("</script>")[0]
    rendering = json.loads(journal)["first"]["rendering"]
    assert rendering["$view"] == {"as": "board", "label": {"$sink": {"node": "x"}}}
    assert rendering["rows"] == [{"$": "number", "start": "1"}, {"$sink": True}, {"$view": 1}]
    assert rendering["big"] == 2**63 - 1
    running.close()
    page = visit(path.as_uri(), offline=True)
    page.get_by_role("button", name="As a value").click()
    tree = page.get_by_role("tree", name="Rendering")
    expect(tree).to_contain_text("$view")
    expect(tree).to_contain_text("9223372036854775807")
    expect(page.get_by_role("tree", name="state")).to_contain_text("deep")


ANSWER = """
import { readFileSync } from "node:fs";
import { openJournal } from "%s/Sources/Web/CPages/inspector/offline.js";
const { journal, messages } = JSON.parse(readFileSync(0, "utf8"));
const host = openJournal(journal);
console.log(JSON.stringify(await Promise.all(messages.map((message) => host.request(message)))));
""" % ROOT


def ordered(value):
    """A value whose lists of changes and of nodes are sorted by their paths."""
    if isinstance(value, dict):
        return {key: ordered(part) for key, part in value.items()}
    if isinstance(value, list):
        parts = [ordered(part) for part in value]
        are_changes = all(isinstance(part, dict) and "path" in part and "kind" in part for part in parts)
        return sorted(parts, key=lambda part: part["path"]) if are_changes else parts
    return value


def test_a_journal_answers_about_keys_that_begin_with_a_dollar_sign_as_the_program_does(program, tmp_path):
    # Not every release of node keeps large integers, as browsers do.
    (tmp_path / "flow.lua").write_text(DOLLARS.replace("big = math.maxinteger,", ""))
    running = program(tmp_path / "flow.lua")
    running.ask("send", action={"type": "add"})
    paths = ["", "rows", "rows[1]", "rows[2]", '["$view"]', '["$view"].label']
    messages = [{"do": "value", "path": path, "step": step, "depth": 4} for path in paths for step in [0, 1]]
    messages += [{"do": "node", "path": "flow", "step": 1}, {"do": "diff", "from": 0, "to": 1}]
    compare(running, messages)


def test_a_journal_answers_as_the_program_does(program):
    running = program(EXAMPLES / "todo/todo.lua")
    play(running)
    running.ask("send", node="todo/item:2", action={"type": "remove"})
    of = running.ask("status")["of"]
    messages = [{"do": "messages"}, {"do": "messages", "from": 3, "limit": 2}, {"do": "tree", "match": "item"}]
    messages += [{"do": "states", "by": by, "most": most} for by in ["rendering.title", "state.next_id", "props"] for most in [2, 99]]
    messages += [{"do": "overview", "buckets": 3}, {"do": "inputs"}, {"do": "inputs", "match": "ADD"}]
    for step in range(of + 1):
        messages += [
            {"do": "value", "of": "rendering", "step": step, "depth": 4}, {"do": "tree", "step": step},
            {"do": "value", "of": "rendering", "step": step, "path": "rows", "from": 1, "limit": 1, "depth": 1},
            {"do": "value", "of": "state", "step": step, "node": "todo", "path": "items"},
            {"do": "node", "step": step, "path": "todo"}, {"do": "tree", "step": step, "under": "todo", "limit": 1, "depth": 1},
        ]
        if step > 0:
            messages += [{"do": "value", "of": "input", "step": step}]
            messages += [{"do": "diff", "from": step - 1, "to": step}, {"do": "diff", "from": of, "to": step - 1}]
    compare(running, messages)


def compare(running, messages):
    """Asks a program, and its journal without it."""
    journal = running.ask("journal")
    answers = json.loads(subprocess.run(
        ["node", "--input-type=module", "-e", ANSWER], check=True, capture_output=True, text=True,
        input=json.dumps({"journal": journal, "messages": messages})).stdout)
    for message, answer in zip(messages, answers, strict=True):
        rest = {key: value for key, value in message.items() if key != "do"}
        assert ordered(answer) == ordered(running.ask(message["do"], **rest)), message
