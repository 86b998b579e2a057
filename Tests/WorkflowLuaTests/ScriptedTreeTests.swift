import LuaVM
import PlainValue
import Testing
import Workflow
import WorkflowLua

@Suite struct ScriptedTreeTests {
    @Test func anActionAdvancesTheStateAndTheRendering() throws {
        let host = try FlowHost(
            """
            return {
                state = { n = 1 },
                apply = { add = function(state, action) state.n = state.n + action.by end },
                render = function(state, context)
                    return { n = state.n, add = context:sink("add", { by = 10 }) }
                end,
            }
            """)
        #expect(host.rendering["n"] == 1)
        try host.send(["type": "add", "by": 2])
        #expect(host.rendering["n"] == 3)
        try host.send(sink: host.rendering["add"])
        #expect(host.rendering["n"] == 13)
        #expect(
            host.rendering["add"]
                == ["$sink": ["node": "flow", "action": ["type": "add", "by": 10]]])
    }

    @Test func childrenKeepTheirStateByKeyAndEndWhenTheyAreNotRendered() throws {
        let host = try FlowHost(
            """
            local Row = { name = "row" }
            function Row.state(props) return { taps = 0 } end
            Row.apply = { tap = function(state) state.taps = state.taps + 1 end }
            function Row.render(state, context)
                return { id = context.props.id, taps = state.taps, tap = context:sink("tap") }
            end
            return {
                name = "list",
                state = { ids = { 1, 2, 3 } },
                apply = { set = function(state, action) state.ids = action.ids end },
                render = function(state, context)
                    local rows = {}
                    for i, id in ipairs(state.ids) do
                        rows[i] = context:render(Row, { id = id }, { key = id })
                    end
                    return { rows = rows }
                end,
            }
            """)
        func taps() -> [Value?] { (host.rendering["rows"]?.list ?? []).map { $0["taps"] } }
        try host.send(sink: host.rendering["rows"]?[1]?["tap"])
        #expect(taps() == [0, 1, 0])
        try host.send(["type": "set", "ids": [3, 2, 1]])
        #expect(taps() == [0, 1, 0])
        try host.send(["type": "set", "ids": [1, 3]])
        try host.send(["type": "set", "ids": [1, 2, 3]])
        #expect(taps() == [0, 0, 0])
    }

    @Test func anOutputIsAnActionOfTheParentByTypeOrByFunction() throws {
        let host = try FlowHost(
            """
            local Child = { name = "child" }
            Child.apply = { go = function(_, action) return { said = action.word } end }
            function Child.render() return {} end
            return {
                name = "root",
                state = { heard = {} },
                apply = {
                    heard = function(state, action) table.insert(state.heard, action.output.said) end,
                    shouted = function(state, action)
                        table.insert(state.heard, action.word)
                        return { finished = action.word }
                    end,
                },
                render = function(state, context)
                    context:render(Child, nil, { key = "type", on_output = "heard" })
                    context:render(Child, nil, {
                        key = "function",
                        on_output = function(output)
                            if output.said == "nothing" then return nil end
                            return { type = "shouted", word = output.said:upper() }
                        end,
                    })
                    context:render(Child, nil, { key = "deaf" })
                    return { heard = state.heard }
                end,
            }
            """)
        try host.send(["type": "go", "word": "one"], to: "root/child:type")
        #expect(host.rendering["heard"] == ["one"])
        #expect(host.outputs == [])
        try host.send(["type": "go", "word": "two"], to: "root/child:function")
        #expect(host.rendering["heard"] == ["one", "TWO"])
        #expect(host.outputs == [["finished": "TWO"]])
        try host.send(["type": "go", "word": "nothing"], to: "root/child:function")
        try host.send(["type": "go", "word": "three"], to: "root/child:deaf")
        #expect(host.rendering["heard"] == ["one", "TWO"])
        #expect(host.errors.isEmpty)
    }

    @Test func aFailureAnywhereInACascadeLeavesEveryStateAsItWas() throws {
        let host = try FlowHost(
            """
            local Leaf = { name = "leaf", state = { n = 0 } }
            Leaf.apply = { go = function(state, action) state.n = state.n + 1 return action.bad end }
            function Leaf.render(state, context) return { n = state.n } end
            local Middle = { name = "middle", state = { n = 0 } }
            Middle.apply = { up = function(state, action) state.n = state.n + 1 return action.output end }
            function Middle.render(state, context)
                return { n = state.n, leaf = context:render(Leaf, {}, { on_output = "up" }) }
            end
            return {
                name = "root",
                state = { n = 0 },
                apply = {
                    up = function(state, action)
                        state.n = state.n + 1
                        if action.output then error("the root refuses") end
                        return "out"
                    end,
                },
                render = function(state, context)
                    return { n = state.n, middle = context:render(Middle, {}, { on_output = "up" }) }
                end,
            }
            """)
        func counts() -> [Value?] {
            let middle = host.rendering["middle"]
            return [host.rendering["n"], middle?["n"], middle?["leaf"]?["n"]]
        }
        try host.send(["type": "go", "bad": false], to: "root/middle/leaf")
        #expect(counts() == [1, 1, 1])
        #expect(host.outputs == ["out"])
        let outcome = try host.send(["type": "go", "bad": true], to: "root/middle/leaf")
        guard case .failed(let failure) = outcome else {
            Issue.record("the cascade must fail: \(outcome)")
            return
        }
        #expect(failure.phase == .apply)
        #expect(
            (failure.error as? FlowError)?.description
                == "flow.lua:15: the root refuses (in apply.up of root)")
        #expect(counts() == [1, 1, 1])
        #expect(host.outputs == ["out"])
        try host.send(["type": "go", "bad": false], to: "root/middle/leaf")
        #expect(counts() == [2, 2, 2])
    }

    @Test func changedSeesOldAndNewPropsAndRunsOnlyWhenTheyDiffer() throws {
        let host = try FlowHost(
            """
            local Child = { name = "child", state = { log = {} } }
            function Child.changed(old, new, state)
                table.insert(state.log, old.n .. " to " .. new.n)
            end
            function Child.render(state) return state.log end
            return {
                name = "root",
                state = { n = 1, other = 0 },
                apply = {
                    add = function(state) state.n = state.n + 1 end,
                    other = function(state) state.other = state.other + 1 end,
                },
                render = function(state, context)
                    return { log = context:render(Child, { n = state.n }), other = state.other }
                end,
            }
            """)
        try host.send("add")
        try host.send("other")
        try host.send("add")
        #expect(host.rendering["log"] == ["1 to 2", "2 to 3"])
    }

    @Test func aFailedRenderKeepsTheLastGoodRenderingUntilAnActionHealsIt() throws {
        let host = try FlowHost(
            """
            local Child = { name = "child" }
            function Child.render(state, context)
                if context.props.n == 2 then error("two is bad") end
                return { n = context.props.n }
            end
            return {
                name = "root",
                state = { n = 1 },
                apply = { add = function(state) state.n = state.n + 1 end },
                render = function(state, context)
                    local ok, child = pcall(context.render, context, Child, { n = state.n })
                    return { n = state.n, child = child }
                end,
            }
            """)
        try host.send("add")
        #expect(host.rendering["n"] == 1)
        #expect(
            host.errors.map(\.description) == ["flow.lua:3: two is bad (in render of root/child)"])
        try host.send("add")
        #expect(host.rendering["n"] == 3)
        #expect(host.rendering["child"] == ["n": 3])
    }

    @Test func modulesAreLoadedOnceAndNameTheirDefinitions() throws {
        let host = try FlowHost(
            """
            local Item = require "parts.item"
            assert(Item == require "parts.item")
            return {
                name = "root",
                render = function(_, context) return context:render(Item, { text = "a" }) end,
            }
            """,
            modules: [
                "parts.item": """
                local Item = { apply = { tap = function() end } }
                function Item.render(state, context)
                    return { text = context.props.text, tap = context:sink("tap") }
                end
                return Item
                """
            ])
        #expect(
            host.rendering
                == [
                    "text": "a",
                    "tap": ["$sink": ["node": "root/item", "action": ["type": "tap"]]],
                ])
    }

    @Test func nullAndEmptyRecordsSurviveEverySeam() throws {
        let host = try FlowHost(
            """
            local workflow = require "workflow"
            return {
                name = "root",
                state = function(props)
                    return { gap = { 1, workflow.null, 3 }, record = workflow.record(), list = {}, given = props.given }
                end,
                apply = {
                    check = function(state)
                        assert(state.gap[2] == workflow.null, "null is lost")
                        state.checked = true
                    end,
                },
                render = function(state) return state end,
            }
            """, props: ["given": nil])
        try host.send("check")
        #expect(host.errors.isEmpty)
        #expect(
            host.rendering
                == [
                    "gap": [1, nil, 3], "record": .record([:]), "list": [], "given": nil,
                    "checked": true,
                ])
    }

    @Test func randomNumbersAndTimeComeFromTheHost() throws {
        let source = """
            return {
                state = { drawn = {} },
                apply = {
                    draw = function(state, action, context)
                        table.insert(state.drawn, context:random(1, 1000))
                        state.now = context.now
                    end,
                },
                render = function(state) return state end,
            }
            """
        func draw(seed: UInt64) throws -> Value {
            var options = LuaFlow.Options(now: { 12_500 })
            options.limits.seed = seed
            let host = try FlowHost(source, options: options)
            for _ in 0..<5 { try host.send("draw") }
            #expect(host.rendering["now"] == 12.5)
            return host.rendering["drawn"] ?? .null
        }
        #expect(try draw(seed: 1) == draw(seed: 1))
        #expect(try draw(seed: 1) != draw(seed: 2))
    }

    /// Looks and restores add renders, so renders do not draw from the random numbers.
    @Test(arguments: [LuaVM.Options.Isolation.none, .process])
    func aRenderingDependsOnNoRandomNumberAndNoTime(isolation: LuaVM.Options.Isolation) throws {
        let source = """
            local Child = {
                name = "child",
                state = function() return { drawn = math.random(1000000) } end,
                render = function(state) return { own = state.drawn, now = math.random(1000000) } end,
            }
            return {
                name = "root",
                state = function() return { drawn = { math.random(1000000) } } end,
                apply = {
                    draw = function(state, action, context)
                        local by = coroutine.wrap(function() return math.random(1000000) end)
                        table.insert(state.drawn, by())
                        state.at = context.now
                    end,
                    fail = function(state) state.fails = true end,
                    mend = function(state) state.fails = false end,
                },
                render = function(state, context)
                    local first = math.random(1000000)
                    if state.fails then error("no") end
                    local child = context:render(Child, {})
                    local inside = coroutine.wrap(function() return math.random(1000000) end)
                    return {
                        drawn = state.drawn, at = state.at, child = child,
                        now = (pcall(function() return context.now end)), shown = { first, inside() },
                    }
                end,
            }
            """
        func play(_ actions: [Value], seed: UInt64) throws -> Value {
            var options = LuaFlow.Options(now: { 12_500 })
            options.limits.isolation = isolation
            options.limits.seed = seed
            let host = try FlowHost(source, options: options)
            for action in actions { try host.send(action) }
            #expect(host.errors.count == actions.filter { $0 == "fail" }.count)
            return host.rendering
        }
        let rendering = try play(["draw", "draw"], seed: 1)
        #expect(rendering["at"] == 12.5)
        #expect(rendering["now"] == false)
        #expect(rendering["shown"]?[0] != rendering["shown"]?[1])
        #expect(rendering["child"]?["own"] != rendering["drawn"]?[0])
        #expect(try play(["draw", "fail", "fail", "mend", "draw"], seed: 1) == rendering)
        let other = try play(["draw", "draw"], seed: 2)
        #expect(other["shown"] == rendering["shown"])
        #expect(other["drawn"] != rendering["drawn"])
    }
}

