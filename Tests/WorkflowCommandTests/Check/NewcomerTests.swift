import TestSupport
import Testing
import WorkflowPlugins

@testable import FlowChecking
@testable import WorkflowCommand

/// Mistakes of people who write their first flows, and what a check says first of each.
@Suite struct NewcomerTests {
    struct Mistake: CustomTestStringConvertible {
        let name: String
        let files: [String: String]
        let first: String

        var testDescription: String { name }

        init(_ name: String, _ text: String, _ first: String, _ others: [String: String] = [:]) {
            self.name = name
            files = others.merging(["flow.lua": text]) { other, _ in other }
            self.first = first
        }
    }

    private static let adding =
        "add = function(state, action) state.total = state.total + (action.amount or 1) end,"

    private static func flow(
        state: String = "{ total = 0, items = {} }", apply: String = adding,
        render: String = "return { total = state.total, add = context:sink(\"add\") }",
        top: String = ""
    ) -> String {
        """
        \(top)local Flow = { name = "flow" }
        function Flow.state(props) return \(state) end
        Flow.apply = {
        \(apply)
        }
        function Flow.render(state, context)
        \(render)
        end
        return Flow

        """
    }

    private static func test(_ lines: String) -> [String: String] {
        [
            "flow_test.lua": """
            local Flow = require "flow"
            it("works", function()
            local flow = workflow.test(Flow)
            \(lines)
            end)

            """
        ]
    }

    private static let item = [
        "item.lua": """
        local Item = { name = "item" }
        function Item.render(state, context)
            return { title = context.props.title, done = context.props.done or false }
        end
        return Item

        """
    ]
    private static let requiring = "local Item = require \"item\"\n"

