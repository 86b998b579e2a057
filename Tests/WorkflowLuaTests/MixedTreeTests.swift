import PlainValue
import Testing
import Workflow
import WorkflowLua

/// A native counter that scripts may render: props, rendering, output and actions are `Codable`.
private struct Counter: Workflow {
    struct Props: Decodable, Equatable { var step: Int }

    struct Rendering: Encodable {
        var count: Int
        var tap: Value
    }

    enum Action: WorkflowAction, Decodable, Sendable {
        case tap

        init(from decoder: any Decoder) throws {
            let type = try Value(from: decoder)["type"]?.string
            guard type == "tap" else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: [], debugDescription: "the counter knows only tap"))
            }
            self = .tap
        }

        func apply(toState state: inout Int, context: ApplyContext<Counter>) -> Int? {
            state += context[workflowValue: \.props.step]
            return state % 2 == 0 ? state : nil
        }
    }

    typealias Output = Int

    var props: Props

    func makeInitialState() -> Int { 0 }

    func render(state: Int, context: RenderContext<Counter>) -> Rendering {
        Rendering(count: state, tap: context.valueSink(["type": "tap"]))
    }
}

/// A native parent of Lua children.
private struct Shelf: Workflow {
    struct State: Equatable {
        var heard: [Value] = []
        var word = "a"
    }

    enum Action: WorkflowAction {
        case heard(Value)
        case say(String)

        func apply(toState state: inout State, context: ApplyContext<Shelf>) throws -> Value? {
            switch self {
            case .heard(let value):
                state.heard.append(value)
                if value == "refuse" { throw FlowError(.host, "the shelf refuses") }
                return nil
            case .say(let word):
                state.word = word
                return nil
            }
        }
    }

    struct Rendering {
        var child: Value
        var heard: [Value]
        var sink: Sink<Action>
    }

    typealias Output = Value

    let flow: LuaFlow

    func makeInitialState() -> State { State() }

    func render(state: State, context: RenderContext<Shelf>) -> Rendering {
        let child = flow.workflow(props: ["word": .string(state.word)])
            .mapOutput { Action.heard($0) }
            .mapRendering(\.value)
            .rendered(in: context, key: "flow")
        return Rendering(child: child, heard: state.heard, sink: context.makeSink(of: Action.self))
    }
}

@Suite struct MixedTreeTests {
    private func nativeOptions() -> LuaFlow.Options {
        var natives = NativeWorkflows()
        natives.register("counter", props: Counter.Props.self, actions: Counter.Action.self) {
            Counter(props: $0)
        }
        return LuaFlow.Options(nativeWorkflows: natives)
    }

    private let parent = """
        local Parent = { name = "parent", state = { even = {} } }
        Parent.apply = {
            even = function(state, action) table.insert(state.even, action.output) end,
            speak = function(state, action) return action.word end,
        }
        function Parent.render(state, context)
            return {
                even = state.even,
                word = context.props.word,
                counter = context:render("counter", { step = context.props.step or 1 }, { on_output = "even" }),
            }
        end
        return Parent
        """

    @Test func aNativeWorkflowIsAChildOfAScriptedOne() throws {
        let host = try FlowHost(parent, options: nativeOptions())
        let tap = host.rendering["counter"]?["tap"]
        #expect(tap == ["$sink": ["node": "parent/Counter", "action": ["type": "tap"]]])
        try host.send(sink: tap)
        try host.send(sink: tap)
        #expect(host.rendering["counter"]?["count"] == 2)
        #expect(host.rendering["even"] == [2])
    }

    @Test func aScriptedWorkflowIsAChildOfANativeOne() throws {
        let flow = try LuaFlow(source: parent, options: nativeOptions())
        var failures: [WorkflowFailure] = []
        let host = WorkflowHost(
            workflow: Shelf(flow: flow),
            options: HostOptions(onReport: { report in
                if case .failure(let failure) = report { failures.append(failure) }
            }))
        #expect(host.rendering.child["word"] == "a")
        host.rendering.sink.send(.say("b"))
        #expect(host.rendering.child["word"] == "b")

        // Swift in Lua in Swift: the counter is a grandchild of the shelf.
        let counter: NodePath = "Shelf/parent:flow/Counter"
        _ = try flow.send(["type": "tap"], to: counter, in: host)
        _ = try flow.send(["type": "tap"], to: counter, in: host)
        #expect(host.rendering.child["even"] == [2])

        let child: NodePath = "Shelf/parent:flow"
        _ = try flow.send(["type": "speak", "word": "hello"], to: child, in: host)
        #expect(host.rendering.heard == ["hello"])
        _ = try flow.send(["type": "speak", "word": "refuse"], to: child, in: host)
        #expect(host.rendering.heard == ["hello"])
        #expect(failures.map { "\($0.error)" } == ["the shelf refuses"])
    }