@Suite struct ContextTests {
    @Test func aContextIsGoodForItsOwnCallOnly() throws {
        let host = try FlowHost(
            """
            local kept
            local Child = { name = "child" }
            function Child.render(_, context) return { props = kept.props } end
            return {
                name = "root",
                state = { step = 0 },
                apply = {
                    keep = function(state, action, context) kept = context end,
                    use = function(state, action, context) state.seen = kept.props end,
                    child = function(state) state.step = 1 end,
                    back = function(state) state.step = 0 end,
                },
                render = function(state, context)
                    kept = kept or context
                    if state.step == 1 then return context:render(Child) end
                    return { step = state.step }
                end,
            }
            """)
        // The same node's context is the same object in each of its calls.
        try host.send("use")
        #expect(host.errors.isEmpty)
        try host.send("child")
        #expect(
            host.errors.map(\.description) == [
                "flow.lua:3: context is used after the call that received it (in render of root/child)"
            ])
        try host.send("back")
        #expect(host.rendering == ["step": 0])
    }

    @Test func renderAndSinkWorkInRenderOnlyAndRandomInApplyOnly() throws {
        let host = try FlowHost(
            """
            return {
                name = "root",
                state = {},
                apply = {
                    render = function(_, _, context) context:render({}) end,
                    sink = function(_, _, context) context:sink("render") end,
                    run = function(_, _, context) context:run("http.get") end,
                    misspelt = function(_, _, context) context:rendr() end,
                    dot = function(_, _, context) context.random(1, 2) end,
                },
                render = function(_, context)
                    local ok, message = pcall(context.random, context, 1, 6)
                    return message
                end,
            }
            """)
        #expect(host.rendering == "flow.lua:12: context:random works only in apply")
        for action in ["render", "sink", "run", "misspelt", "dot"] {
            try host.send(.string(action))
        }
        #expect(
            host.errors.map(\.message) == [
                "context:render works only in render", "context:sink works only in render",
                "context:run works only in render",
                "context has no field 'rendr'. Did you mean 'render'?",
                "context:random needs the context of the call that is under way",
            ])
    }
}

