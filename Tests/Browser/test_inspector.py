"""The inspector, with the program behind it: what is shown, and both ways into the past."""

import itertools
import json
import re
import urllib.request

import pytest
from playwright.sync_api import expect

from conftest import EXAMPLES, findings

TODO = EXAMPLES / "todo/todo.lua"
MARKUP = "<img src=x onerror=alert(1)><b>bold</b>"


@pytest.fixture
def todo(program):
    """A list of three things, one of them done, after four steps."""
    running = program(TODO)
    for text in ["milk", "bread", "jam"]:
        running.ask("send", action={"type": "add", "text": text})
    running.ask("send", action={"type": "toggle"}, node="todo/item:2")
    return running


def entry(page, text):
    return page.get_by_role("option").filter(has_text=text)


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def region(page, name):
    return page.get_by_role("region", name=name, exact=True)


def rendering(page):
    return region(page, "Rendering").first


def position(page, text):
    expect(page.locator(".top .position").first).to_have_text(text)


def test_the_first_screen_shows_tree_rendering_changes_and_timeline(todo, visit):
    page = visit(todo.url())
    position(page, "step 4 of 4")
    expect(page.get_by_role("tree", name="Nodes").get_by_role("treeitem")).to_have_count(4)
    expect(rendering(page)).to_contain_text("1 of 3 done")
    expect(region(page, "Changes")).to_contain_text('was "0 of 3 done"')
    expect(entry(page, "toggle")).to_have_attribute("aria-selected", "true")
    assert "token" not in page.url


def test_the_smallest_flow_has_no_empty_panel(program, visit):
    page = visit(program(EXAMPLES / "hello/hello.lua").url())
    expect(rendering(page)).to_contain_text("Hello, world!")
    expect(page.get_by_role("tree", name="Nodes")).to_have_count(0)
    expect(region(page, "Timeline")).to_have_count(0)
    expect(region(page, "Changes")).to_have_count(0)


