import LuaVM
import PlainValue
import TestSupport
import Testing
import Workflow
import WorkflowLua

@Suite struct FlowNamesTests {
    /// A flow whose `render` has this body in line 4.
    private func host(
        render: String = "", long: String = #"("x"):rep(257)"#,
        options: LuaFlow.Options = LuaFlow.Options()
    ) throws -> FlowHost {
        try FlowHost(
            """
            local long = \(long)
            local Child = { name = "child", render = function() return { n = 1 } end }
            local function render(state, context) if state.on then
                \(render)
            end return {} end
            return {
                name = "flow", state = {}, render = render,
                apply = { add = function() end, go = function(state) state.on = true end },
            }
            """, options: options)
    }

    @Test(arguments: [
        ("context:sink(long)", "the type of an action"),
        ("context:sink(long, { id = 1 })", "the type of an action"),
        ("context:render(Child, {}, { on_output = long })", "the type of an action"),
        ("context:render(Child, {}, { key = long })", "the key of a child"),
        ("context:render(Child, {}, { [long] = 1 })", "the name of an option of context:render"),
        ("context:render(long)", "the name of a workflow"),
        ("context:run(long)", "the name of a worker"),
        ("context:run('web.get', {}, { key = long })", "the key of a worker"),
        ("context:run('web.get', {}, { [long] = 1 })", "the name of an option of context:run"),
        ("context:render { name = long, render = Child.render }", "'name' of the definition"),
        ("context:render { [long] = 1, render = Child.render }", "a field of the definition"),
        (
            "context:render { apply = { [long] = print }, render = Child.render }",
            "a type of action in 'apply'"
        ),
        ("require(long)", "the name of a module"),
    ]) func aNameOfMoreThan256BytesIsRefusedInItsPlace(_ body: String, _ what: String) throws {
        let host = try host(render: body)
        try host.send("go")
        #expect(
            host.errors.map(\.said) == [
                """
                \(what) is longer than 256 bytes: 'xxxxxxxxxxxxxxxxxxxxxxxx…'
                help: give a short name, such as an id, and keep long texts in props or in the state
                """
            ])
        #expect(host.errors.map(\.location) == [.init(file: "flow.lua", line: 4)])
    }

    @Test func namesOf256BytesAreTaken() throws {
        let host = try host(
            render: """
                context:render(
                    { name = long, render = Child.render, apply = { [long] = function() end } }, {},
                    { key = long, on_output = "add" })
                """, long: #"("x"):rep(256)"#)
        try host.send("go")
        #expect(host.errors.isEmpty)
        let name = String(repeating: "x", count: 256)
        guard case .applied = try host.send(["type": .string(name)], to: "flow/\(name):\(name)")
        else {
            Issue.record("it was not applied")
            return
        }
        #expect(host.errors.isEmpty)
    }

    @Test func anActionWithALongTypeIsRefused() throws {
        let host = try host()
        let type = Value.string(String(repeating: "\u{1}", count: 257))
        for action: Value in [type, ["type": type]] {
            let error = #expect(throws: FlowError.self) { try host.send(action) }
            #expect(error?.code == .badAction)
            #expect(
                error?.message == "the type of an action is longer than 256 bytes: '"
                    + String(repeating: #"\u{01}"#, count: 24) + "…'")
        }
    }

    /// `String` would sort the marks to compare or hash such a text, which takes minutes.
    @Test(arguments: [
        "context:sink(long)", "context:render(Child, {}, { key = long })",
        "context:render(Child, {}, { on_output = long })",
        "context:render(Child, {}, { [long] = 1 })",
        "context:render { name = long, render = Child.render }",
        "context:render { apply = { [long .. 1] = print, [long .. 2] = print } }",
        "context:render(long)", "context:run(long, {}, { key = long })",
        "context:run('web.get', {}, { key = long })", "require(long)",
    ]) func namesWithManyMarksTakeNoTime(_ body: String) throws {
        let host = try host(render: body, long: #""a" .. ("\u{0301}\u{0323}"):rep(40000)"#)
        let time = try threadTime { _ = try host.send("go") }
        #expect(host.errors.count == 1)
        #expect(time < .seconds(5) * slowness)
    }

    private static let twoSpellings = #"local a, b = "\u{e9}", "e\u{301}""#

    @Test func typesOfActionsInTwoSpellingsAreTwo() throws {
        let host = try FlowHost(
            """
            \(Self.twoSpellings)
            return {
                name = "flow", state = { last = "none" },
                apply = {
                    [a] = function(state) state.last = "a" end,
                    [b] = function(state) state.last = "b" end,
                },
                render = function(state, context)
                    return { last = state.last, a = context:sink(a), b = context:sink(b) }
                end,
            }
            """)
        for _ in 0..<2 {
            for name in ["a", "b"] {
                try host.send(sink: host.rendering[name])
                #expect(host.rendering["last"] == .string(name))
            }
        }
        #expect(host.errors.isEmpty)
    }

    @Test(arguments: [1, 20]) func keysAndDefinitionsInTwoSpellingsAreTwo(_ others: Int) throws {
        let host = try FlowHost(
            """
            \(Self.twoSpellings)
            local function define(name)
                return {
                    name = name, state = { n = 0 },
                    apply = { add = function(state) state.n = state.n + 1 end },
                    render = function(state) return state.n end,
                }
            end
            local Child, A, B = define("child"), define(a), define(b)
            return {
                name = "flow", state = { turned = false },
                apply = { turn = function(state) state.turned = true end },
                render = function(state, context)
                    for i = 1, \(others) do context:render(Child, {}, { key = i }) end
                    local first, second = a, b
                    if state.turned then first, second = b, a end
                    local counts = {}
                    counts[first] = context:render(Child, {}, { key = first })
                    counts[second] = context:render(Child, {}, { key = second })
                    return { counts = counts, definitions = { context:render(A), context:render(B) } }
                end,
            }
            """)
        let (a, b) = ("\u{e9}", "e\u{301}")
        try host.send("add", to: "flow/child:\(b)")
        try host.send("add", to: "flow/\(b)")
        try host.send("turn")
        #expect(host.rendering == ["counts": .record([a: 0, b: 1]), "definitions": [0, 1]])
        #expect(host.errors.isEmpty)
    }

    @Test func typesThatAreNoUTF8AndReadTheSameAreRefused() throws {
        let error = #expect(throws: FlowError.self) {
            try FlowHost(
                #"return { apply = { ["\xff"] = print, ["\xfe"] = print }, render = function() end }"#
            )
        }
        #expect(
            error?.said == """
                'apply' of the definition of flow has two names that are not UTF-8 and read the same: '\u{FFFD}'
                help: write the types of actions in UTF-8
                """)
        #expect(error?.location == .init(file: "flow.lua", line: 1))
    }
}