@Suite struct FileTests {
    @Test func aFirstLineForTheShellIsSkippedAndLinesStillCount() throws {
        let host = try FlowHost(
            "#!/usr/bin/env workflow-run\nreturn { render = function() return 1 end }")
        #expect(host.rendering == 1)
        let error = #expect(throws: FlowError.self) { try FlowHost("#!shell\nreturn }") }
        #expect(error?.description == "flow.lua:2: unexpected symbol near '}'")
    }

    @Test(arguments: [
        ("local x=1+2", "local x = 1 + 2", true), ("local x = 1", "local x = 1 -- one", true),
        ("local x = 1", "--[==[ a ]] b\n]==] local x = 1", true),
        ("local x = 1\n", "local x\r\n\t=\u{0B} 1", true), ("local x = 1", "local x = 2", false),
        ("local x = 'a b'", "local x = 'a  b'", false),
        ("local x = [[--a]]", "local x = [[--b]]", false),
        ("local x = '\\'--'", "local x = '\\'--' -- '", true),
        ("local t = {} ; t = t[ [[x]] ]", "local t = {} ; t = t[([[x]])]", false),
        ("local x = 1 ..2", "local x = 1. .. 2", false),
        ("local x = 1e+5", "local x = 1e +5", false),
        ("local x = 1 - - 1", "local x = 1 --1", false),
        ("local x = 0x1p-1", "local x = 0x1p - 1", false),
        ("local x = a .b", "local x = a.b", true), ("local x = .5", "local x = 0 .5", false),
        ("local é = 1", "local e = 1", false), ("goto a ::a::", "goto a :: a ::", true),
        ("local x = 3 // 2", "local x = 3 / 2", false), ("return_ = 1", "return _ = 1", false),
    ]) func sumsOfCodeAreThoseOfItsWords(a: String, b: String, areEqual: Bool) {
        let (first, second) = (Array(a.utf8), Array(b.utf8))
        #expect((TextSum.digits(ofCode: first) == TextSum.digits(ofCode: second)) == areEqual)
    }

    @Test func aByteOrderMarkIsNoPartOfAText() throws {
        let text = "local n = require 'n'\nreturn { render = function() return n end }"
        let plain = try FlowHost(text, modules: ["n": "return 2"])
        let marked = try FlowHost("\u{FEFF}" + text, modules: ["n": "\u{FEFF}return 2"])
        #expect(marked.rendering == 2)
        #expect(marked.flow.hash == plain.flow.hash)
        #expect(marked.flow.fileHashes == plain.flow.fileHashes)

        let error = #expect(throws: FlowError.self) { try FlowHost("\u{FEFF}return }") }
        #expect(error?.description == "flow.lua:1: unexpected symbol near '}'")
        #expect(error?.excerpt?.lines == ["return }"])
    }
}
