"""A session is taken along: as a page that opens without a program, as a recording, as a test."""

import json
import subprocess

from conftest import EXAMPLES, RUN
from playwright.sync_api import expect


def play(running):
    for text in ["buy tea", "</script><script>alert(1)</script>", "wash the mug"]:
        running.ask("send", action={"type": "add", "text": text})
    running.ask("send", node="todo/item:1", action={"type": "toggle"})


def saved(page, name):
    """What a function of save.js says, and the file that it makes."""
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