    static let inActions: [Mistake] = [
        Mistake(
            "the length of a text is asked for as a field",
            flow(apply: "add = function(state) state.total = (\"abc\").length end,"),
            "flow.lua:4:45: a text has no field 'length'; write #text"
        ),
        Mistake(
            "an action returns a new state, as a reducer does",
            flow(apply: "add = function(state) return { total = state.total + 1 } end,"),
            "flow.lua:4:30: what an action returns is its output, and the state stays as it is; change it in place, as in state.n = …"
        ),
        Mistake(
            "an action copies the state and returns the copy",
            flow(
                apply:
                    "add = function(state) local new = {} for k, v in pairs(state) do new[k] = v end new.total = 1 return new end,"
            ),
            "flow.lua:4:102: what an action returns is its output, and the state stays as it is; change it in place, as in state.n = …"
        ),
        Mistake(
            "an action returns what merge makes of the state",
            flow(
                apply: "add = function(state) return merge(state, { total = 1 }) end,",
                top: "local function merge(a, b) return b end "),
            "flow.lua:4:30: what an action returns is its output, and the state stays as it is; change it in place, as in state.n = …"
        ),
        Mistake(
            "all actions return the state",
            flow(
                apply:
                    "add = function(state) state.total = 1 return state end, clear = function(state) state.total = 0 return state end,"
            ),
            "flow.lua:4:46: what an action returns is its output, and the changed state is kept without it; leave out return state"
        ),
        Mistake(
            "a local hides the state",
            flow(
                apply:
                    "add = function(state, action) local state = { total = 1 } state.total = 2 end,"
            ),
            "flow.lua:4:37: a new local 'state' hides the state, which stays as it is; leave out local, and set fields, as in state.n = …"
        ),
        Mistake(
            "a field of an action is misspelt",
            flow(
                apply:
                    "add = function(state, action) state.total = state.total + action.amuont end,",
                render:
                    "return { total = state.total, add = context:sink(\"add\", { amount = 2 }) }"
            ),
            "flow.lua:4:66: 'add' is sent without 'amuont'. Did you mean 'amount'?"
        ),
        Mistake(
            "a payload is looked for, as in Redux",
            flow(
                apply: "add = function(state, action) state.total = action.payload.amount end,",
                render:
                    "return { total = state.total, add = context:sink(\"add\", { amount = 2 }) }"
            ),
            "flow.lua:4:52: 'add' is sent with 'amount' itself, and not in 'payload'; write action.amount"
        ),
        Mistake(
            "the output of a worker is looked for in the action itself",
            flow(
                apply: "read = function(state, action) state.total = action.text end,",
                render:
                    "context:run(\"file.read\", { path = \"a\" }, { on_output = \"read\" }) return { total = state.total }"
            ),
            "flow.lua:4:53: 'read' is sent by a worker's output and has no 'text'; write action.output"
        ),
        Mistake(
            "a field of a worker's output is misspelt",
            flow(
                apply: "read = function(state, action) state.total = action.output.contnet end,",
                render:
                    "context:run(\"file.read\", { path = \"a\" }, { on_output = \"read\" }) return { total = state.total }"
            ),
            "flow.lua:4:60: the output of 'file.read' has no field 'contnet'. Did you mean 'content'?"
        ),
        Mistake(
            "a function that makes an action reads a field that the output does not have",
            flow(
                apply: "read = function(state, action) state.total = action.size end,",
                render:
                    "context:run(\"file.read\", { path = \"a\" }, { on_output = function(o) return { type = \"read\", size = o.text } end }) return { total = state.total }"
            ),
            "flow.lua:7:101: the output of 'file.read' has no field 'text'; its fields are content"
        ),
        Mistake(
            "a field of a worker's error is guessed",
            flow(
                apply: "failed = function(state, action) state.total = action.error.reason end,",
                render:
                    "context:run(\"file.read\", { path = \"a\" }, { on_error = \"failed\" }) return { total = state.total }"
            ),
            "flow.lua:4:61: an error of a worker has no field 'reason'; its fields are code, help, message"
        ),
        Mistake(
            "a function is kept in the state",
            flow(apply: "add = function(state) state.total = function() end end,"),
            "flow.lua:4:29: a function is not a plain value; keep data in the state, and the function as a local of the file"
        ),
        Mistake(
            "texts are added",
            flow(apply: "add = function(state) state.total = \"n: \" + state.total end,"),
            "flow.lua:4:43: + adds numbers; write .. to join texts"
        ),
        Mistake(
            "a loop waits for the state to change",
            flow(
                apply: "add = function(state) while true do state.total = state.total + 1 end end,"),
            "flow.lua:4:23: this loop never ends; leave it with break, or let a worker such as clock.every begin each round"
        ),
        Mistake(
            "an action is compared with a text",
            """
            local Flow = { state = { total = 0 } }
            function Flow.apply(state, action)
                if action == "add" then state.total = state.total + 1 end
            end
            function Flow.render(state, context)
                return { total = state.total, add = context:sink("add") }
            end
            return Flow

            """,
            "flow.lua:3:15: an action is a table, which is never a text; write action.type == \"add\""
        ),
        Mistake(
            "a type of an action is misspelt where it is compared",
            """
            local Flow = { state = { total = 0 } }
            function Flow.apply(state, action)
                if action.type == "incraese" then state.total = state.total + 1 end
            end
            function Flow.render(state, context)
                return { total = state.total, increase = context:sink("increase") }
            end
            return Flow

            """,
            "flow.lua:3:20: nothing sends 'incraese'. Did you mean 'increase'?"
        ),
        Mistake(
            "a function is named as the action of an output",
            flow(
                render:
                    "context:run(\"clock.after\", { seconds = 1 }, { on_output = Flow.apply.add }) return { total = state.total }"
            ),
            "flow.lua:7:70: on_output names the action that is sent; write on_output = \"add\""
        ),
        Mistake(
            "an action changes a table of the file",
            flow(
                apply: "add = function(state, action) todos[#todos + 1] = action.text end,",
                top: "local todos = {} "),
            "flow.lua:4:37: an action changes 'todos', a table of the file; what a flow remembers belongs in its state"
        ),
        Mistake(
            "an action changes the definition",
            flow(apply: "add = function(state, action) Flow.state.total = 1 end,"),
            "flow.lua:4:42: an action changes 'Flow', a table of the file; what a flow remembers belongs in its state"
        ),
        Mistake(
            "a list is joined with a text",
            flow(
                apply: "add = function(state, action) state.items = state.items .. action.text end,"
            ),
            "flow.lua:4:57: 'items' is a list, which .. does not take; write table.insert(state.items, …), or #state.items for its length"
        ),
        Mistake(
            "an element is removed by its value",
            flow(apply: "add = function(state, action) table.remove(state.items, \"milk\") end,"),
            "flow.lua:4:57: table.remove takes a position; look for the element in a loop first"
        ),
        Mistake(
            "a truth value is given as a text",
            flow(
                state: "{ open = false }",
                apply: "toggle = function(state) state.open = \"true\" end,",
                render: "return { open = state.open, toggle = context:sink(\"toggle\") }"),
            "flow.lua:4:32: \"true\" is a text, which is always true in a condition; write true"
        ),
        Mistake(
            "nothing is inserted",
            flow(apply: "add = function(state) table.insert(state.items) end,"),
            "flow.lua:4:23: nothing is inserted; write table.insert(list, value)"
        ),
        Mistake(
            "a list is pushed to, as in JavaScript",
            flow(apply: "add = function(state, action) state.items.push(action.text) end,"),
            "flow.lua:4:31: a list has no functions, so no 'push'; write table.insert(state.items, …), table.remove, or a loop"
        ),
        Mistake(
            "an action is defined twice",
            flow(apply: "add = function() end,\nadd = function(state) state.total = 1 end,"),
            "flow.lua:5:1: 'add' is given again, and this alone counts; leave out that of line 4"
        ),
    ]

