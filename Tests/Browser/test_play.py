"""The page for players: safe with what flows say, and usable by all."""


import pytest
from playwright.sync_api import expect

from conftest import EXAMPLES, findings

MARKUP = """
local text = "<img src=x onerror=alert(1)><script>alert(2)</script>"
local Flow = { state = { count = 0 } }
Flow.apply = {
    [text] = function(state, action)
        state.count = state.count + 1
        return { [text] = action[text] or text }
    end,
    fail = function() error(text) end,
}
function Flow.render(state, context)
    return {
        [text] = text,
        title = text,
        name = context:sink("fail"),
        rows = { { [text] = text, tap = context:sink(text, { [text] = text }) } },
        count = state.count,
    }
end
return Flow
"""

FLOWS = {
    "hello": [], "counter": [], "todo": [], "welcome": [],
    "tic-tac-toe": ["--props", f"@{EXAMPLES}/tic-tac-toe/players.json"],
    "checkout": ["--props", f"@{EXAMPLES}/checkout/cart.json"],
}


@pytest.mark.parametrize("flow", FLOWS)
def test_axe_finds_nothing(flow, program, visit):
    running = program(EXAMPLES / flow / f"{flow}.lua", *FLOWS[flow])
    if flow == "todo":
        for text in ["buy tea", "wash the mug"]:
            running.ask("send", action={"type": "add", "text": text})
        running.ask("send", action={"type": "edit"}, node="todo/item:2")
    page = visit(running.url("/play"))
    expect(page.locator(".rendering button").first).to_be_visible()
    if flow == "todo":
        page.get_by_role("button", name="Add", exact=True).click()
        expect(page.get_by_role("alert")).to_be_visible()
    assert list(findings(page)) == []


def test_markup_of_a_flow_makes_no_element(program, visit, tmp_path):
    (tmp_path / "flow.lua").write_text(MARKUP)
    page = visit(program(tmp_path / "flow.lua").url("/play"))
    rendering = page.locator(".rendering")
    expect(rendering.get_by_text("<img src=x").first).to_be_visible()
    rendering.get_by_role("button", name="Tap").click()
    expect(page.locator("#notices")).to_contain_text("<script>")
    rendering.get_by_role("button", name="Name").click()
    expect(rendering.get_by_role("alert")).to_contain_text("onerror")
    assert page.evaluate("document.querySelectorAll('img, script:not([src]), [onerror]').length") == 0


def test_nothing_of_a_rendering_is_out_of_reach(program, visit, tmp_path):
    (tmp_path / "flow.lua").write_text("""
        local rows = {}
        for index = 1, 260 do rows[index] = { text = "row " .. index } end
        return { render = function()
            return { rows = rows, deep = { a = { b = { c = { d = { e = { f = { "bottom" } } } } } } }, long = ("x"):rep(5000) .. "end" }
        end }
    """)
    page = visit(program(tmp_path / "flow.lua").url("/play"))
    rendering = page.locator(".rendering")
    expect(rendering.get_by_text("bottom")).to_be_visible()
    expect(rendering.get_by_text("row 200", exact=True)).to_be_visible()
    expect(rendering.get_by_text("row 201", exact=True)).to_have_count(0)
    rendering.get_by_role("button", name="Later page of Rows").click()
    expect(rendering.get_by_text("row 260", exact=True)).to_be_visible()
    expect(rendering.get_by_text("row 200", exact=True)).to_have_count(0)
    rendering.get_by_role("button", name="All 5003 bytes").click()
    expect(rendering.get_by_text("xend")).to_be_visible()


