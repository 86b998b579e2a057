import PlainValue
import Workflow

// Values that come through several nodes, outputs and workers.
extension OriginCase {
    static let nodes: [OriginCase] = [
        OriginCase(
            name: "a card of a column of a board",
            modules: [
                "column": """
                local Card = require "card"
                local Column = { name = "column" }
                function Column.render(_, context)
                    local cards = {}
                    for index, card in ipairs(context.props.cards) do
                        cards[index] = context:render(Card, {
                            title = card.title, --P
                            size = card.size,
                        }, { key = card.id, on_output = "renamed" })
                    end
                    return { cards = cards }
                end
                Column.apply = {
                    renamed = function(_, action, context)
                        return { column = context.props.id, title = action.output } --S
                    end,
                }
                return Column
                """,
                "card": """
                local Card = { name = "card" }
                function Card.render(_, context)
                    return {
                        size = context.props.size,
                        title = context.props.title, --R
                        rename = context:sink("rename"),
                    }
                end
                Card.apply = { rename = function(_, action) return action.to end } --S
                return Card
                """,
            ],
            steps: [
                .send(["type": "rename", "to": "new"], "main/column:2/card:7"),
                .send(["type": "rename", "to": "x"], "main/column:1/card:5"),
            ], path: "columns[2].cards[1].title", since: 1,
            causes: ["state.columns[2].cards[1].title of main"], sender: "rename { to = \"new\" }",
            flow: """
                local Column = require "column"
                local Main = { name = "main" }
                Main.state = {
                    count = 0,
                    columns = {
                        { id = 1, cards = { { id = 5, title = "a", size = 1 } } },
                        { id = 2, cards = { { id = 7, title = "b", size = 1 } } },
                    },
                }
                Main.apply = {
                    renamed = function(state, action)
                        state.count = state.count + 1
                        local column = state.columns[action.output.column]
                        column.cards[1].title = action.output.title --W
                        column.cards[1].size = #action.output.title
                    end,
                }
                function Main.render(state, context)
                    local columns = {}
                    for index, column in ipairs(state.columns) do
                        columns[index] = context:render(Column, {
                            id = column.id,
                            cards = column.cards, --P
                        }, { key = column.id, on_output = "renamed" })
                    end
                    return { columns = columns, count = state.count }
                end
                return Main
                """),
        OriginCase(
            name: "props that are renamed on their way",
            modules: [
                "middle": """
                local Leaf = require "leaf"
                local Middle = { name = "middle" }
                function Middle.render(_, context)
                    local props = context.props
                    local inner = {}
                    inner.text = props.word:upper() --P
                    inner.count = props.count
                    return { leaf = context:render(Leaf, inner), count = props.count }
                end
                return Middle
                """,
                "leaf": """
                local Leaf = { name = "leaf" }
                function Leaf.render(_, context)
                    local props = context.props
                    local label = props.text .. "!"
                    return { count = props.count, label = label } --R
                end
                return Leaf
                """,
            ], steps: [.send(["type": "set", "word": "hi", "count": 2])], path: "middle.leaf.label",
            since: 1, causes: ["state.word of main"], sender: "set { count = 2, word = \"hi\" }",
            flow: """
                local Middle = require "middle"
                return {
                    name = "main",
                    state = { word = "", count = 0 },
                    apply = {
                        set = function(state, action)
                            state.count = action.count
                            state.word = action.word --W
                        end,
                    },
                    render = function(state, context)
                        return {
                            middle = context:render(Middle, {
                                count = state.count,
                                word = state.word, --P
                            }),
                        }
                    end,
                }
                """),
        OriginCase(
            name: "the last of what a worker gave",
            steps: [
                .output(["text": "a", "n": 1], of: "clock", in: "main"),
                .output(["text": "b", "n": 2], of: "clock", in: "main"), .send("idle"),
            ], path: "last", since: 2, causes: ["state.lines[2] of main"],
            sender: "worker clock gives { n = 2, text = \"b\" }",
            flow: """
                local Main = { name = "main", state = { lines = {}, n = 0 } }
                function Main.render(state, context)
                    context:run("clock", {}, { on_output = "got" })
                    local last = state.lines[#state.lines]
                    return { n = state.n, last = last or "none" } --R
                end
                Main.apply = {
                    got = function(state, action)
                        state.n = action.output.n
                        state.lines[#state.lines + 1] = action.output.text --W
                    end,
                    idle = function(state) state.n = state.n + 1 end,
                }
                return Main
                """),
        OriginCase(
            name: "the output of a worker that goes on to a module",
            modules: [
                "fields": """
                local fields = {}
                function fields.set(target, ...)
                    local pairs = table.pack(...)
                    for place = 1, pairs.n, 2 do
                        target[pairs[place]] = pairs[place + 1] --W
                    end
                end
                return fields
                """
            ], steps: [.output(["code": 200, "size": 12], of: "http.get", in: "main")],
            path: "shown", since: 1, causes: ["state.code of main", "state.size of main"],
            sender: "worker http.get gives { code = 200, size = 12 }",
            flow: """
                local fields = require "fields"
                local Main = { name = "main", state = { code = 0, size = 0, seen = 0 } }
                function Main.render(state, context)
                    context:run("http.get", { url = "http://x" }, { on_output = "got" })
                    return { shown = state.code .. "/" .. state.size, seen = state.seen } --R
                end
                Main.apply = {
                    got = function(state, action)
                        local output = action.output
                        fields.set(state, "size", output.size, "seen", 1, "code", output.code)
                    end,
                }
                return Main
                """),
        OriginCase(
            name: "random numbers", steps: [.send("roll"), .send("idle")], path: "sum", since: 1,
            causes: ["state.dice[1] of main", "state.dice[2] of main"], sender: "roll",
            flow: """
                return {
                    name = "main",
                    state = { dice = { 0, 0 }, other = 0 },
                    apply = {
                        roll = function(state, _, context)
                            state.other = context:random(1000000)
                            for place = 1, 2 do
                                state.dice[place] = context:random(1000000) --W
                            end
                        end,
                        idle = function(state) state.other = state.other + 1 end,
                    },
                    render = function(state)
                        return { sum = state.dice[1] + state.dice[2], other = state.other } --R
                    end,
                }
                """),
        OriginCase(
            name: "written by a child's output after the action",
            modules: [
                "child": """
                local Child = { name = "child" }
                Child.apply = { done = function() return { n = 5 } end } --S
                function Child.render(_, context) return { done = context:sink("done") } end
                return Child
                """
            ], steps: [.send("done", "main/child")], path: "n", since: 1,
            causes: ["state.n of main"], sender: "done",
            flow: """
                local Child = require "child"
                local function twice(state) state.n = state.n * 2 end --W
                return {
                    name = "main",
                    state = { n = 0, m = 0 },
                    apply = {
                        finished = function(state, action)
                            state.m = action.n
                            state.n = action.n
                            twice(state)
                        end,
                    },
                    render = function(state, context)
                        return {
                            n = state.n, --R
                            child = context:render(Child, {}, {
                                on_output = function(output)
                                    return { type = "finished", n = output.n }
                                end,
                            }),
                        }
                    end,
                }
                """),
        OriginCase(
            name: "a child that takes the place of another",
            modules: [
                "one": """
                local One = { name = "one" }
                function One.render(_, context) return { v = context.props.v } end
                return One
                """,
                "two": """
                local Two = { name = "two" }
                function Two.render(_, context)
                    return {
                        v = context.props.v * 2, --R
                    }
                end
                return Two
                """,
            ], steps: [.send("switch")], path: "body.v", since: 1,
            causes: ["state.tab of main", "state.v of main"], sender: "switch",
            flow: """
                local One, Two = require "one", require "two"
                return {
                    name = "main",
                    state = { tab = "one", v = 1, n = 0 },
                    apply = {
                        switch = function(state)
                            state.n = 1
                            state.v = 5 --W
                            state.tab = "two" --W
                        end,
                    },
                    render = function(state, context)
                        local tab = state.tab == "one" and One or Two
                        return {
                            n = state.n,
                            body = context:render(tab, { --L
                                v = state.v, --P
                            }),
                        }
                    end,
                }
                """),
        OriginCase(
            name: "props and state of a child",
            modules: [
                "child": """
                local Child = { name = "child", state = { n = 1 } }
                Child.apply = {
                    add = function(state)
                        state.n = state.n + 1 --W
                        return "added" --S
                    end,
                }
                function Child.render(state, context)
                    return {
                        all = context.props.factor * state.n, --R
                    }
                end
                return Child
                """
            ], steps: [.send("add", "main/child")], path: "child.all", since: 1,
            causes: ["state.factor of main", "state.n of main/child"], sender: "add",
            flow: """
                local Child = require "child"
                return {
                    name = "main",
                    state = { factor = 2, other = 1 },
                    apply = {
                        grew = function(state)
                            state.other = 2
                            state.factor = state.factor + 1 --W
                        end,
                    },
                    render = function(state, context)
                        local props = { other = state.other, factor = state.factor } --P
                        return { child = context:render(Child, props, { on_output = "grew" }) }
                    end,
                }
                """),
        OriginCase(
            name: "props from outside in a grandchild",
            modules: [
                "middle": """
                local Leaf = require "leaf"
                local Middle = { name = "middle" }
                function Middle.render(_, context)
                    return { leaf = context:render(Leaf, context.props.theme) } --P
                end
                return Middle
                """,
                "leaf": """
                local Leaf = { name = "leaf" }
                function Leaf.render(_, context)
                    local props = context.props
                    return { color = props.dark and "black" or props.color } --R
                end
                return Leaf
                """,
            ], props: ["theme": ["dark": true, "color": "red"], "n": 1],
            steps: [.props(["theme": ["dark": false, "color": "blue"], "n": 2])],
            path: "middle.leaf.color", since: 1,
            causes: ["props.theme.color", "props.theme.dark"], sender: "new props",
            flow: """
                local Middle = require "middle"
                return {
                    name = "main",
                    render = function(_, context)
                        local props = context.props
                        return {
                            n = props.n,
                            middle = context:render(Middle, { theme = props.theme }), --P
                        }
                    end,
                }
                """),
        OriginCase(
            name: "a change of two props of which one matters",
            modules: [
                "child": """
                local Child = { name = "child" }
                function Child.state(props) return { top = props.n, changes = 0 } end
                function Child.changed(old, new, state)
                    state.changes = state.changes + 1
                    state.top = math.max(state.top, new.n) --W
                end
                function Child.render(state)
                    return { top = state.top, changes = state.changes } --R
                end
                return Child
                """
            ], steps: [.send(["type": "set", "n": 9, "m": 3])], path: "child.top", since: 1,
            causes: ["state.top of main/child", "state.n of main"], sender: "set { m = 3, n = 9 }",
            flow: """
                local Child = require "child"
                return {
                    name = "main",
                    state = { n = 4, m = 1 },
                    apply = {
                        set = function(state, action)
                            state.m = action.m
                            state.n = action.n --W
                        end,
                    },
                    render = function(state, context)
                        return { child = context:render(Child, { n = state.n, m = state.m }) } --P
                    end,
                }
                """),
        OriginCase(
            name: "a sum over the renderings of children",
            modules: [
                "row": """
                local Row = { name = "row", state = { n = 1, clicks = 0 } }
                Row.apply = {
                    add = function(state, action)
                        state.clicks = state.clicks + 1
                        state.n = state.n + action.by --W
                    end,
                }
                function Row.render(state) return { n = state.n, clicks = state.clicks } end
                return Row
                """
            ],
            steps: [
                .send(["type": "add", "by": 3], "main/row:b"),
                .send(["type": "add", "by": 0], "main/row:a"),
            ], path: "total", since: 1, causes: ["state.n of main/row:b"], sender: "add { by = 3 }",
            flow: """
                local Row = require "row"
                return {
                    name = "main",
                    render = function(_, context)
                        local total, rows = 0, {}
                        for index, key in ipairs { "a", "b", "c" } do
                            rows[index] = context:render(Row, {}, { key = key })
                            total = total + rows[index].n
                        end
                        return { rows = rows, total = total } --R
                    end,
                }
                """),
        OriginCase(
            name: "children whose order changed",
            modules: [
                "row": """
                local Row = { name = "row" }
                function Row.render(_, context)
                    return { text = context.props.text } --R
                end
                return Row
                """
            ], steps: [.send("reverse")], path: "rows[1].text", since: 1,
            causes: ["state.order[1] of main"], sender: "reverse",
            flow: """
                local Row = require "row"
                return {
                    name = "main",
                    state = { order = { "a", "b", "c" }, texts = { a = "A", b = "B", c = "C" } },
                    apply = {
                        reverse = function(state)
                            local order = state.order
                            order[1], order[3] = order[3], order[1] --W
                        end,
                    },
                    render = function(state, context)
                        local rows = {}
                        for index, key in ipairs(state.order) do
                            local props = { text = state.texts[key] }
                            rows[index] = context:render(Row, props, { key = key }) --L
                        end
                        return { rows = rows }
                    end,
                }
                """),
        OriginCase(
            name: "a value that went through another field",
            steps: [
                .send(["type": "type", "text": "x"]), .send("save"),
                .send(["type": "type", "text": "y"]),
            ], path: "saved", since: 2, causes: ["state.saved of main"], sender: "save",
            flow: """
                return {
                    name = "main",
                    state = { draft = "", saved = "", saves = 0 },
                    apply = {
                        type = function(state, action) state.draft = action.text end,
                        save = function(state)
                            state.saves = state.saves + 1
                            state.saved = state.draft .. "." --W
                        end,
                    },
                    render = function(state)
                        local view = { draft = state.draft, saves = state.saves }
                        for _, key in ipairs { "saves", "saved" } do
                            view[key] = state[key] --R
                        end
                        return view
                    end,
                }
                """),
        OriginCase(
            name: "a total of what was added one by one",
            steps: [
                .send(["type": "add", "n": 2]), .send(["type": "add", "n": 3]), .send("look"),
            ], path: "mean", since: 2,
            causes: ["state.list[2] of main", "state.total of main"], sender: "add { n = 3 }",
            flow: """
                local function push(list, n) list[#list + 1] = n end --W
                return {
                    name = "main",
                    state = { list = {}, total = 0, looks = 0 },
                    apply = {
                        add = function(state, action)
                            push(state.list, action.n)
                            state.total = state.total + action.n --W
                        end,
                        look = function(state) state.looks = state.looks + 1 end,
                    },
                    render = function(state)
                        local count = #state.list
                        return {
                            looks = state.looks,
                            mean = count == 0 and 0 or state.total / count, --R
                        }
                    end,
                }
                """),
    ]
}