    static let inStates: [Mistake] = [
        Mistake(
            "a field of the state is misspelt where it is read",
            flow(render: "return { total = state.totla, add = context:sink(\"add\") }"),
            "flow.lua:7:24: the state has no field 'totla'. Did you mean 'total'?"
        ),
        Mistake(
            "a field of the state is misspelt in a condition",
            flow(render: "if state.totla then return {} end return { total = state.total }"),
            "flow.lua:7:10: the state has no field 'totla'. Did you mean 'total'?"
        ),
        Mistake(
            "a field of the state is misspelt where it is written",
            flow(apply: "add = function(state) state.totla = state.total + 1 end,"),
            "flow.lua:4:29: the state has no field 'totla'. Did you mean 'total'?"
        ),
        Mistake(
            "a field of the state is read and never written",
            flow(render: "return { name = state.name, total = state.total }"),
            "flow.lua:7:23: nothing sets 'name' in the state; give it a value in state, or in an action"
        ),
        Mistake(
            "a field of the state is written and never read",
            flow(apply: "add = function(state) state.changed_by = \"me\" end,"),
            "flow.lua:4:29: nothing reads 'changed_by' of the state; show it in render, or leave it out"
        ),
        Mistake(
            "a function of the file reads a field that is not there",
            flow(
                render: "return { text = line(state), total = state.total }",
                top: "local function line(s) return s.titel end "),
            "flow.lua:1:33: nothing sets 'titel' in the state; give it a value in state, or in an action"
        ),
        Mistake(
            "a list has a length, as in JavaScript",
            flow(render: "return { total = state.total, n = state.items.length }"),
            "flow.lua:7:47: a list has no 'length'; write #state.items"
        ),
        Mistake(
            "a list is walked without ipairs",
            flow(
                render:
                    "local n = 0 for _, item in state.items do n = n + item end return { total = state.total, n = n }"
            ),
            "flow.lua:7:28: a list is walked by ipairs; write for _, item in ipairs(state.items) do"
        ),
        Mistake(
            "a loop counts to a list",
            flow(
                render:
                    "local n = 0 for i = 1, state.items do n = n + i end return { total = state.total, n = n }"
            ),
            "flow.lua:7:24: a loop counts to a number; write for i = 1, #state.items do"
        ),
        Mistake(
            "a list is counted from its end",
            flow(render: "return { total = state.total, last = state.items[-1] }"),
            "flow.lua:7:50: lists are not counted from their end; write list[#list] for the last element"
        ),
        Mistake(
            "a type of another language",
            flow(render: "if type(state.total) == \"int\" then return {} end return {}"),
            "flow.lua:7:22: type never gives \"int\"; it gives boolean, function, nil, number, string or table"
        ),
        Mistake(
            "the props are looked for in the state",
            flow(render: "return { total = state.total, title = state.props.title }"),
            "flow.lua:7:45: nothing sets 'props' in the state; the props are context.props"
        ),
        Mistake(
            "the state is looked for in the context",
            flow(render: "return { total = context.state.total }"),
            "flow.lua:7:26: a context has no 'state'; the state is the first parameter of render and of actions"
        ),
        Mistake(
            "a number is compared with a text",
            flow(
                render: "if state.total == \"3\" then return {} end return { total = state.total }"),
            "flow.lua:7:16: 'total' is a number, and \"3\" is a text; compare values of one type"
        ),
        Mistake(
            "the order of a number and a text",
            flow(
                render: "if state.total > \"3\" then return {} end return { total = state.total }"),
            "flow.lua:7:16: 'total' is a number, and \"3\" is a text; compare values of one type"
        ),
        Mistake(
            "not before a comparison",
            flow(
                render: "if not state.total == 3 then return {} end return { total = state.total }"),
            "flow.lua:7:4: not takes the first operand alone; write a ~= b, or not (a == b)"
        ),
        Mistake(
            "a record is walked as a list",
            flow(
                state: "{ total = 0, by = { ann = 1 } }",
                render:
                    "local n = 0 for _, x in ipairs(state.by) do n = n + x end return { total = state.total, n = n }"
            ),
            "flow.lua:7:25: 'by' has names, and ipairs goes through lists only; write pairs(state.by)"
        ),
        Mistake(
            "a record is counted as a list",
            flow(
                state: "{ total = 0, by = { ann = 1 } }",
                render: "return { total = state.total, n = #state.by }"),
            "flow.lua:7:35: 'by' has names, and # counts lists only; count with for _ in pairs(state.by) do"
        ),
        Mistake(
            "a screen is misspelt where it is compared",
            flow(
                state: "{ screen = \"cart\" }",
                apply: "pay = function(state) state.screen = \"paying\" end,",
                render:
                    "if state.screen == \"payign\" then return {} end return { pay = context:sink(\"pay\") }"
            ),
            "flow.lua:7:17: 'screen' is never \"payign\". Did you mean 'paying'?"
        ),
        Mistake(
            "a flag is compared with a text",
            flow(
                state: "{ open = false }",
                apply: "toggle = function(state) state.open = true end,",
                render:
                    "if state.open == \"true\" then return {} end return { toggle = context:sink(\"toggle\") }"
            ),
            "flow.lua:7:15: 'open' is a boolean, and \"true\" is a text; write if state.open then"
        ),
        Mistake(
            "a field of an element is misspelt",
            flow(
                apply:
                    "add = function(state, action) table.insert(state.items, { title = action.title, done = false }) end,",
                render:
                    "local n = 0 for _, item in ipairs(state.items) do if item.dnoe then n = n + 1 end end return { total = state.total, n = n, items = state.items }"
            ),
            "flow.lua:7:59: the elements of 'items' have no field 'dnoe'. Did you mean 'done'?"
        ),
        Mistake(
            "the state is a number", flow(state: "0", render: "return { n = state }"),
            "flow.lua:2:35: state returns a table; write return { value = … }, and read state.value"
        ),
        Mistake(
            "lists begin at nothing",
            flow(render: "return { total = state.total, one = state.items[0] }"),
            "flow.lua:7:49: lists begin at 1; write [1] for the first element"
        ),
        Mistake(
            "render changes an element of the state",
            flow(render: "state.items[1] = 3 return { total = state.total, items = state.items }"),
            "flow.lua:7:13: render may not change the state; only apply and changed may do that"
        ),
        Mistake(
            "the version is a text",
            flow(apply: adding + "\n} Flow.version = \"2\" Flow.apply = {\n" + adding),
            "flow.lua:5:8: 'version' of a definition is a whole number from 1 on; write version = 2"
        ),
    ]