def test_a_flow_is_played_by_keyboard_alone(program, visit):
    running = program(EXAMPLES / "todo/todo.lua")
    page = visit(running.url("/play"))
    rendering = page.locator(".rendering")
    expect(rendering.get_by_label("Text")).to_be_visible()
    keys = page.keyboard
    keys.press("Tab")
    keys.type("buy tea")
    keys.press("Enter")
    expect(rendering.get_by_role("checkbox", name="buy tea")).to_be_visible()
    keys.press("Tab")
    keys.press("Tab")
    keys.press("Space")
    expect(rendering.get_by_text("1 of 1 done")).to_be_visible()
    expect(rendering.get_by_role("checkbox", name="buy tea")).to_be_focused()
    keys.press("Tab")
    keys.press("Tab")
    keys.press("Enter")
    expect(rendering.get_by_text("0 of 0 done")).to_be_visible()
    # The button that had the focus is gone; the focus stays near it.
    expect(rendering.get_by_role("button", name="Finish")).to_be_focused()


def test_a_page_that_may_only_look_offers_no_action(program, visit):
    running = program(EXAMPLES / "todo/todo.lua", "--inspect-scope", "view")
    page = visit(running.url("/play"))
    expect(page.get_by_text("0 of 0 done")).to_be_visible()
    for control in ["button", "textbox"]:
        for one in page.locator(".rendering").get_by_role(control).all():
            expect(one).to_be_disabled()


def test_a_click_in_the_past_says_what_it_gives_up(program, visit):
    running = program(EXAMPLES / "counter/counter.lua")
    for _ in range(3):
        running.ask("send", action={"type": "increment"})
    page = visit(running.url("/play"))
    state = page.locator("#state")
    expect(page.locator(".rendering")).to_contain_text("3")
    expect(state).to_have_text("")
    running.ask("goto", step=1)
    expect(state).to_have_text("Step 1 of 3 is shown. A click gives up the 2 later steps.")
    running.ask("goto", step=2)
    expect(state).to_have_text("Step 2 of 3 is shown. A click gives up the later step.")
    page.get_by_role("button", name="Increment").click()
    expect(state).to_have_text("")
    assert running.ask("status")["of"] == 3


def test_numbers_are_sent_back_as_they_are(program, visit, tmp_path):
    (tmp_path / "flow.lua").write_text("""
        local Flow = { state = {} }
        Flow.apply = { take = function(state, action)
            state.got = math.type(action.float) .. " " .. tostring(action.float) .. " " .. math.type(action.big) .. " " .. action.big
        end }
        function Flow.render(state, context)
            return {
                got = state.got, float = 12.0, big = math.maxinteger, small = 7,
                take = context:sink("take", { float = 12.0, big = math.maxinteger }),
            }
        end
        return Flow
    """)
    rendering = visit(program(tmp_path / "flow.lua").url("/play")).locator(".rendering")
    for text, exact in [("12", "12.0"), ("9,223,372,036,854,775,807", "9223372036854775807")]:
        expect(rendering.get_by_text(text, exact=True)).to_have_attribute("title", exact)
    expect(rendering.get_by_text("7", exact=True)).to_be_visible()
    rendering.get_by_role("button", name="Take").click()
    expect(rendering.get_by_text("float 12.0 integer 9223372036854775807")).to_be_visible()


def test_an_action_whose_fields_nobody_knows_can_be_given_them(program, visit, tmp_path):
    (tmp_path / "flow.lua").write_text("""
        local key = "weight"
        local Flow = { state = {} }
        Flow.apply = { put = function(state, action)
            assert(action[key], "put needs a " .. key)
            state.weight = action[key]
        end }
        function Flow.render(state, context) return { weight = state.weight, put = context:sink("put") } end
        return Flow
    """)
    rendering = visit(program(tmp_path / "flow.lua").url("/play")).locator(".rendering")
    rendering.get_by_role("button", name="Put").click()
    expect(rendering.get_by_role("alert")).to_contain_text("Put needs a weight.")
    rendering.get_by_role("button", name="Give it fields").click()
    field = rendering.get_by_label("Fields, as JSON")
    field.fill("{weight}")
    rendering.get_by_role("button", name="Put").click()
    expect(rendering.get_by_role("alert")).to_contain_text("This is not written as JSON.")
    field.fill('{"weight":40}')
    rendering.get_by_role("button", name="Put").click()
    # From now on it is known.
    expect(rendering.get_by_role("spinbutton", name="Weight")).to_have_value("40")


