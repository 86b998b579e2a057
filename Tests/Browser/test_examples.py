"""Every example is played to its end by clicks alone, on the page for players and in the inspector."""

import functools
import http.server
import json
import threading

import pytest
from playwright.sync_api import expect

from conftest import EXAMPLES, Player, plain, until


def hello(p):
    p.sees("Hello, world!")
    p.click("Leave")
    return "Goodbye, world!"


def counter(p):
    for name, count in [("Increment", "1"), ("Increment", "2"), ("Decrement", "1"), ("Reset", "0"), ("Decrement", "-1")]:
        p.click(name)
        if name == "Reset":
            p.confirm()
        p.sees(count)


def todo(p):
    for text in ["buy tea", "wash the mug"]:
        p.fill("Text", text)
        p.click("Add")
        p.sees(text)
    p.view.get_by_role("checkbox", name="buy tea").click()
    p.sees("1 of 2 done")
    row = p.view.get_by_role("listitem").filter(has_text="wash the mug")
    p.click("Edit", row)
    p.fill("Text", "wash the cup", row)
    p.view.get_by_role("button", name="Rename").click()
    p.sees("wash the cup")
    p.click("Clear done")
    p.misses("buy tea")
    p.click("Finish")
    return {"count": 1}


def tic_tac_toe(p):
    for row, column in [(2, 2), (1, 1), (1, 2), (1, 3), (3, 2)]:
        square = p.view.get_by_role("button", name=f"Tap row {row}, column {column}:")
        square.click()
        expect(square).to_have_count(0)
    p.sees("Ada wins")
    p.click("Play again")
    p.sees("Ada, place your X")
    for row, column in [(1, 1), (2, 2), (1, 3), (1, 2), (3, 2), (2, 1), (2, 3), (3, 3), (3, 1)]:
        square = p.view.get_by_role("button", name=f"Tap row {row}, column {column}:")
        square.click()
        expect(square).to_have_count(0)
    p.sees("A draw")
    p.click("Quit")
    return {"draw": True}


def welcome(p):
    p.click("Continue")
    p.sees("Login")
    p.click("Sign up")
    sign_up = p.view.get_by_role("listitem").nth(2)
    p.fill("Email", "ada@example.org", sign_up)
    p.click("Edit", sign_up)
    p.click("Accept terms", sign_up)
    p.click("Submit", sign_up)
    expect(p.view.get_by_role("listitem")).to_have_count(2)
    p.click("Log in")
    return {"user": "ada@example.org"}


def checkout(p):
    p.sees("33.5")
    p.click("Remove", p.view.get_by_role("row").filter(has_text="tea-01"))
    p.misses("tea-01")
    p.fill("Sku", "pot-03")
    p.fill("Price", "40")
    p.fill("Quantity", "2")
    p.click("Add item")
    p.sees("pot-03")
    p.click("Pay")
    p.sees("authorizing")
    p.fill("Reason", "card expired")
    p.click("Declined")
    p.sees("card expired")
    p.click("Retry")
    p.fill("Order", "A-1042")
    p.click("Authorized")
    p.sees("Thank you for order A-1042")
    p.click("Close")
    return {"order": "A-1042", "total": 104}


def stopwatch(p):
    p.click("Lap")
    expect(p.view.get_by_role("listitem")).to_have_count(1)
    p.click("Pause")
    p.click("Reset")
    p.confirm()
    p.sees("0")
    expect(p.view.get_by_role("listitem")).to_have_count(0)
    p.click("Resume")
    p.misses("0")


def weather(p):
    p.sees("Oslo")
    p.sees("4.5")
    p.click("Reload")
    p.sees("rain")
    p.click("Close")
    return {"place": "Oslo"}


def build_watch(p):
    p.sees("passed")
    p.click("Run")
    p.sees("2")
    p.click("Stop")
    return {"runs": 2}


def notes(p):
    for text in ["buy tea", "wash the mug"]:
        p.fill("Text", text)
        p.click("Add")
        p.sees(text)
    p.click("Remove", p.view.get_by_role("listitem").filter(has_text="buy tea"))
    p.misses("buy tea")
    p.click("Close")
    return {"count": 1}


def form(p):
    for number, text in [(0, "ada@example.org"), (1, "Ada")]:
        p.fill("Value", text, nth=number)
        p.click("Change", nth=number)
    p.click("Submit")
    return {"email": "ada@example.org", "name": "Ada"}


def wizard(p):
    p.sees("What is your name?")
    p.fill("Text", "Ada")
    p.click("Send")
    p.sees("Where do you live?")
    p.click("Back")
    p.sees("What is your name?")
    p.sees("Ada")
    p.fill("Text", "Grace")
    p.click("Send")
    p.sees("Where do you live?")
    p.fill("Text", "Oslo")
    p.click("Send")
    return {"where": "Oslo", "who": "Grace"}


def undo(p):
    p.fill("Text", "one")
    p.click("Write")
    p.click("Undo")
    expect(p.view.get_by_label("Text")).to_have_value("")
    p.click("Redo")
    expect(p.view.get_by_label("Text")).to_have_value("one")


def tea(p):
    p.fill("Minutes", "4")
    p.click("Brew")
    p.sees("Steeping for 4 minutes")
    p.click("Leave")
    return {"cups": 0}


def door(p):
    p.click("Open")
    p.click("Close")
    p.sees("closed")


def list_(p):
    p.sees("Milk")
    p.fill("Text", "Bre")
    p.click("Find")
    p.misses("Milk")
    p.click("Toggle")
    p.sees("Rye, sliced")
    p.click("Remove")
    p.misses("Bread")