    static let inRenderings: [Mistake] = [
        Mistake(
            "render is defined twice",
            flow(
                render: "return { total = state.total } end function Flow.render(state) return {}"),
            "flow.lua:7:50: 'render' is given again, and this alone counts; leave out that of line 6"
        ),
        Mistake(
            "the fields of a sink have a type",
            flow(
                render:
                    "return { total = state.total, add = context:sink(\"add\", { type = \"add\" }) }"
            ),
            "flow.lua:7:59: the first argument of context:sink is the type already; leave out 'type'"
        ),
        Mistake(
            "the fields of a sink are no table",
            flow(render: "return { total = state.total, add = context:sink(\"add\", 2) }"),
            "flow.lua:7:57: the fields of a sink are a table; write context:sink(\"add\", { id = 1 })"
        ),
        Mistake(
            "a sink has no type",
            flow(render: "return { total = state.total, add = context:sink() }"),
            "flow.lua:7:45: context:sink takes the type of an action; write context:sink(\"add\")"
        ),
        Mistake(
            "the action is looked for among globals",
            flow(apply: "add = function(state) state.total = action.n end,"),
            "flow.lua:4:37: there is no global 'action' in flows: it is the second parameter of a function in apply: function(state, action)"
        ),
        Mistake(
            "a timer of JavaScript",
            flow(render: "setTimeout(1000) return { total = state.total }"),
            "flow.lua:7:1: there is no global 'setTimeout' in flows: write context:run(\"clock.after\", { seconds = 1 }, { on_output = \"rang\" })"
        ),
        Mistake(
            "a sink is called",
            flow(render: "context:sink(\"add\")() return { total = state.total }"),
            "flow.lua:7:1: a sink is a value, which whoever holds the rendering sends back; it cannot be called. To change the state, use an action"
        ),
        Mistake(
            "a worker's output is not taken",
            flow(
                render:
                    "context:run(\"clock.after\", { seconds = 1 }) return { total = state.total }"),
            "flow.lua:7:9: nobody takes what 'clock.after' gives; name an action for it: { on_output = \"…\" }"
        ),
        Mistake(
            "the result of context:run is used",
            flow(
                render:
                    "local t = context:run(\"clock.after\", { seconds = 1 }, { on_output = \"add\" }) return { total = state.total, t = t }"
            ),
            "flow.lua:7:19: context:run returns nothing; what the worker gives comes as an action: { on_output = \"loaded\" }"
        ),
        Mistake(
            "the time is asked for in a function that render calls",
            flow(
                render: "return { total = state.total, at = at(context) }",
                top: "local function at(c) return c.now end "),
            "flow.lua:1:31: context.now works only in apply; keep the time in the state"
        ),
    ]