def test_a_refused_text_can_be_sent_as_what_was_meant(program, visit, tmp_path):
    (tmp_path / "flow.lua").write_text("""
        local Flow = { state = {} }
        Flow.apply = {
            weigh = function(state, action)
                local kind = type(action.weight)
                assert(kind ~= "string", "the weight must be something else")
                state.kind = kind
            end,
        }
        function Flow.render(state, context) return { kind = state.kind, weigh = context:sink("weigh") } end
        return Flow
    """)
    rendering = visit(program(tmp_path / "flow.lua").url("/play")).locator(".rendering")
    rendering.get_by_label("Weight", exact=True).fill("12")
    rendering.get_by_role("button", name="Weigh").click()
    expect(rendering.get_by_role("alert")).to_contain_text("The weight must be something else.")
    rendering.get_by_role("button", name="Send as a number").click()
    expect(rendering.get_by_text("number", exact=True)).to_be_visible()
    expect(rendering.get_by_role("alert")).to_have_count(0)


def test_a_form_takes_fields_that_nobody_knows(program, visit, tmp_path):
    (tmp_path / "flow.lua").write_text("""
        local Flow = { state = {} }
        Flow.apply = { add = function(state, action)
            state.text = action.text
            for name, value in pairs(action) do if name == "colour" then state.colour = value end end
        end }
        function Flow.render(state, context) return { colour = state.colour, add = context:sink("add") } end
        return Flow
    """)
    rendering = visit(program(tmp_path / "flow.lua").url("/play")).locator(".rendering")
    rendering.get_by_label("Text", exact=True).fill("tea")
    rendering.locator("summary").click()
    rendering.get_by_label("Fields, as JSON").fill('{"colour":"green"}')
    rendering.get_by_role("button", name="Add").click()
    expect(rendering.get_by_text("green", exact=True)).to_be_visible()


def test_players_undo_and_are_told_what_an_action_in_the_past_gives_up(program, visit):
    running = program(EXAMPLES / "counter/counter.lua")
    page = visit(running.url("/play"))
    expect(page.get_by_role("button", name="Increment")).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    for count in ["1", "2", "3"]:
        page.get_by_role("button", name="Increment").click()
        expect(page.locator("dd")).to_have_text(count)
    for count in ["2", "1"]:
        page.get_by_role("button", name="Undo").click()
        expect(page.locator("dd")).to_have_text(count)
    expect(page.locator("#state")).to_have_text("Step 1 of 3 is shown. A click gives up the 2 later steps.")
    page.get_by_role("button", name="Redo").click()
    expect(page.locator("dd")).to_have_text("2")
    looking = program(EXAMPLES / "counter/counter.lua", "--inspect-scope", "view,act")
    other = visit(looking.url("/play"))
    other.get_by_role("button", name="Increment").click()
    expect(other.locator("dd")).to_have_text("1")
    expect(other.get_by_role("button", name="Undo")).to_have_count(0)


@pytest.mark.parametrize("nested", ["{ title = 'level ' .. depth, inner = inner, n = 1 }", "{ { n = depth }, { n = 1, inner = inner } }"])
def test_a_deeply_nested_rendering_is_laid_out_at_once(nested, program, visit, tmp_path):
    flow = tmp_path / "deep.lua"
    flow.write_text(f"""
local Deep = {{ apply = {{ stay = function() end }} }}
function Deep.render(state, context)
    local inner = "the bottom"
    for depth = 1, 24 do inner = {nested} end
    return {{ title = "deep", inner = inner, press = context:sink("stay") }}
end
return Deep
""")
    # Each level doubled the time of the layout: 24 levels never came to an end.
    page = visit(program(flow).url("/play"))
    expect(page.locator(".rendering")).to_contain_text("deep")
    page.get_by_role("button", name="press").click()
    expect(page.get_by_role("button", name="press")).to_be_focused()