    @Test func scriptedAndNativeNodesAlternateInOneTree() throws {
        let inner = try LuaFlow(
            source: """
                return {
                    name = "inner",
                    state = { n = 0 },
                    apply = { add = function(state) state.n = state.n + 1 return state.n end },
                    render = function(state) return { n = state.n } end,
                }
                """)
        struct Bridge: Workflow {
            struct Rendering: Encodable { var inner: Value }
            typealias Output = Value
            let flow: LuaFlow
            func render(state: Void, context: RenderContext<Bridge>) -> Rendering {
                Rendering(
                    inner: flow.workflow().mapRendering(\.value).rendered(in: context) {
                        AnyWorkflowAction<Bridge>(sendingOutput: $0)
                    })
            }
        }
        struct NoProps: Decodable {}
        var natives = NativeWorkflows()
        natives.register("bridge", props: NoProps.self) { _ in Bridge(flow: inner) }
        let host = try FlowHost(
            """
            return {
                name = "outer",
                state = { sum = 0 },
                apply = { got = function(state, action) state.sum = state.sum + action.output end },
                render = function(state, context)
                    return { sum = state.sum, bridge = context:render("bridge", {}, { on_output = "got" }) }
                end,
            }
            """, options: LuaFlow.Options(nativeWorkflows: natives))
        try host.send("add", to: "outer/Bridge/inner")
        try host.send("add", to: "outer/Bridge/inner")
        #expect(host.rendering == ["sum": 3, "bridge": ["inner": ["n": 2]]])
    }

    @Test func badPropsForANativeWorkflowAreALocatedError() throws {
        let host = try FlowHost(
            """
            return {
                name = "root",
                state = { step = 1 },
                apply = { spoil = function(state) state.step = "two" end },
                render = function(state, context)
                    return context:render("counter", { step = state.step })
                end,
            }
            """, options: nativeOptions())
        try host.send("spoil")
        #expect(
            host.errors.map(\.description) == [
                """
                flow.lua:6: the props of 'counter' do not fit: expected an integer at step, \
                found a string (in render of root)
                """
            ])
    }

    @Test func actionsThatANativeNodeDoesNotTakeAreRefused() throws {
        var options = nativeOptions()
        struct Mute: Workflow {
            struct Props: Decodable {}
            func render(state: Void, context: RenderContext<Mute>) -> Int { 1 }
        }
        options.nativeWorkflows.register("mute", props: Mute.Props.self) { _ in Mute() }
        let host = try FlowHost(
            """
            return { name = "root", render = function(_, context)
                context:render("counter", { step = 1 })
                context:render("mute", {}, { key = "m" })
            end }
            """, options: options)
        let paths = host.host.makeSnapshot().root.children.map { "root/\($0.name):\($0.key)" }
        #expect(paths == ["root/Counter:", "root/Mute:m"])
        let wrong = #expect(throws: FlowError.self) { try host.send("tp", to: "root/Counter") }
        #expect(
            wrong?.message == "the action does not fit 'root/Counter': the counter knows only tap")
        let mute = #expect(throws: FlowError.self) { try host.send("tap", to: "root/Mute:m") }
        #expect(mute?.message == "the node 'root/Mute:m' takes no actions from outside")
    }

    @Test func aNativeWorkflowThatCannotBeMadeIsALocatedError() throws {
        struct Refusal: Error, CustomStringConvertible {
            var description: String { "it is closed on Sundays" }
        }
        struct Odd: Workflow {
            struct Props: Decodable {}
            func render(state: Void, context: RenderContext<Odd>) -> UInt64 { .max }
        }
        var natives = NativeWorkflows()
        natives.register("shop", props: Counter.Props.self) { props -> Counter in
            if props.step == 7 { throw Refusal() }
            return Counter(props: props)
        }
        natives.register("odd", props: Odd.Props.self) { _ in Odd() }
        func errors(_ render: String) throws -> [String] {
            try FlowHost(
                "return { name = 'root', render = function(_, context) context:render(\(render)) end }",
                options: LuaFlow.Options(nativeWorkflows: natives)
            ).errors.map(\.description)
        }
        #expect(
            try errors("'shop', { step = 7 }") == [
                "flow.lua:1: 'shop' cannot be rendered: it is closed on Sundays (in render of root)"
            ])
        let odd = try errors("'odd', {}")
        #expect(
            odd == [
                "flow.lua:1: the rendering of 'odd' is not a plain value: 18446744073709551615 does not fit 64 bits (in render of root)"
            ])
    }

    @Test func anUnknownNativeWorkflowIsALocatedErrorWithASuggestion() throws {
        let host = try FlowHost(
            """
            return { name = "root", render = function(_, context) return context:render("countr") end }
            """, options: nativeOptions())
        #expect(
            host.errors.map(\.description) == [
                """
                flow.lua:1: no native workflow is registered as 'countr'. Did you mean 'counter'? \
                (in render of root)
                """
            ])
        #expect(host.rendering == .null)
    }
}