    static let inChildren: [Mistake] = [
        Mistake(
            "children of a loop have no keys",
            flow(
                render:
                    "local rows = {} for i, item in ipairs(state.items) do rows[i] = context:render(Item, { title = item }) end return { rows = rows, total = state.total }",
                top: requiring),
            "flow.lua:8:73: a loop declares the child 'Item' more than once; give each a key of its own: { key = item.id }",
            item),
        Mistake(
            "children of a loop have one key",
            flow(
                render:
                    "local rows = {} for i, item in ipairs(state.items) do rows[i] = context:render(Item, { title = item }, { key = \"row\" }) end return { rows = rows, total = state.total }",
                top: requiring),
            "flow.lua:8:73: a loop declares the child 'Item' more than once; give each a key of its own: { key = item.id }",
            item),
        Mistake(
            "two children have no keys",
            flow(
                render:
                    "return { a = context:render(Item, { title = \"a\" }),\nb = context:render(Item, { title = \"b\" }), total = state.total }",
                top: requiring),
            "flow.lua:9:13: line 8 declares the child 'Item' already; give each a key of its own: { key = \"left\" }",
            item),
        Mistake(
            "a prop of a child is misspelt",
            flow(
                render:
                    "return { row = context:render(Item, { titel = \"a\" }), total = state.total }",
                top: requiring),
            "flow.lua:8:39: Item has no prop 'titel'. Did you mean 'title'?", item),
        Mistake(
            "a child gets another prop than it needs",
            flow(
                render:
                    "return { row = context:render(Item, { text = \"a\" }), total = state.total }",
                top: requiring),
            "flow.lua:8:39: Item never reads the prop 'text', and needs 'title'; give it that", item
        ),
        Mistake(
            "a child is called",
            flow(
                render: "return { row = Item.render({}, context), total = state.total }",
                top: requiring),
            "flow.lua:8:16: a child that is called has no state of its own; write context:render(Item, { … })",
            item),
        Mistake(
            "a definition is called",
            flow(render: "return { row = Item({}), total = state.total }", top: requiring),
            "flow.lua:8:16: a child that is called has no state of its own; write context:render(Item, { … })",
            item),
        Mistake(
            "a child is named by its file",
            flow(render: "return { row = context:render(\"item\", {}), total = state.total }"),
            "flow.lua:7:31: a child is rendered by its definition; write context:render(require \"item\", …)",
            item),
    ]

