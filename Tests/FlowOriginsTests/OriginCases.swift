import FlowOrigins
import PlainValue
import Workflow

extension OriginCase {
    private static let row = """
        local Row = { name = "row" }
        function Row.render(_, context)
            local item = context.props.item
            return {
                text = item.text,
                done = item.done, --R
                toggle = context:sink("toggle"),
            }
        end
        Row.apply = {
            toggle = function(_, _, context)
                return { id = context.props.item.id } --S
            end,
        }
        return Row
        """

    private static func list(_ body: String) -> String {
        """
        local Row = require "row"
        local Main = { name = "main" }
        Main.state = { items = { { id = 1, text = "a", done = false }, { id = 2, text = "b", done = false } } }
        Main.apply = {
            \(body)
        }
        function Main.render(state, context)
            local rows = {}
            for index, item in ipairs(state.items) do
                rows[index] = context:render(Row, { --L
                    index = index,
                    item = item, --P
                }, {
                    key = item.id,
                    on_output = function(output) return { type = "toggled", id = output.id } end,
                })
            end
            return { rows = rows, count = #rows }
        end
        return Main
        """
    }

    static let all: [OriginCase] = [
        OriginCase(
            name: "direct", steps: [.send("up"), .send("other")], path: "count", since: 1,
            causes: ["state.n of main"], sender: "up",
            flow: """
                return {
                    name = "main",
                    state = { n = 0, other = 0 },
                    apply = {
                        up = function(state)
                            state.n = state.n + 1 --W
                        end,
                        other = function(state) state.other = 1 end,
                    },
                    render = function(state)
                        return {
                            title = "x",
                            count = state.n, --R
                        }
                    end,
                }
                """),
        OriginCase(
            name: "a local between", steps: [.send(["type": "set", "text": "hi"])], path: "label",
            since: 1, causes: ["state.text of main"], sender: "set { text = \"hi\" }",
            flow: """
                return {
                    name = "main",
                    state = { text = "", time = 0 },
                    apply = {
                        set = function(state, action)
                            state.time = state.time + 1
                            state.text = action.text --W
                        end,
                    },
                    render = function(state)
                        local label = state.text:upper()
                        local shown = { label = label } --R
                        shown.time = state.time
                        return shown
                    end,
                }
                """),
        OriginCase(
            name: "through a child", modules: ["row": row],
            steps: [.send("toggle", "main/row:2"), .send("toggle", "main/row:1")],
            path: "rows[2].done", since: 1, causes: ["state.items[2].done of main"],
            sender: "toggle",
            flow: list(
                """
                toggled = function(state, action)
                        for _, item in ipairs(state.items) do
                            if item.id == action.id then
                                item.done = not item.done --W
                            end
                        end
                    end,
                """
            ).replacing("--L", with: "")),
        OriginCase(
            name: "a list that shifted",
            modules: [
                "row": row.replacing("--S", with: "").replacing("--R", with: "").replacing(
                    "text = item.text,", with: "text = item.text, --R")
            ], steps: [.send(["type": "remove", "index": 1])], path: "rows[1].text", since: 1,
            causes: ["state.items[1] of main"], sender: "remove { index = 1 }",
            flow: list(
                """
                toggled = function() end,
                    remove = function(state, action)
                        table.remove(state.items, action.index) --W
                    end,
                """
            ).replacing("--P", with: "")),
        OriginCase(
            name: "through a module",
            modules: [
                "format": """
                local Format = {}
                function Format.price(cents)
                    local price = {}
                    price.text = ("%d.%02d"):format(cents // 100, cents % 100) --R
                    return price
                end
                function Format.raise(state, by)
                    state.cents = state.cents + by --W
                end
                return Format
                """
            ], steps: [.send(["type": "raise", "by": 25])], path: "price.text", since: 1,
            causes: ["state.cents of main"], sender: "raise { by = 25 }",
            flow: """
                local Format = require "format"
                return {
                    name = "main",
                    state = { cents = 100 },
                    apply = { raise = function(state, action) Format.raise(state, action.by) end },
                    render = function(state)
                        return { price = Format.price(state.cents) }
                    end,
                }
                """),
        OriginCase(
            name: "the output of a worker",
            steps: [.output(["status": 200], of: "http.get", in: "main")], path: "status", since: 1,
            causes: ["state.status of main"], sender: "worker http.get gives { status = 200 }",
            flow: """
                local Main = { name = "main", state = { status = "loading" } }
                function Main.render(state, context)
                    if state.status == "loading" then
                        context:run("http.get", { url = "http://x" }, { on_output = "got" })
                    end
                    return { status = state.status } --R
                end
                Main.apply = {
                    got = function(state, action)
                        state.status = action.output.status --W
                    end,
                }
                return Main
                """),
        OriginCase(
            name: "changed",
            modules: [
                "child": """
                local Child = { name = "child", state = { seen = 0 } }
                function Child.changed(old, new, state)
                    if new.n > old.n then
                        state.seen = state.seen + 1 --W
                    end
                end
                function Child.render(state)
                    return { seen = state.seen } --R
                end
                return Child
                """
            ], steps: [.send("up")], path: "child.seen", since: 1,
            causes: ["state.seen of main/child", "state.n of main"], sender: "up",
            flow: """
                local Child = require "child"
                return {
                    name = "main",
                    state = { n = 1, m = 1 },
                    apply = {
                        up = function(state)
                            state.m = state.m + 1
                            state.n = state.n + 1 --W
                        end,
                    },
                    render = function(state, context)
                        return {
                            child = context:render(Child, {
                                m = state.m,
                                n = state.n, --P
                            }),
                        }
                    end,
                }
                """),
        OriginCase(
            name: "two changed, one matters", steps: [.send("both")], path: "shown", since: 1,
            causes: ["state.b of main"], sender: "both",
            flow: """
                return {
                    name = "main",
                    state = { a = 0, b = 0, c = {} },
                    apply = {
                        both = function(state)
                            state.a = 1
                            state.b = 2 --W
                            state.c.x = 3
                        end,
                    },
                    render = function(state)
                        local rest = state.a * 0
                        return { shown = state.b + rest } --R
                    end,
                }
                """),
        OriginCase(
            name: "two changed, both matter alone", steps: [.send("both")], path: "shown", since: 1,
            causes: ["state.a of main", "state.b of main"], sender: "both",
            flow: """
                return {
                    name = "main",
                    state = { a = false, b = false },
                    apply = {
                        both = function(state)
                            state.a = true --W
                            state.b = true --W
                        end,
                    },
                    render = function(state)
                        return { shown = state.a and state.b } --R
                    end,
                }
                """),
        OriginCase(
            name: "two changed, together only", steps: [.send("both")], path: "shown", since: 1,
            causes: ["state.a of main", "state.b of main"], sender: "both",
            flow: """
                return {
                    name = "main",
                    state = { a = false, b = false, c = 0 },
                    apply = {
                        both = function(state)
                            state.c = 1
                            state.a = true --W
                            state.b = true --W
                        end,
                    },
                    render = function(state)
                        return { shown = state.a or state.b } --R
                    end,
                }
                """),
        OriginCase(
            name: "props from outside", props: ["name": "Ann", "age": 3],
            steps: [.props(["name": "Bo", "age": 4])], path: "greeting", since: 1,
            causes: ["props.name"], sender: "new props",
            flow: """
                return {
                    name = "main",
                    render = function(_, context)
                        return {
                            age = context.props.age,
                            greeting = "Hello, " .. context.props.name, --R
                        }
                    end,
                }
                """),
        OriginCase(
            name: "from the beginning, by a function", path: "total", since: 0,
            causes: ["state.total of main"], sender: "",
            flow: """
                local Main = { name = "main" }
                function Main.state()
                    local total = 0
                    for n = 1, 4 do total = total + n end
                    return {
                        other = 1,
                        total = total, --W
                    }
                end
                function Main.render(state)
                    return { total = state.total } --R
                end
                return Main
                """),
        OriginCase(
            name: "from the beginning, a constant state", path: "title", since: 0,
            causes: ["state.title of main"], sender: "",
            flow: """
                return {
                    name = "main",
                    state = { title = "Tea" }, --W
                    render = function(state)
                        return { title = state.title } --R
                    end,
                }
                """),
        OriginCase(
            name: "from the beginning, props", props: ["name": "Ann"], path: "name", since: 0,
            causes: ["props.name"], sender: "props, as the session began",
            flow: """
                return {
                    name = "main",
                    render = function(_, context)
                        return { name = context.props.name } --R
                    end,
                }
                """),
        OriginCase(
            name: "a constant of render", steps: [.send("up")], path: "kind", since: 0, causes: [],
            sender: "",
            flow: """
                return {
                    name = "main",
                    state = { n = 0 },
                    apply = { up = function(state) state.n = state.n + 1 end },
                    render = function(state)
                        return {
                            n = state.n,
                            kind = "fixed", --R
                        }
                    end,
                }
                """),
        OriginCase(
            name: "a line of a list", steps: [.send("up")], path: "lines[2]", since: 1,
            causes: ["state.n of main"], sender: "up",
            flow: """
                return {
                    name = "main",
                    state = { n = 0 },
                    apply = {
                        up = function(state)
                            local n = state.n
                            state.n = n + 1 --W
                        end,
                    },
                    render = function(state)
                        return {
                            lines = {
                                "first",
                                "n is " .. state.n, --R
                                "third",
                            },
                        }
                    end,
                }
                """),
        OriginCase(
            name: "a row that is new", modules: ["row": row.replacing("--S", with: "")],
            steps: [.send(["type": "add", "text": "c"])], path: "rows[3].done", since: 1,
            causes: ["state.items[3] of main"], sender: "add { text = \"c\" }",
            flow: list(
                """
                toggled = function() end,
                    add = function(state, action)
                        local item = { id = 3, text = action.text, done = true }
                        state.items[#state.items + 1] = item --W
                    end,
                """
            ).replacing("--P", with: "")),
        OriginCase(
            name: "a list that is filtered", steps: [.send("drop")], path: "rows[1]", since: 1,
            causes: ["state.items[1] of main"], sender: "drop",
            flow: """
                return {
                    name = "main",
                    state = { items = { 1, 2, 3 } },
                    apply = {
                        drop = function(state)
                            local left = {}
                            for _, n in ipairs(state.items) do
                                if n > 1 then left[#left + 1] = n end
                            end
                            state.items = left --W
                        end,
                    },
                    render = function(state)
                        local rows = {}
                        for _, n in ipairs(state.items) do
                            rows[#rows + 1] = "row " .. n --R
                        end
                        return { rows = rows }
                    end,
                }
                """),
        OriginCase(
            name: "through two children",
            modules: [
                "middle": """
                local Leaf = require "leaf"
                local Middle = { name = "middle" }
                function Middle.render(_, context)
                    local size = context.props.size
                    return { leaf = context:render(Leaf, { width = size * 2 }) } --P
                end
                return Middle
                """,
                "leaf": """
                local Leaf = { name = "leaf" }
                function Leaf.render(_, context)
                    return { width = context.props.width } --R
                end
                return Leaf
                """,
            ], steps: [.send("grow")], path: "middle.leaf.width", since: 1,
            causes: ["state.size of main"], sender: "grow",
            flow: """
                local Middle = require "middle"
                return {
                    name = "main",
                    state = { size = 1 },
                    apply = {
                        grow = function(state)
                            state.size = state.size + 1 --W
                        end,
                    },
                    render = function(state, context)
                        local props = { size = state.size } --P
                        return { middle = context:render(Middle, props) }
                    end,
                }
                """),
        OriginCase(
            name: "the state of a child, of which the parent makes something",
            modules: [
                "child": """
                local Child = { name = "child", state = { n = 1 } }
                Child.apply = {
                    up = function(state)
                        state.n = state.n + 1 --W
                    end,
                }
                function Child.render(state, context)
                    return { n = state.n }
                end
                return Child
                """
            ], steps: [.send("up", "main/child")], path: "double", since: 1,
            causes: ["state.n of main/child"], sender: "up",
            flow: """
                local Child = require "child"
                return {
                    name = "main",
                    render = function(_, context)
                        local child = context:render(Child, {})
                        return {
                            double = child.n * 2, --R
                        }
                    end,
                }
                """),
        OriginCase(
            name: "the output of a child of a child",
            modules: [
                "middle": """
                local Leaf = require "leaf"
                local Middle = { name = "middle" }
                Middle.apply = {
                    picked = function(_, action)
                        return { --S
                            color = action.output,
                        }
                    end,
                }
                function Middle.render(_, context)
                    return { leaf = context:render(Leaf, {}, { on_output = "picked" }) }
                end
                return Middle
                """,
                "leaf": """
                local Leaf = { name = "leaf" }
                Leaf.apply = { pick = function(_, action) return action.color end } --S
                function Leaf.render(_, context)
                    return { pick = context:sink("pick") }
                end
                return Leaf
                """,
            ], steps: [.send(["type": "pick", "color": "red"], "main/middle/leaf")], path: "color",
            since: 1, causes: ["state.color of main"], sender: "pick { color = \"red\" }",
            flow: """
                local Middle = require "middle"
                return {
                    name = "main",
                    state = { color = "none" },
                    apply = {
                        chosen = function(state, action)
                            state.color = action.output.color --W
                        end,
                    },
                    render = function(state, context)
                        return {
                            middle = context:render(Middle, {}, { on_output = "chosen" }),
                            color = state.color, --R
                        }
                    end,
                }
                """),
        OriginCase(
            name: "a rendering that is a text", steps: [.send("up")], path: "", since: 1,
            causes: ["state.n of main"], sender: "up",
            flow: """
                return {
                    name = "main",
                    state = { n = 0 },
                    apply = { up = function(state) state.n = state.n + 1 end }, --W
                    render = function(state)
                        local text = "n: " .. state.n
                        return text --R
                    end,
                }
                """),
        OriginCase(
            name: "a table of the state itself", steps: [.send("rename")], path: "user.name",
            since: 1, causes: ["state.user.name of main"], sender: "rename",
            flow: """
                return {
                    name = "main",
                    state = { user = { name = "Ann", age = 3 } },
                    apply = {
                        rename = function(state)
                            local user = state.user
                            user.age = 4
                            user.name = "Bo" --W
                        end,
                    },
                    render = function(state)
                        local user = state.user
                        return {
                            age = user.age,
                            user = user, --R
                        }
                    end,
                }
                """),
        OriginCase(
            name: "written twice in one step", steps: [.send("set")], path: "n", since: 1,
            causes: ["state.n of main"], sender: "set",
            flow: """
                local function double(state)
                    state.n = state.n * 2 --W
                end
                return {
                    name = "main",
                    state = { n = 1 },
                    apply = {
                        set = function(state)
                            state.n = 5
                            double(state)
                        end,
                    },
                    render = function(state) return { n = state.n } end, --R
                }
                """),
        OriginCase(
            name: "a field that came and one that went", steps: [.send("open"), .send("close")],
            path: "label", since: 2, causes: ["state.open of main"], sender: "close",
            flow: """
                return {
                    name = "main",
                    state = {},
                    apply = {
                        open = function(state) state.open = true end,
                        close = function(state) state.open = nil end, --W
                    },
                    render = function(state)
                        local shown = {}
                        if state.open then
                            shown.label = "open"
                        else
                            shown.label = "closed" --R
                        end
                        return shown
                    end,
                }
                """),
        OriginCase(
            name: "a large state", steps: [.send("fill"), .send(["type": "tick", "id": 700])],
            path: "last", since: 2, causes: ["state.rows[700].n of main"],
            sender: "tick { id = 700 }",
            flow: """
                return {
                    name = "main",
                    state = { rows = {} },
                    apply = {
                        fill = function(state)
                            for index = 1, 1000 do state.rows[index] = { n = index } end
                        end,
                        tick = function(state, action)
                            local row = state.rows[action.id]
                            row.n = row.n + 1 --W
                        end,
                    },
                    render = function(state)
                        local row = state.rows[700]
                        return { last = row and row.n } --R
                    end,
                }
                """),
        OriginCase(
            name: "a child that renders alike",
            modules: [
                "cell": """
                local Cell = { name = "cell" }
                function Cell.render(_, context)
                    return { on = context.props.on } --R
                end
                return Cell
                """
            ], steps: [.send(["type": "set", "index": 3])], path: "cells[3].on", since: 1,
            causes: ["state.on[3] of main"], sender: "set { index = 3 }",
            flow: """
                local Cell = require "cell"
                return {
                    name = "main",
                    state = { on = { false, false, false, false } },
                    apply = {
                        set = function(state, action)
                            state.on[action.index] = true --W
                        end,
                    },
                    render = function(state, context)
                        local cells = {}
                        for index = 1, 4 do
                            local on = state.on[index]
                            cells[index] = context:render(Cell, { on = on }, { key = index }) --P
                        end
                        return { cells = cells }
                    end,
                }
                """),
        OriginCase(
            name: "the first of several new elements", steps: [.send("load")], path: "first",
            since: 1, causes: ["state.items[1] of main"], sender: "load",
            flow: newElements.replacing("--first", with: "--R")),
        OriginCase(
            name: "the last of several new elements", steps: [.send("load")], path: "last",
            since: 1, causes: ["state.items[5] of main"], sender: "load",
            flow: newElements.replacing("--last", with: "--R")),
        OriginCase(
            name: "all of several new elements", steps: [.send("load")], path: "sum", since: 1,
            causes: [
                "state.items[5] of main", "state.items[4] of main", "state.items[3] of main",
                "state.items[2] of main", "state.items[1] of main",
            ], sender: "load", flow: newElements.replacing("--sum", with: "--R")),
        OriginCase(
            name: "all but one of several removed elements", steps: [.send("cut")], path: "last",
            since: 1, causes: ["state.items[3] of main"], sender: "cut",
            flow: """
                return {
                    name = "main",
                    state = { items = { 1, 2, 3, 4 } },
                    apply = {
                        cut = function(state)
                            for i = 4, 2, -1 do
                                state.items[i] = nil --W
                            end
                        end,
                    },
                    render = function(state)
                        return {
                            last = state.items[3] or "none", --R
                        }
                    end,
                }
                """),
        OriginCase(
            name: "an empty table that becomes a record",
            steps: [.send(["type": "vote", "name": "a"])], path: "empty", since: 1,
            causes: ["state.by.a of main"], sender: "vote { name = \"a\" }",
            flow: """
                return {
                    name = "main",
                    state = { by = {}, count = 0 },
                    apply = {
                        vote = function(state, action)
                            state.count = state.count + 1
                            state.by[action.name] = 1 --W
                        end,
                    },
                    render = function(state)
                        return {
                            empty = next(state.by) == nil, --R
                        }
                    end,
                }
                """),
        OriginCase(
            name: "a local beside its list", steps: [.send("go")], path: "out[1]", since: 1,
            causes: ["state.a of main"], sender: "go",
            flow: """
                return {
                    name = "main",
                    state = { a = 1 },
                    apply = {
                        go = function(state)
                            state.a = state.a + 1 --W
                        end,
                    },
                    render = function(state)
                        local out = {}
                        local first = state.a
                        local second = first
                        out[1] = first --R
                        out[2] = second
                        return { out = out }
                    end,
                }
                """),
    ]
}

/// Several new elements of a list, of which each field reads others.
private let newElements = """
    return {
        name = "main",
        state = { items = {}, by = {} },
        apply = {
            load = function(state)
                for i = 1, 5 do
                    state.items[i] = { text = "t" .. i, size = i } --W
                end
            end,
        },
        render = function(state)
            local rows, sum = {}, 0
            for i, item in ipairs(state.items) do
                rows[i] = { text = item.text }
                sum = sum + item.size
            end
            return {
                first = rows[1] and rows[1].text or "", --first
                last = rows[5] and rows[5].text or "", --last
                sum = sum, --sum
            }
        end,
    }
    """
