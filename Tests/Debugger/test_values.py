"""What is shown of values, and what expressions make of them."""

import pytest

from adapter import Adapter

FLOW = """\
local calls = 0
local Item = {}
Item.__index = Item
Item.__tostring = function(item) return "item " .. item.name end
function Item:price(factor)
    calls = calls + 1
    self.seen = true
    return self.cost * (factor or 1)
end
local function total(items)
    local sum = 0
    for _, item in ipairs(items) do sum = sum + item.n end
    calls = calls + 1
    return sum
end
local function forever() while true do end end
local function fails(x) return x.y.z end
local numbers = coroutine.wrap(function() for n = 1, 100 do coroutine.yield(n) end end)
local function bump() calls = calls + 1 return calls end
local function read() return calls end
local Flow = { name = "flow", state = { items = { { n = 1 }, { n = 2 } }, word = "hush hush" } }
Flow.apply = {
    go = function(state, action)
        local item = setmetatable({ cost = 5, name = "x" }, Item)
        local t = { [-1] = "neg", ["odd key"] = 2, [true] = { deep = 1 }, list = { 1, 2, 3 } }
        local deep, innermost = {}, nil
        innermost = deep
        for n = 1, 30 do innermost.next = { n = n, mark = t }; innermost = innermost.next end
        local none, pair = nil, function() return bump(), read() end
        state.items[#state.items + 1] = { n = 10 }
        local seen = total and fails and forever and numbers and item and t and pair and bump and calls and none
    end,
}
function Flow.render(state) return { n = #state.items, calls = calls } end
return Flow
"""


@pytest.fixture
def stopped(tmp_path):
    flow = tmp_path / "flow.lua"
    flow.write_text(FLOW)

    def start(*options):
        adapter = Adapter(*options).__enter__()
        line = next(n for n, text in enumerate(FLOW.splitlines(), 1) if "local seen = total" in text)
        adapter.begin("launch", {"program": str(flow), "actions": ["go"]}, {flow: [{"line": line}]})
        assert adapter.stop()[1] == line
        made.append(adapter)
        return adapter

    made = []
    yield start
    for adapter in made:
        adapter.close()


def test_expressions_call_functions_on_copies(stopped):
    adapter = stopped()
    for text, value in [
        ("total(state.items)", "13"), ("item:price()", "5"), ("item:price(3)", "15"), ("item.seen", "nil"),
        ("calls", "0"), ("bump() + bump()", "3"), ("calls", "0"), ("tostring(item)", '"item x"'),
        ("getmetatable(item) == Item", "true"), ("table.insert(t.list, 9) or #t.list", "4"), ("#t.list", "3"),
        ("table.insert(state.items, { n = 5 }) or total(state.items)", "18"), ("#state.items", "3"),
        ("(function(n) return n * 2 end)(4)", "8"), ("{ pair() }", "{ 1, 1 }"), ("{ 1, total(state.items) }", "{ 1, 13 }"),
        ("type(total)", '"function"'), ("state.word:sub(1, 4)", '"hush"'), ("none", "nil"), ("state.nothing", "nil"),
        ("nowhere", "there is no 'nowhere' here"), ("nowhere.x", "there is no 'nowhere' here"),
        ("nowhere()", "there is no 'nowhere' here"), ("1/0", "inf"), ("rendering.n", "2"),
        ("fails(item)", "flow.lua:17: attempt to index a nil value (field 'y')"),
        ("numbers()", "expression:1: this function cannot be called in an expression"),
        ("forever()", "'forever()' did not end"), ("total(state.items)", "13"),
    ]:
        assert adapter.value(text) == value, text


def test_no_function_gives_a_secret_away(stopped):
    adapter = stopped("--secret", "word")
    for text in ["state.word", "state.word:sub(1, 4)", "state.word:reverse()", "#state.word", "total(state.items)"]:
        assert not {"hush", "hsuh", "9"} & set(adapter.value(text).replace('"', " ").split()), text


def parts(adapter, number, **more):
    return adapter.body("variables", {"variablesReference": number, **more})["variables"]


def scopes(adapter):
    found = adapter.body("scopes", {"frameId": adapter.frames()[0]["id"]})["scopes"]
    return {scope["name"]: scope["variablesReference"] for scope in found}


