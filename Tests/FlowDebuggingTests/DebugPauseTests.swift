import PlainValue
import Synchronization
import TestSupport
import Testing
import Workflow
import WorkflowLua

/// `debug`: what never ends is paused, and what fails at the beginning is told.
@Suite struct DebugPauseTests {
    private func scene() throws -> Folder {
        try Folder([
            "flow.lua": """
            local Flow = { name = "flow", state = { n = 0 } }
            Flow.apply = {
                spin = function(state)
                    while true do
                        state.n = state.n + 1
                    end
                end,
                add = function(state) state.n = state.n + 1 end,
            }
            function Flow.render(state, context)
                if context.props.rings then context:render("bell", {}) end
                return { n = state.n, broken = context.props.broken.field }
            end
            return Flow
            """
        ])
    }

    private func launch(_ scene: Folder, _ actions: Value, _ props: Value) -> Value {
        ["program": .string(scene.path("flow.lua")), "actions": actions, "props": props]
    }

    private struct Bell: Workflow {
        struct Props: Decodable {}
        struct State: Codable {}
        let ring: @Sendable () -> Void
        func makeInitialState() -> State { State() }
        func render(state: State, context: RenderContext<Bell>) -> Int {
            ring()
            return 0
        }
    }

    @Test func endlessActionsOfALaunchArePausedIn() async throws {
        let scene = try scene()
        let rings = Counter()
        let client = try DebugClient { natives in
            natives.register("bell", props: Bell.Props.self) { _ in
                Bell { rings.count.add(1, ordering: .sequentiallyConsistent) }
            }
        }
        try await client.ask("initialize", ["adapterID": "workflow"])
        let props: Value = ["broken": [:], "rings": true]
        let arguments = launch(scene, ["add", "spin", "spin", "add"], props)
        try await client.ask(hurrying: "launch", arguments) {
            rings.count.load(ordering: .sequentiallyConsistent) > 1
        }
        try await client.ask("pause")
        #expect(!client.hasStopped)
        try await client.ask("configurationDone")
        // Where it was interrupted, if it had got so far; else nothing has come in.
        let place = try await client.place
        #expect(place.hasPrefix("pause flow.lua:"))
        try await client.ask("continue")
        let shown = try await client.value(of: "add", context: "repl")
        #expect(shown == "{ n = 1 }" || shown == "{ n = 2 }")
    }

    @Test func aPauseWhileTheFileIsLoadedKeepsNothingFromBeingLoaded() async throws {
        let scene = try Folder([
            "slow.lua": """
            local n = 0
            for _ = 1, 1000000 do n = n + 1 end
            return { state = { n = n }, render = function(state) return state end }
            """
        ])
        let client = try DebugClient()
        try await client.ask("initialize", ["adapterID": "workflow"])
        let launched = try await client.ask(
            hurrying: "launch", ["program": .string(scene.path("slow.lua"))])
        #expect(launched["success"] == true, "\(launched)")
        try await client.ask("configurationDone")
        try await client.ask("pause")
        #expect(try await client.place == "pause slow.lua:3 render of slow")
        #expect(try await client.value(of: "state.n") == "1000000")
    }

    @Test func eachPauseReportsTheStop() async throws {
        let scene = try scene()
        let client = try DebugClient()
        try await client.launch(launch(scene, [], ["broken": [:]]))
        #expect(!client.hasStopped)
        for count in 1...3 {
            try await client.ask("pause")
            #expect(client.all.count { $0["event"] == "stopped" } == count)
            #expect(try await client.place == "pause flow.lua:12 render of flow")
        }
        try await client.ask("continue")
        try await client.ask("pause")
        #expect(client.all.last?["event"] == "stopped")
    }

    @Test func aRequestIsCancelledByItsNumberOnly() async throws {
        let scene = try scene()
        let client = try DebugClient()
        _ = try await scene.run(
            "flow.lua", "--record", "s.jsonl", "--props", #"{"broken":{}}"#, input: "add\nadd\n")
        try await client.launch(
            ["program": .string(scene.path("s.jsonl")), "stopOnEntry": true],
            in: scene.path("flow.lua"), [["line": 8]])
        var last: Int { client.all.compactMap { $0["request_seq"]?.int }.max() ?? 0 }
        try client.hurry("cancel", ["requestId": .int(last)])
        #expect(try await client.go("continue").hasPrefix("breakpoint flow.lua:8"))
        let stops = client.all.count { $0["event"] == "stopped" }
        try client.hurry("cancel", ["requestId": .int(last + 1)])
        try await client.ask("continue")
        #expect(client.all.count { $0["event"] == "stopped" } == stops)
        try await client.ask("cancel")
        #expect(try await client.place.hasPrefix("pause flow.lua:8"))
    }

    @Test func aPauseIsAnsweredBeforeItStops() async throws {
        let scene = try scene()
        let client = try DebugClient()
        try await client.launch(launch(scene, [], ["broken": [:]]))
        try await client.ask(hurrying: "evaluate", ["expression": "spin", "context": "repl"])
        #expect(!client.hasStopped)
        let answer = try await client.ask("pause")
        let all = client.all
        let answered = try #require(all.firstIndex(of: answer))
        let stopped = try #require(all.firstIndex { $0["event"] == "stopped" })
        #expect(answered < stopped)
    }

    @Test func aSearchThatAPauseEndsStopsAfterTheAnswer() async throws {
        let scene = try scene()
        let client = try DebugClient()
        _ = try await scene.run(
            "flow.lua", "--record", "s.jsonl", "--props", #"{"broken":{}}"#, input: "add\nadd\n")
        try await client.launch(
            ["program": .string(scene.path("s.jsonl")), "stopOnEntry": true],
            in: scene.path("flow.lua"), [["line": 8]])
        let place = try await client.place
        try client.pause()
        try await client.ask("continue")
        #expect(client.all.count { $0["event"] == "stopped" } == 1)
        try await client.ask("pause")
        #expect(client.all.last?["event"] == "stopped")
        #expect(try await client.place == place.replacing("entry", with: "pause"))
        #expect(try await client.go("continue").hasPrefix("breakpoint flow.lua:8"))
    }

    @Test func aFlowThatFailsAtTheBeginningTakesNoActions() async throws {
        let scene = try scene()
        let client = try DebugClient()
        try await client.launch(
            launch(scene, ["add", ["type": "add"]], [:]),
            before: [("setExceptionBreakpoints", ["filters": ["failed"]])])
        #expect(try await client.place == "exception flow.lua:12 render of flow")
        let refused = try await client.value(of: "add", context: "repl")
        #expect(refused.hasPrefix("the flow takes no actions, as it has failed at the beginning"))
        for command in ["next", "continue", "reverseContinue", "stepBack"] {
            try await client.ask(command, ["threadId": 1])
        }
        #expect(client.all.allSatisfy { !$0.json.contains("there is no step") })
    }
}

private final class Counter: Sendable { let count = Atomic(0) }