FLOWS = {
    hello: ["hello/hello.lua"],
    counter: ["counter/counter.lua"],
    todo: ["todo/todo.lua"],
    tic_tac_toe: ["tic-tac-toe/tic-tac-toe.lua", "--props", f"@{EXAMPLES}/tic-tac-toe/players.json"],
    welcome: ["welcome/welcome.lua"],
    checkout: ["checkout/checkout.lua", "--props", f"@{EXAMPLES}/checkout/cart.json"],
    stopwatch: ["stopwatch/stopwatch.lua", "--props", '{"tick":0.2}'],
    weather: ["weather/weather.lua"],
    build_watch: ["build-watch/build-watch.lua"],
    notes: ["notes/notes.lua"],
    form: ["recipes/form.lua"],
    wizard: ["recipes/wizard.lua"],
    undo: ["recipes/undo.lua"],
    tea: ["tutorial/tea.lua"],
    door: ["recipes/door.lua"],
    list_: ["recipes/list.lua", "--props", '{"items":[{"id":1,"title":"Milk"},{"id":2,"title":"Bread","text":"Rye, sliced"}]}'],
}


@pytest.fixture
def server():
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    serving = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=EXAMPLES / "weather"))
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    yield serving.server_address[1]
    serving.shutdown()


def grants(play, folder, port):
    if play is weather:
        return ["--allow", f"http=localhost:{port}", "--props", json.dumps({"url": f"http://localhost:{port}/oslo.json"})]
    if play is notes:
        path = str(folder / "notes.db")
        return ["--allow", f"file={path}", "--props", json.dumps({"database": path})]
    if play is build_watch:
        props = {"path": str(folder), "program": "true"}
        return ["--allow", f"file.read={folder}", "--allow", "process=true", "--props", json.dumps(props)]
    return []


def includes(value, expected):
    if isinstance(expected, dict):
        return isinstance(value, dict) and all(key in value and includes(value[key], part) for key, part in expected.items())
    return value == expected


@pytest.mark.parametrize("path", ["/play", "/"])
@pytest.mark.parametrize("play", FLOWS, ids=lambda play: play.__name__.strip("_"))
def test_an_example_is_played_to_its_end(play, path, program, visit, tmp_path, server):
    flow, *options = FLOWS[play]
    running = program(EXAMPLES / flow, *options, *grants(play, tmp_path, server))
    page = visit(running.url(path))
    expected = play(Player(page))
    if expected is None:
        return
    if path == "/play":
        notice = page.locator("#notices").get_by_text("Result")
        expect(notice).to_be_visible()

    def is_output():
        # Workers may go on after the output.
        steps = [{"from": step, "to": step + 1} for step in range(running.ask("status")["of"])]
        outputs = [plain(output) for step in steps for output in running.ask("diff", **step)["outputs"]]
        return any(includes(output, expected) for output in outputs)

    until(is_output)


def test_what_is_typed_stays_while_the_flow_goes_on(program, visit):
    running = program(EXAMPLES / "todo/todo.lua")
    page = visit(running.url("/play"))
    player = Player(page)
    field = player.view.get_by_label("Text", exact=True)
    field.fill("half a wo")
    running.ask("send", action={"type": "add", "text": "buy tea"})
    player.sees("buy tea")
    expect(field).to_have_value("half a wo")
    expect(field).to_be_focused()
    page.keyboard.type("rd")
    page.keyboard.press("Enter")
    player.sees("half a word")
    expect(field).to_have_value("")
    expect(field).to_be_focused()


def test_what_is_typed_in_a_row_moves_with_it(program, visit):
    running = program(EXAMPLES / "todo/todo.lua")
    for text in ["one", "two"]:
        running.ask("send", action={"type": "add", "text": text})
    page = visit(running.url("/play"))
    player = Player(page)
    two = player.view.get_by_role("listitem").filter(has_text="two")
    player.click("Edit", two)
    player.fill("Text", "second", two)
    running.ask("send", action={"type": "remove"}, node="todo/item:1")
    player.misses("one")
    expect(player.view.get_by_role("listitem").get_by_label("Text")).to_have_value("second")


def test_a_refusal_stands_at_the_form_and_keeps_what_was_typed(program, visit):
    running = program(EXAMPLES / "checkout/checkout.lua")
    player = Player(visit(running.url("/play")))
    player.fill("Sku", "pot-03")
    player.click("Add item")
    expect(player.view.get_by_role("alert")).to_contain_text("An item needs a price.")
    expect(player.view.get_by_label("Sku", exact=True)).to_have_value("pot-03")
    player.fill("Price", "40")
    player.click("Add item")
    player.sees("pot-03")
    expect(player.view.get_by_role("alert")).to_have_count(0)


def test_an_action_is_sent_once_however_fast_it_is_clicked(program, visit):
    running = program(EXAMPLES / "counter/counter.lua")
    page = visit(running.url("/play"))
    player = Player(page)
    player.sees("0")
    held = []
    page.route("**/request?*", lambda route: held.append(route) if '"send"' in (route.request.post_data or "") else route.continue_())
    button = player.view.get_by_role("button", name="Increment")
    button.click(click_count=3)
    expect(button).to_have_attribute("aria-busy", "true")
    while not held:
        page.wait_for_timeout(10)
    for route in held:
        route.continue_()
    player.sees("1")
    assert running.ask("status")["of"] == 1
    assert len(held) == 1