    static let inTests: [Mistake] = [
        Mistake(
            "a function of the flow is misspelt", flow(),
            "flow_test.lua:4:6: a tested flow has no function 'expect_states'. Did you mean 'expect_state'?",
            test("flow:expect_states { total = 0 }")),
        Mistake(
            "a function of the flow is called with a dot", flow(),
            "flow_test.lua:4:6: write flow:send(…) with a colon",
            test("flow.send(\"add\") flow:expect_state { total = 1 }")),
        Mistake(
            "a field of the flow is misspelt", flow(),
            "flow_test.lua:4:13: a tested flow has no 'stat'. Did you mean 'state'?",
            test("expect(flow.stat.total):equals(0)")),
        Mistake(
            "a matcher of another framework", flow(),
            "flow_test.lua:4:26: expect(…) has no function 'equal'. Did you mean 'equals'?",
            test("expect(flow.state.total):equal(0)")),
        Mistake(
            "a matcher is called with a dot", flow(),
            "flow_test.lua:4:26: write expect(…):equals(…) with a colon",
            test("expect(flow.state.total).equals(0)")),
        Mistake(
            "a comparison without a matcher", flow(),
            "flow_test.lua:4:1: this expects nothing of the value; write expect(value):equals(…), :matches(…) or :fails(…)",
            test("expect(flow.state.total == 0)")),
        Mistake(
            "an assertion of busted", flow(),
            "flow_test.lua:4:8: assert is a function and has no fields; write expect(value):equals(…)",
            test("assert.are.equal(0, flow.state.total)")),
        Mistake(
            "a test that expects nothing", flow(),
            "flow_test.lua:2:1: this test expects nothing; end it with flow:expect_rendering { … } or expect(value):equals(…)",
            test("flow:send \"add\"")),
        Mistake(
            "a test stands in a test", flow(),
            "flow_test.lua:4:1: it stands in a test; end that test before it, or put both into describe",
            test("it(\"adds\", function() flow:expect_state { total = 0 } end)")),
        Mistake(
            "a flow is made outside of the tests", flow(),
            "flow_test.lua:2:14: workflow.test works in tests only; call it in it(…) or before_each(…), so that each test has a flow of its own",
            [
                "flow_test.lua": """
                local Flow = require "flow"
                local flow = workflow.test(Flow)
                it("adds", function() flow:expect_state { total = 0 } end)

                """
            ]),
        Mistake(
            "the state of a tested flow is set", flow(),
            "flow_test.lua:4:12: flow.state is read-only; send an action that changes the state",
            test("flow.state.total = 3 flow:expect_state { total = 3 }")),
        Mistake(
            "a sink of a tested flow is called", flow(),
            "flow_test.lua:4:1: a rendering holds plain values; send a sink with flow:send(flow.rendering.add)",
            test("flow.rendering.add() flow:expect_state { total = 1 }")),
        Mistake(
            "a test waits to be told that it is done", flow(),
            "flow_test.lua:1:21: it gives its function nothing; leave 'done' out",
            ["flow_test.lua": "it(\"adds\", function(done) expect(1):equals(1) done() end)\n"]),
        Mistake(
            "a test has no function", flow(),
            "flow_test.lua:1:1: it needs a function; write it(\"adds\", function() … end)",
            ["flow_test.lua": "it(\"adds\")\n"]),
        Mistake(
            "tests are in a file of another name", flow(),
            "spec.lua:1:1: there is no global 'describe' in flows: tests are in files whose names end in _test.lua",
            ["spec.lua": "describe(\"flow\", function() end)\n"]),
        Mistake(
            "a worker of a test is misspelt", flow(),
            "flow_test.lua:4:13: there is no worker 'clock.aftr'. Did you mean 'clock.after'?",
            test("flow:worker(\"clock.aftr\"):finish() flow:expect_state { total = 0 }")),
        Mistake(
            "a function of a worker is misspelt", flow(),
            "flow_test.lua:4:28: a worker in a test has no function 'outputs'. Did you mean 'output'?",
            test("flow:worker(\"clock.after\"):outputs {} flow:expect_state { total = 0 }")),
        Mistake(
            "a function of workflow is misspelt", flow(),
            "flow_test.lua:4:40: workflow has no 'snk'. Did you mean 'sink'?",
            test("flow:expect_rendering { add = workflow.snk \"add\" }")),
    ]

    @Test(arguments: inActions + inStates + inRenderings + inChildren + inTests)
    func isFoundWithPlaceCauseAndNextStep(_ mistake: Mistake) throws {
        let problems = try CheckedFolder(mistake.files).problems()
        #expect(problems.first == mistake.first, "\(problems)")
    }

    @Test func thereAreMoreThanSixtyKinds() {
        let all =
            Self.inActions + Self.inStates + Self.inRenderings + Self.inChildren + Self.inTests
        #expect(Set(all.map(\.name)).count > 60)
    }
}
