import PlainValue
import TestSupport
import Testing

/// `debug`: loops that are longer than what is kept of a step.
@Suite struct DebugLoopTests {
    private static let flow = """
        local Loop = { name = "loop", state = { sum = 0, count = COUNT } }

        Loop.apply = {
            spin = function(state)
                local sum = 0
                for i = 1, state.count do
                    sum = sum + i
                end
                state.sum = sum
            end,
        }

        function Loop.render(state) return { sum = state.sum, spin = 1 } end

        return Loop
        """

    private func open(
        _ breakpoint: Value, count: Int = 140_000, steps: Int = 1
    ) async throws -> DebugClient {
        let scene = try Folder(["loop.lua": Self.flow.replacing("COUNT", with: "\(count)")])
        let lines = String(repeating: "spin\n", count: steps)
        _ = try await scene.run("loop.lua", "--record", "s.jsonl", input: lines)
        let client = try DebugClient()
        try await client.launch(
            [
                "program": .string(scene.path("s.jsonl")), "flow": .string(scene.path("loop.lua")),
            ], in: scene.path("loop.lua"), [breakpoint])
        return client
    }

    private func sees(
        _ client: DebugClient, _ place: String, _ i: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await client.place
        #expect(found == "\(place) of loop", sourceLocation: sourceLocation)
        let values = [try await client.value(of: "i"), try await client.value(of: "sum")]
        #expect(values == ["\(i)", "\(i * (i - 1) / 2)"], sourceLocation: sourceLocation)
    }

    @Test func aLateHitIsStoppedAt() async throws {
        let client = try await open(["line": 7, "hitCondition": "139000"])
        try await sees(client, "breakpoint loop.lua:7 apply.spin", 139_000)
        #expect(try await client.go("stepBack").hasPrefix("step loop.lua:6"))
        _ = try await client.go("stepBack")
        try await sees(client, "step loop.lua:7 apply.spin", 138_999)
        _ = try await client.go("next")
        _ = try await client.go("next")
        try await sees(client, "step loop.lua:7 apply.spin", 139_000)
        #expect(try await client.go("stepOut").contains("loop.lua:13 render"))
        #expect(try await client.go("continue").hasPrefix("end"))
        _ = try await client.go("reverseContinue")
        try await sees(client, "breakpoint loop.lua:7 apply.spin", 139_000)
    }

    @Test func theStackOfALateHitHasTheNodesAround() async throws {
        let parent = """
            local Child = require "child"
            local Parent = { name = "parent" }
            function Parent.render(_, context)
                local count = 300000
                local child = context:render(Child, { count = count })
                return { child = child }
            end
            return Parent
            """
        let child = """
            local Child = { name = "child" }
            function Child.render(_, context)
                local sum = 0
                for i = 1, context.props.count do
                    sum = sum + i
                end
                return { sum = sum }
            end
            return Child
            """
        let scene = try Folder(["parent.lua": parent, "child.lua": child])
        let client = try DebugClient()
        try await client.launch(
            ["program": .string(scene.path("parent.lua"))], in: scene.path("child.lua"),
            [["line": 5, "hitCondition": "290000"]])
        #expect(
            try await client.frames.map { "\($0["name"]?.string ?? "") \($0["line"]?.int ?? 0)" }
                == [
                    "render of parent/child 5", "render of parent 5",
                    "step 0 of 0, the beginning 0",
                ])
        #expect(try await client.variables("Locals", frame: 1).contains("count = 300000"))
        _ = try await client.go("stepBack")
        #expect(try await client.frames.count == 3)
    }

    @Test func hitsAreCountedFromStepToStep() async throws {
        let client = try await open(["line": 7, "hitCondition": "140005"], steps: 2)
        try await sees(client, "breakpoint loop.lua:7 apply.spin", 5)
        #expect(try await client.frames.last?["name"]?.string?.hasPrefix("step 2") == true)
    }

    @Test(
        arguments: [
            (["line": 7, "hitCondition": "% 70000"], 140_000),
            (["line": 7, "condition": "i % 5000 == 0"], 10_000),
        ] as [(Value, Int)])
    func theLastHitIsFoundAndTheOneBefore(_ breakpoint: Value, _ last: Int) async throws {
        let client = try await open(breakpoint, count: last)
        try await sees(client, "breakpoint loop.lua:7 apply.spin", last / 2)
        _ = try await client.go("continue")
        try await sees(client, "breakpoint loop.lua:7 apply.spin", last)
        #expect(try await client.go("continue").hasPrefix("end"))
        for i in [last, last / 2] {
            _ = try await client.go("reverseContinue")
            try await sees(client, "breakpoint loop.lua:7 apply.spin", i)
        }
    }
}