def test_a_node_is_selected_by_keys_and_its_state_is_shown(todo, visit):
    page = visit(todo.url())
    tree = page.get_by_role("tree", name="Nodes")
    tree.focus()
    page.keyboard.press("ArrowDown")
    expect(region(page, "Node item:1")).to_contain_text("editing")
    page.keyboard.press("End")
    expect(region(page, "Node item:3")).to_contain_text("jam")
    page.keyboard.press("ArrowLeft")
    expect(region(page, "Node todo")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(tree.get_by_role("treeitem")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(tree.get_by_role("treeitem")).to_have_count(4)


def test_a_wide_tree_is_scrolled_to_its_end(program, visit, tmp_path):
    flow = tmp_path / "wide.lua"
    flow.write_text("""
local Item = { name = "item" }
function Item.render(_, context) return { id = context.props.id } end
return { render = function(_, context)
    local rows = {}
    for id = 1, 500 do rows[id] = context:render(Item, { id = id }, { key = id }) end
    return { rows = rows }
end }
""")
    page = visit(program(flow).url())
    tree = page.get_by_role("tree", name="Nodes")
    expect(tree.get_by_role("treeitem").nth(1)).to_have_text("item1")
    expect(region(page, "Tree")).to_contain_text("501 nodes")
    tree.focus()
    page.keyboard.press("End")
    tree.evaluate("tree => tree.scrollTo(0, tree.scrollHeight)")
    expect(tree.get_by_role("treeitem").last).to_have_text("item500")
    tree.get_by_role("treeitem").last.click()
    expect(region(page, "Node item:500")).to_contain_text("id")
    page.keyboard.press("Home")
    expect(tree.get_by_role("treeitem", selected=True)).to_contain_text("wide")
    assert page.locator("*").count() < 2000


def test_looking_at_a_step_leaves_the_session_where_it_is(todo, visit):
    page = visit(todo.url())
    other = visit(todo.url())
    entry(page, "bread").click()
    expect(rendering(page)).to_contain_text("0 of 2 done")
    expect(page.get_by_role("status").first).to_contain_text("You look at step 2. The session stays at step 4.")
    expect(button(rendering(page), "Add")).to_be_disabled()
    assert todo.ask("status")["step"] == 4
    rendering(other).get_by_label("Text", exact=True).fill("tea")
    button(rendering(other), "Add").click()
    expect(rendering(other)).to_contain_text("1 of 4 done")
    position(page, "step 2 of 5")
    expect(rendering(page)).to_contain_text("0 of 2 done")
    page.keyboard.press("Escape")
    expect(rendering(page)).to_contain_text("1 of 4 done")


def test_what_is_looked_at_stays_while_another_moves_the_session_through_it(todo, visit):
    page = visit(todo.url())
    entry(page, "bread").click()
    banner = page.get_by_role("status").first
    for step, said in [(2, "The session is there, too."), (1, "The session stays at step 1."), (4, "The session stays at step 4.")]:
        todo.ask("goto", step=step)
        expect(banner).to_contain_text(f"You look at step 2. {said}")
        position(page, "step 2 of 4")
        expect(button(rendering(page), "Add")).to_be_disabled()
    todo.ask("goto", step=1)
    todo.ask("send", action={"type": "add", "text": "tea"})
    todo.ask("send", action={"type": "add", "text": "jam"})
    expect(banner).to_contain_text("Step 2, which you looked at, was given up.")
    position(page, "step 3 of 3")


def test_a_lost_request_shows_no_other_step_and_is_asked_again(todo, visit):
    page = visit(todo.url())
    expect(rendering(page)).to_contain_text("1 of 3 done")
    for answer in [lambda route: route.abort(), lambda route: route.fulfill(status=502, body="<html>")]:
        page.route("**/request*", answer)
        entry(page, "bread").click()
        position(page, "step 2 of 4")
        for name in ["Rendering", "Changes"]:
            expect(region(page, name)).to_contain_text("The connection to the program is lost.")
        expect(region(page, "Changes")).not_to_contain_text("was")
        expect(rendering(page)).not_to_contain_text("done")
        page.unroute("**/request*")
        expect(rendering(page)).to_contain_text("0 of 2 done")
        expect(region(page, "Changes")).to_contain_text('was "0 of 1 done"')
        expect(page.get_by_role("tree", name="Nodes").get_by_role("treeitem")).to_have_count(3)
        page.keyboard.press("Escape")
        expect(rendering(page)).to_contain_text("1 of 3 done")
    page.faults[:] = [fault for fault in page.faults if "Failed to load resource" not in fault]


def test_the_changes_of_a_step_are_between_the_renderings_that_are_shown(program, visit, tmp_path):
    flow = tmp_path / "counter.lua"
    source = (EXAMPLES / "counter/counter.lua").read_text()
    flow.write_text(source)
    running = program(flow)
    for by in [10, 100]:
        running.ask("send", action={"type": "increment"})
        running.ask("send", action={"type": "increment"})
        flow.write_text(source.replace("props.step or 1", f"props.step or {by}"))
        running.ask("reload")
    page = visit(running.url())
    # The reloads kept 2 at step 2 and 22 at step 4. Each step is as the code of its time played it.
    for step, was, now in [(4, 12, 22), (3, 2, 12), (2, 1, 2)]:
        if step < 4:
            page.keyboard.press("[")
        position(page, f"step {step} of 4")
        expect(rendering(page).locator("[data-path=count]").last).to_have_text(str(now))
        expect(region(page, "Changes")).to_contain_text(f"{now} was {was}")


def test_one_moves_through_the_timeline_by_keys_and_by_the_address(todo, visit):
    page = visit(todo.url(fragment="&step=1&node=todo/item:1"))
    position(page, "step 1 of 4")
    expect(region(page, "Node item:1")).to_be_visible()
    slider = page.get_by_role("slider", name="Step")
    slider.focus()
    page.keyboard.press("ArrowRight")
    position(page, "step 2 of 4")
    page.keyboard.press("Home")
    position(page, "step 0 of 4")
    page.go_back()
    position(page, "step 2 of 4")
    page.go_back()
    position(page, "step 1 of 4")
    page.go_forward()
    position(page, "step 2 of 4")
    assert "#step=2&node=todo%2Fitem%3A1" in page.url


def test_the_session_itself_goes_back_and_goes_on_from_there(todo, visit):
    page = visit(todo.url())
    entry(page, "bread").click()
    button(page, "Take the session here").click()
    banner = page.get_by_role("status").first
    expect(banner).to_contain_text("The session is in the past, at step 2 of 4. Its workers are held.")
    assert todo.ask("status")["step"] == 2
    button(page, "Go on from here…").click()
    expect(page.get_by_role("dialog")).to_contain_text("gives up the 2 later steps")
    button(page, "Cancel").click()
    assert todo.ask("status")["of"] == 4
    button(page, "Go on from here…").click()
    page.get_by_role("dialog").get_by_role("button").first.click()
    position(page, "step 2 of 2")
    assert todo.ask("status")["of"] == 2


def test_another_way_is_tried_beside_the_session(todo, visit):
    page = visit(todo.url())
    entry(page, "bread").click()
    button(page, "Try another way").click()
    other = region(page, "Another way")
    other.get_by_label("Text", exact=True).fill("tea")
    button(other, "Add").click()
    expect(other.get_by_text("0 of 3 done", exact=True)).to_be_visible()
    assert todo.ask("status")["of"] == 4
    page.keyboard.press("Escape")
    expect(rendering(page)).to_contain_text("1 of 3 done")
    button(other, "Close").click()
    expect(other).to_have_count(0)


def test_another_way_ends_with_the_page(todo, visit):
    page = visit(todo.url())
    entry(page, "bread").click()
    button(page, "Try another way").click()
    expect(region(page, "Another way")).to_contain_text("0 of 2 done")
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    expect(region(page, "Another way")).to_contain_text("The session is over")


def test_undo_and_redo(todo, visit):
    page = visit(todo.url())
    entry(page, "bread").click()
    timeline = region(page, "Timeline")
    expect(button(timeline, "Undo")).to_have_attribute("title", "The session goes to step 3")
    button(timeline, "Look at the step before").click()
    position(page, "step 1 of 4")
    page.keyboard.press("Escape")
    button(page, "Undo").click()
    expect(rendering(page)).to_contain_text("0 of 3 done")
    button(page, "Redo").click()
    expect(rendering(page)).to_contain_text("1 of 3 done")


def test_a_value_says_why_it_is_so(todo, visit):
    page = visit(todo.url())
    button(region(page, "Changes"), "rows[2].done").click()
    why = region(page, "Why")
    expect(why).to_contain_text("since step 4")
    expect(why).to_contain_text("item.done = not item.done")
    rendering(page).get_by_text("1 of 3 done").click()
    expect(why).to_contain_text("title")


def test_an_error_is_told_as_on_the_terminal(todo, visit):
    page = visit(todo.url())
    button(rendering(page), "Add").click()
    error = region(page, "Errors")
    expect(error).to_contain_text("add needs a text")
    expect(error).to_contain_text("todo.lua:12 in apply.add of todo")
    expect(error.locator(".here")).to_contain_text("assert(type(action.text)")
    expect(error).to_contain_text("The state is as it was before.")
    rendering(page).get_by_label("Text", exact=True).fill("tea")
    button(rendering(page), "Add").click()
    expect(error).to_have_count(0)


def test_inputs_are_searched_and_filtered(todo, visit):
    page = visit(todo.url())
    options = page.get_by_role("option")
    expect(options).to_have_count(5)
    page.keyboard.press("/")
    page.keyboard.type("MILK")
    expect(options).to_have_count(1)
    options.first.click()
    position(page, "step 1 of 4")
    page.get_by_role("searchbox").fill("")
    button(page, "Workers").click()
    expect(options).to_have_count(0)
    button(page, "Workers").click()
    expect(options).to_have_count(5)


def test_a_key_has_opened_its_field_before_the_next_key_comes(todo, visit):
    page = visit(todo.url())
    position(page, "step 4 of 4")
    focused = """async (keys) => {
        document.body.dispatchEvent(new KeyboardEvent("keydown", { ...keys, bubbles: true }));
        await null;
        return document.activeElement.getAttribute("aria-label");
    }"""
    assert page.evaluate(focused, {"key": "/"}) == "Search inputs"
    assert page.evaluate(focused, {"key": "k", "ctrlKey": True}) == "Command, step or node"


def test_an_expression_is_evaluated_at_the_step_that_is_shown(todo, visit):
    page = visit(todo.url())
    node = region(page, "Node todo")
    node.get_by_label("Evaluate a Lua expression").fill("{ count = #state.items, title = rendering.title }")
    button(node, "Evaluate").click()
    value = page.get_by_role("tree", name="Value")
    expect(value).to_contain_text("3")
    expect(value).to_contain_text("1 of 3 done")
    entry(page, "bread").click()
    expect(value).to_contain_text("0 of 2 done")
    node.get_by_label("Evaluate a Lua expression").fill("state.(")
    button(node, "Evaluate").click()
    expect(node.locator(".error")).to_be_visible()


def test_the_order_of_the_keyboard_is_the_order_that_is_seen(todo, visit):
    for width, columns in [(1280, ["left", "middle", "right"]), (390, ["middle", "right", "left"])]:
        page = visit(todo.url(), width=width)
        position(page, "step 4 of 4")
        expect(page.locator(".columns > *")).to_have_count(3)
        names = page.locator(".columns > *").evaluate_all("all => all.map((one) => one.className.split(' ').pop())")
        assert names == columns
        places = page.locator(".columns > *").evaluate_all(
            "all => all.map((one) => one.getBoundingClientRect()).map(({ top, left }) => [Math.round(top), left])")
        assert places == sorted(places)


@pytest.mark.parametrize("width,height", [(640, 400), (390, 700), (720, 450), (900, 1200)])
def test_a_small_screen_scrolls_as_a_whole_above_its_timeline(width, height, todo, visit):
    page = visit(todo.url(), width=width, height=height)
    position(page, "step 4 of 4")
    expect(region(page, "Node todo")).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # No panel of a column covers the next.
    for column in page.locator(".columns > .column").all():
        boxes = column.locator("> *").evaluate_all(
            "all => all.map((one) => ({ top: one.getBoundingClientRect().top, bottom: one.getBoundingClientRect().top + one.scrollHeight }))")
        assert all(one["bottom"] <= other["top"] + 1 for one, other in itertools.pairwise(boxes)), boxes
    for place in ["0", "document.body.scrollHeight"]:
        page.evaluate(f"scrollTo(0, {place})")
        expect(page.get_by_role("slider", name="Step")).to_be_in_viewport(ratio=1)
        expect(button(page, "Undo")).to_be_in_viewport(ratio=1)
    expect(entry(page, "bread")).to_be_hidden()
    button(page, "Steps").click()
    entry(page, "bread").click()
    position(page, "step 2 of 4")
    button(page, "Undo").click()
    expect(page.get_by_role("status").first).to_contain_text("The session stays at step 3")


def test_pages_of_unequal_rights_share_a_browser(todo, visit):
    request = urllib.request.Request(
        f"{todo.origin}/share", b'{"scopes":["view"]}',
        {"Content-Type": "application/json", "Authorization": f"Bearer {todo.token}"})
    with urllib.request.urlopen(request) as answer:
        shared = json.load(answer)["token"]
    page = visit(todo.url())
    position(page, "step 4 of 4")
    viewer = page.context.new_page()
    viewer.goto(f"{todo.origin}/#token={shared}")
    position(viewer, "step 4 of 4")
    expect(button(viewer, "Undo")).to_have_count(0)
    for step in [3, 2]:
        button(page, "Undo").click()
        position(viewer, f"step {step} of 4")
        expect(viewer.get_by_role("status").first).to_contain_text(f"in the past, at step {step} of 4")
        for one in [page, viewer]:
            one.reload()
            position(one, f"step {step} of 4")
    expect(button(page, "Redo")).to_be_enabled()
    expect(button(viewer, "Redo")).to_have_count(0)
    expect(button(rendering(viewer), "Add")).to_be_disabled()


@pytest.mark.parametrize("path,place", [("/", "main"), ("/play", "#state")])
def test_a_stream_that_is_refused_says_why(path, place, todo, visit):
    page = visit(todo.url())
    position(page, "step 4 of 4")
    problem = {"title": "Too many streams", "detail": "Close a page that shows a session.", "code": "busy"}
    refusal = [503]
    page.route("**/stream*", lambda route: route.fulfill(
        status=refusal[0], content_type="application/problem+json", body=json.dumps(problem)))
    page.goto(f"{todo.origin}{path}")
    expect(page.locator(place)).to_contain_text("Close a page that shows a session.")
    expect(page.locator(place)).to_contain_text("The page tries again by itself.")
    refusal[0] = 404
    expect(page.locator(place)).to_contain_text("Open the address of the page anew.")
    page.unroute("**/stream*")
    page.faults[:] = [fault for fault in page.faults if "Failed to load resource" not in fault]


def test_the_palette_finds_commands_steps_and_nodes(todo, visit):
    page = visit(todo.url())
    position(page, "step 4 of 4")

    def choose(text, name):
        page.keyboard.press("Control+k")
        palette = page.get_by_role("dialog", name="Commands")
        palette.get_by_role("combobox").fill(text)
        expect(palette.get_by_role("option", selected=True)).to_contain_text(name)
        page.keyboard.press("Enter")
        expect(palette).to_have_count(0)

    choose("2", "Look at step 2")
    position(page, "step 2 of 4")
    choose("now", "Back to now")
    position(page, "step 4 of 4")
    choose("item:3", "todo/item:3")
    expect(region(page, "Node item:3")).to_be_visible()
    choose("undo", "Undo")
    position(page, "step 3 of 4")
    choose("messages", "Show messages")
    expect(page.get_by_role("listbox", name="Messages")).to_be_visible()
    page.get_by_role("textbox", name="Evaluate").focus()
    page.keyboard.press("Control+k")
    page.keyboard.type("no such command")
    expect(page.get_by_role("dialog")).to_contain_text("Nothing has this name.")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_path_is_copied(todo, visit):
    page = visit(todo.url(fragment="&node=todo/item:1"), permissions=["clipboard-read", "clipboard-write"])
    button(region(page, "Node item:1"), "Copy the path").click()
    expect(page.get_by_role("status").first).to_contain_text("Copied: todo/item:1")
    assert page.evaluate("navigator.clipboard.readText()") == "todo/item:1"


def test_times_are_told_as_seen_from_now_with_the_exact_one_behind(todo, visit):
    page = visit(todo.url())
    time = entry(page, "toggle").locator("time")
    expect(time).to_have_text(re.compile(r"^(now|\d+ (s|min) ago)$"))
    expect(time).to_have_attribute("title", re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$"))
    button(page, "Times: ago").click()
    expect(time).to_have_text(re.compile(r"^[\d.]+ m?s$"))
    button(page, "Times: since the start").click()
    expect(time).to_have_text(re.compile(r"^\d\d:\d\d:\d\d\.\d{3}$"))


def test_messages_are_arrows_between_lanes(program, visit):
    running = program(TODO)
    for text in ["milk", "bread"]:
        running.ask("send", action={"type": "add", "text": text})
    running.ask("send", action={"type": "toggle"}, node="todo/item:2")
    page = visit(running.url(fragment="&view=messages"))
    lanes = page.get_by_role("listbox", name="Messages")
    expect(page.locator(".lane-name")).to_have_text(["outside", "todo", "item:2"])
    rows = lanes.get_by_role("option")
    expect(rows).to_have_count(4)
    expect(rows.nth(1)).to_contain_text('outside to todo: add { text = "milk" }')
    expect(rows.nth(3)).to_contain_text("outside to todo/item:2: toggle")
    expect(rows.nth(3)).to_contain_text("todo/item:2 to todo: toggle { id = 2 }")
    # It points from the one lane to the other.
    ends = rows.nth(3).locator(".arrow").evaluate_all("all => all.map((one) => one.getBoundingClientRect()).map(({ left, right }) => [left, right])")
    middles = page.locator(".lane-name").evaluate_all("all => all.map((one) => one.getBoundingClientRect()).map(({ left, width }) => left + width / 2)")
    for (left, right), (one, other) in zip(ends, [(0, 2), (1, 2)]):
        assert abs(left - middles[one]) < 2 and abs(right - middles[other]) < 2
    lanes.focus()
    page.keyboard.press("ArrowUp")
    position(page, "step 2 of 3")
    rows.nth(1).click()
    position(page, "step 1 of 3")
    assert "view=messages" in page.url
    page.keyboard.press("1")
    expect(rendering(page)).to_contain_text("0 of 1 done")


def test_a_worker_is_a_bar_over_time(program, visit):
    running = program(EXAMPLES / "stopwatch/stopwatch.lua", "--props", '{"tick":1000,"limit":4000}')
    for action in ["pause", "resume"]:
        running.ask("send", action={"type": action})
    page = visit(running.url(fragment="&view=messages"))
    expect(page.locator(".lane-name")).to_have_text(["outside", "stopwatch", "clock.every"])
    rows = page.get_by_role("listbox", name="Messages").get_by_role("option")
    for row, kind in [(0, "bar starts"), (1, "bar ends"), (2, "bar starts")]:
        expect(rows.nth(row).locator(".bar")).to_have_attribute("class", kind)
    running.ask("goto", step=0)
    running.ask("worker", node="stopwatch", worker="clock.every", output={"tick": 1})
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("clock.every of stopwatch to stopwatch: tick")


def test_the_states_of_a_field_are_a_chart(program, visit):
    running = program(EXAMPLES / "checkout/checkout.lua", "--props", f"@{EXAMPLES}/checkout/cart.json")
    for action, node in [("pay", None), ("cancel", "checkout/payment"), ("pay", None)]:
        running.ask("send", action={"type": action}, **({"node": node} if node else {}))
    page = visit(running.url(fragment="&view=states"))
    states = region(page, "States")
    boxes = states.locator(".state-box")
    # The field that names them was found.
    field = states.get_by_role("combobox", name="States by")
    expect(field).to_have_value("state.screen")
    expect(boxes).to_have_text(["cart", "paying"])
    expect(states.locator(".way")).to_have_text(["pay ×2", "cancel"])
    expect(states.locator("[aria-current]")).to_have_text("paying")
    running.ask("send", action={"type": "authorized", "order": "A-1"}, node="checkout/payment")
    expect(boxes).to_have_text(["cart", "paying", "done"])
    button(states, "cancel").click()
    position(page, "step 2 of 4")
    expect(states.locator("[aria-current]")).to_have_text("cart")
    field.fill("rendering.total")
    button(states, "Show").click()
    expect(boxes).to_have_text(["33.5", "nil"])


def test_the_first_step_where_something_holds_is_found(todo, visit):
    page = visit(todo.url())
    field = page.get_by_label("First step where this Lua expression holds")
    field.fill("#rendering.rows > 1")
    button(page, "Find").click()
    position(page, "step 2 of 4")
    field.fill("#rendering.rows > 9")
    page.keyboard.press("Enter")
    expect(region(page, "Timeline")).to_contain_text("at no step")


def test_a_worker_is_played_by_hand_in_the_past(program, visit):
    running = program(EXAMPLES / "stopwatch/stopwatch.lua", "--props", '{"tick":1000,"limit":4000}')
    page = visit(running.url())
    worker = region(page, "Node stopwatch")
    expect(worker).to_contain_text("clock.every")
    part = worker.get_by_label("Play its part")
    expect(part).to_have_count(0)
    button(rendering(page), "Pause").click()
    position(page, "step 1 of 1")
    running.ask("goto", step=0)
    part.fill('{"tick":2}')
    button(worker, "Give output").click()
    expect(part).to_have_count(0)
    expect(entry(page, "clock.every")).to_be_visible()


def test_a_reload_marks_the_steps_that_are_shown_differently(program, visit, tmp_path):
    flow = tmp_path / "counter.lua"
    flow.write_text((EXAMPLES / "counter/counter.lua").read_text())
    running = program(flow)
    for _ in range(3):
        running.ask("send", action={"type": "increment"})
    page = visit(running.url())
    position(page, "step 3 of 3")
    flow.write_text(flow.read_text().replace("count = state.count,", "count = state.count > 1 and 10 or state.count,"))
    button(page, "Reload files").click()
    expect(page.get_by_role("status").first).to_contain_text("2 steps")
    expect(page.locator(".entry.changed .number")).to_have_text(["2", "3"])


def test_a_page_that_may_only_look_offers_nothing_else(program, visit):
    running = program(TODO, "--inspect-scope", "view")
    page = visit(running.url())
    expect(button(rendering(page), "Add")).to_be_disabled()
    for name in ["Undo", "Redo", "Reload files"]:
        expect(button(page, name)).to_have_count(0)


def test_a_session_that_ends_says_so(program, visit):
    running = program(TODO)
    page = visit(running.url())
    expect(rendering(page)).to_contain_text("0 of 0 done")
    running.close()
    expect(page.get_by_role("status").first).to_contain_text("The session is over")
    expect(button(rendering(page), "Add")).to_be_disabled()
    # The browser logs what was asked while the program ended.
    page.faults[:] = [fault for fault in page.faults if "Failed to load resource" not in fault]


def test_markup_makes_no_element(program, visit, tmp_path):
    flow = tmp_path / "markup.lua"
    flow.write_text(f"""
local Row = {{ name = "{MARKUP}" }}
function Row.render() return {{ text = "{MARKUP}" }} end
return {{
    state = function() return {{ ["{MARKUP}"] = "{MARKUP}" }} end,
    apply = {{ ["{MARKUP}"] = function(state, action) return {{ said = action.text }} end }},
    render = function(state, context)
        return {{ ["{MARKUP}"] = state, row = context:render(Row, {{ of = "{MARKUP}" }}, {{ key = "{MARKUP}" }}),
            go = context:sink("{MARKUP}") }}
    end,
}}
""")
    running = program(flow)
    running.ask("send", action={"type": MARKUP, "text": MARKUP})
    page = visit(running.url())
    position(page, "step 1 of 1")
    items = page.get_by_role("tree", name="Nodes").get_by_role("treeitem")
    expect(items).to_have_count(2)
    for item in items.all():
        item.click()
        expect(page.locator(".node .value-tree").first).to_contain_text("<img")
    button(page, "As a value").click()
    expect(rendering(page)).to_contain_text("<img")
    assert page.locator("img, b").count() == 0



@pytest.mark.parametrize("flow", ["todo/todo.lua", "hello/hello.lua", "tic-tac-toe/tic-tac-toe.lua", "stopwatch/stopwatch.lua"])
def test_axe_finds_nothing(flow, program, visit):
    running = program(EXAMPLES / flow)
    page = visit(running.url())
    expect(rendering(page).locator(".rendering > *").first).to_be_visible()
    clean(page)
    if "todo" not in flow:
        return
    for text in ["milk", "bread"]:
        running.ask("send", action={"type": "add", "text": text})
    position(page, "step 2 of 2")
    button(rendering(page), "Add").click()
    expect(region(page, "Errors")).to_be_visible()
    entry(page, "milk").click()
    button(region(page, "Changes"), "title").click()
    expect(region(page, "Why")).to_contain_text("since")
    clean(page)
    for view in ["Messages", "States"]:
        button(page, view).click()
        expect(region(page, view)).to_be_visible()
        clean(page)
    page.get_by_role("combobox", name="States by").fill("rendering.title")
    page.keyboard.press("Enter")
    expect(page.locator(".state-box").first).to_be_visible()
    clean(page)
    button(page, "Rendering").click()
    button(page, "Try another way").click()
    expect(region(page, "Another way")).to_contain_text("0 of 1 done")
    clean(page)
    page.keyboard.press("Control+k")
    expect(page.get_by_role("dialog").get_by_role("option").first).to_be_visible()
    clean(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    clean(page)


def clean(page):
    assert list(findings(page)) == []
