import PlainValue
import TestSupport
import Testing

@Suite struct DebugCoroutineTests {
    private static let flow = """
        local Flow = { name = "flow", state = { n = 1, text = "" } }

        local function later(other, state)
            state.n = state.n + other.n
            return nil
        end

        local function fails(value)
            return value.field
        end

        local function handled(message)
            return #message > 0
        end

        Flow.apply = {
            resume = function(state, action)
                local step = coroutine.wrap(function(other, more)
                    local sum = other.n + more
                    coroutine.yield(sum)
                    state.n = state.n + sum
                end)
                local sum = step({ n = 40 }, 2)
                step()
                state.text = "done"
            end,
            tail = function(state)
                return later({ n = 5 }, state)
            end,
            handle = function(state)
                state.n = 2; return select(3, xpcall(fails, handled))
            end,
        }

        function Flow.render(state)
            local shown = {}
            local fill = coroutine.wrap(function(first)
                shown.n = first
            end)
            fill(state.n)
            return shown
        end

        return Flow
        """

    private let scene: Folder

    init() throws { scene = try Folder(["flow.lua": Self.flow]) }

    private func open(_ lines: String, at breakpoints: [Int]) async throws -> DebugClient {
        _ = try await scene.run("flow.lua", "--record", "s.jsonl", input: lines)
        let client = try DebugClient()
        try await client.launch(
            ["program": .string(scene.path("s.jsonl")), "flow": .string(scene.path("flow.lua"))],
            in: scene.path("flow.lua"), breakpoints.map { ["line": .int($0)] })
        return client
    }

    private func check(
        _ client: DebugClient, at place: String, _ values: KeyValuePairs<String, String>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(try await client.place == place, sourceLocation: sourceLocation)
        for (expression, value) in values {
            #expect(try await client.value(of: expression) == value, sourceLocation: sourceLocation)
        }
    }

    @Test func aCoroutineSeesTheStateOfItsNode() async throws {
        let client = try await open("resume\n", at: [20, 38])
        // The first rendering.
        try await check(
            client, at: "breakpoint flow.lua:38 function",
            ["state.n": "1", "state.text": "\"\"", "first": "1"])
        #expect(try await client.variables("State") == ["n = 1", "text = \"\""])
        _ = try await client.go("continue")
        try await check(
            client, at: "breakpoint flow.lua:20 function",
            ["state.n": "1", "action.type": "\"resume\"", "other.n": "40", "sum": "42"])
        #expect(
            try await client.frames.prefix(2).map { "\($0["name"] ?? "") \($0["line"] ?? 0)" }
                == ["\"function\" 20", "\"apply.resume of flow\" 23"])
        #expect(
            try await client.variables("Locals", frame: 1).contains { $0.hasPrefix("step = ") })
        let why = try await client.value(of: ".why n", context: "repl")
        #expect(why.contains("flow.lua:21"), "\(why)")
    }

    @Test func aCoroutineIsPassedOverAndLeft() async throws {
        let client = try await open("resume\n", at: [23])
        for line in [24, 25] {
            #expect(try await client.go("next") == "step flow.lua:\(line) apply.resume of flow")
        }
        for line in [24, 23] {
            #expect(try await client.go("stepBack") == "step flow.lua:\(line) apply.resume of flow")
        }
        #expect(try await client.go("stepIn") == "step flow.lua:19 function")
        #expect(try await client.go("stepOut") == "step flow.lua:24 apply.resume of flow")
        #expect(try await client.go("stepIn") == "step flow.lua:21 function")
        #expect(try await client.value(of: "state.n") == "1")
        #expect(try await client.go("next") == "step flow.lua:22 function")
        #expect(try await client.variables("Changes") == ["n = \"43  was 1\""])
    }

    @Test func aTailCallSeesTheStateOfItsNode() async throws {
        let client = try await open("tail\n", at: [5])
        try await check(
            client, at: "breakpoint flow.lua:5 apply.tail of flow",
            ["state.n": "6", "other.n": "5", "action.type": "\"tail\""])
        #expect(try await client.variables("State") == ["n = 6", "text = \"\""])
    }

    @Test func aStepBackPassesOverWhatTheStepForwardsPassedOver() async throws {
        let client = try await open("handle\n", at: [31])
        #expect(try await client.place == "breakpoint flow.lua:31 apply.handle of flow")
        #expect(try await client.go("next") == "step flow.lua:36 render of flow")
        #expect(try await client.go("stepBack") == "step flow.lua:31 apply.handle of flow")
        let finely: Value = ["threadId": 1, "granularity": "instruction"]
        _ = try await client.go("next")
        #expect(try await client.go("stepBack", finely).hasPrefix("step flow.lua:13"))
    }
}