def test_the_expression_of_each_part_gives_it(stopped):
    adapter = stopped()
    seen = {}

    def walk(number, depth):
        for part in parts(adapter, number):
            if name := part.get("evaluateName"):
                seen[name] = part["value"]
                if "<cycle>" not in part["value"] and "<table>" not in part["value"]:
                    assert adapter.value(name) == part["value"], name
            if part["variablesReference"] and depth < 4:
                walk(part["variablesReference"], depth + 1)

    for name, number in scopes(adapter).items():
        if name in ("Locals", "State"):
            walk(number, 0)
    for name, value in [
        ("state.items[3].n", "10"), ('t["odd key"]', "2"), ("t[-1]", '"neg"'), ("t[true].deep", "1"), ("none", "nil"),
    ]:
        assert seen[name] == value


def test_parts_are_shown_to_any_depth_and_in_pages(stopped):
    adapter = stopped()
    part = next(part for part in parts(adapter, scopes(adapter)["Locals"]) if part["name"] == "deep")
    for _ in range(30):
        part = next(other for other in parts(adapter, part["variablesReference"]) if other["name"] == "next")
    assert part["evaluateName"] == "deep" + ".next" * 30
    assert {other["name"]: other["value"] for other in parts(adapter, part["variablesReference"])}["n"] == "30"
    long = adapter.body("evaluate", {"expression": "table.pack(('x'):rep(5000):byte(1, 5000))", "frameId": 1})
    assert long["variablesReference"]
    made = adapter.body(
        "evaluate",
        {"expression": "(function() local t = {} for n = 1, 5000 do t[n] = n end return t end)()", "frameId": 1})
    assert made["indexedVariables"] == 5000
    page = parts(adapter, made["variablesReference"], filter="indexed", start=4990, count=100)
    assert [part["value"] for part in page] == [str(n) for n in range(4991, 5001)]
    assert parts(adapter, made["variablesReference"], filter="named", start=0, count=2**53) == []


def test_the_clipboard_gets_all_of_a_value(stopped):
    adapter = stopped()
    text = adapter.value("('ab'):rep(3000)", "clipboard")
    assert text == '"' + "ab" * 3000 + '"'


def test_members_are_completed(stopped):
    adapter = stopped()

    def labels(text):
        targets = adapter.body("completions", {"text": text, "column": len(text) + 1, "frameId": 1})["targets"]
        return [target["label"] for target in targets]

    assert labels("string.fo") == ["format"]
    assert labels("state.word:up") == ["upper"]
    assert labels("str") == ["string"]
    assert "n" not in labels("table.") and "concat" in labels("table.")
    assert labels("item.na") == ["name"]


# Values of all kinds, and what is shown of those that `print` does not write as they are.
KINDS = [
    ("nil", None), ("true", None), ("false", None), ("0", None), ("-7", None), ("math.maxinteger", None),
    ("math.mininteger", None), ("1.5", None), ("3.0", None), ("-0.0", None), ("0.1", None), ("1/3", None), ("2^53", None),
    ("1e100", None), ("1e-7", None), ("1/0", None), ("-1/0", None), ("10 // 3", None), ("7 / 7", None), ("0x10", None),
    ('"word"', '"word"'), ('""', '""'), ('"größe"', '"größe"'), ('"a\\nb"', '"a\\nb"'), ('"\\""', '"\\""'),
    ('"\\xff\\0"', "<2 bytes>"), ("{}", "{}"), ("{ 1, 2 }", "{ 1, 2 }"), ("{ a = 1 }", "{ a = 1 }"),
    ("{ { n = 1 }, {} }", "{ { n = 1 }, {} }"), ("{ 1, a = 2 }", None), ("{ [3] = 1 }", None), ("{ [-1] = 1 }", None),
    ("{ [1.5] = 1 }", None), ("{ [true] = 1 }", None), ('{ ["odd key"] = 1 }', '{ ["odd key"] = 1 }'),
    ("{ print }", None), ("function() end", "<function kinds.lua:"), ("print", "<function>"),
    ("coroutine.create(print)", "<thread>"), ("coroutine.wrap(print)", "<function>"), ("workflow.null", "null"),
    ("setmetatable({ n = 1 }, { __index = { m = 2 } })", "{ n = 1 }"), ("state", "{ n = 0 }"),
]


def test_values_of_all_kinds_are_shown_as_lua_writes_them(tmp_path):
    names = [f"v{number}" for number in range(len(KINDS))]
    lines = [f"local {name} = {text}" for name, (text, _) in zip(names, KINDS)]
    flow = tmp_path / "kinds.lua"
    flow.write_text("\n".join([
        'local workflow = require "workflow"', "return {", "state = { n = 0 },", "apply = { go = function(state)", *lines,
        *(f"print({name})" for name in names), "state.n = 1", "end },", "render = function(state) return state end }"]))
    stop = flow.read_text().splitlines().index("state.n = 1") + 1
    with Adapter() as adapter:
        adapter.begin("launch", {"program": str(flow), "actions": ["go"]}, {flow: [{"line": stop}]})
        adapter.stop()
        printed = [
            m["body"]["output"][:-1] for m in adapter.messages
            if m.get("event") == "output" and m["body"]["category"] == "stdout"]
        shown = {part["name"]: part for part in parts(adapter, scopes(adapter)["Locals"])}
        for name, (text, wanted), said in zip(names, KINDS, printed, strict=True):
            part = shown[name]
            assert adapter.value(name) == part["value"], text
            assert part["evaluateName"] == name
            if wanted:
                assert part["value"].startswith(wanted), (text, part)
            elif not text.startswith("{"):
                assert part["value"] == said, text


CONDITIONS = [
    "i == 3", "i ~= 3", "i < 3", "i <= 3", "i > 8", "i >= 8", "3 < i", "i > -1", "i > 2.5", "i == 3.0", "item.n > 50",
    "item.n >= 50 and item.done == true", "item.n < 20 or i == 9", "item.done == nil", "item.done ~= nil and i < 6",
    "item.name == 'three'", 'item.name < "b"', "#items > 9", "#item.name == 3", "limit < i", "state.items[2].n == 20",
    "state.items[2].n == i", "item.deep.n == 4", "half == 2.5", "item == nil", "flag == false and i > 5", "i == 1 or i == 2 or i == 3",
    "i > 1 and i < 4 and item.n ~= 20", "item.n + 1 > 50", "not item.done", "i % 2 == 0", "nothing == nil", "item.n > 50 and true",
    "state.n == 1", "items[i].n > 70", "(i > 3)", "item['name'] == 'two'", "double(i) == 6", "words[i]:sub(1, 1) == 't'", "limit == 4 and math.huge > i",
]


def test_conditions_hold_where_they_hold_in_the_flow(tmp_path):
    flow = tmp_path / "flow.lua"
    words = '{ "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten" }'
    text = f"""local limit = 4
local words = {words}
local calls = 0
local function double(n)
    calls = calls + 1
    return n * 2
end
return {{
    state = {{ n = 1, items = {{ {{ n = 10 }}, {{ n = 20 }} }} }},
    apply = {{
        go = function(state)
            local items, half, flag = {{}}, 2.5, false
            for i = 1, 10 do
                local done
                if i > 4 then done = i % 3 == 0 end
                items[i] = {{ n = i * 10, name = words[i], done = done, deep = {{ n = i }} }}
            end
            for i, item in ipairs(items) do
                local here = double and i
                state.n = state.n + limit - limit
                PRINTS
            end
            if half then state.n = state.n + 0 end
        end,
    }},
    render = function(state) return state end,
}}
"""
    prints = "\n".join(f'if {text} then print("{n} " .. i) end' for n, text in enumerate(CONDITIONS)).replace("nothing", "nil")
    flow.write_text(text.replace("PRINTS", prints))
    line = next(n for n, text in enumerate(flow.read_text().splitlines(), 1) if "local here" in text)
    with Adapter() as adapter:
        adapter.begin("launch", {"program": str(flow), "actions": ["go"]}, {flow: []})
        adapter.body("threads")

        def told(category):
            return [m["body"]["output"][:-1] for m in adapter.messages
                    if m.get("event") == "output" and m["body"]["category"] == category]

        printed = told("stdout")
        assert len(printed) > 50
        for number, condition in enumerate(CONDITIONS):
            count = len(told("console"))
            adapter.body("setBreakpoints", {"source": {"path": str(flow)}, "breakpoints": [
                {"line": line, "condition": condition, "logMessage": f"{number} {{i}}"}]})
            adapter.body("threads")
            assert told("console")[count:] == [text for text in printed if text.split()[0] == str(number)], condition
