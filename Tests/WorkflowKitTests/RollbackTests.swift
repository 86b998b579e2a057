import LuaVM
import PlainValue
import TestFlows
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

@Suite struct RollbackTests {
    private func counts(_ session: FlowSession) async -> [Value?] {
        let tree = await session.rendering
        return [tree["n"], tree["branch"]?["n"], tree["branch"]?["leaf"]?["n"]]
    }

    private func tell(_ session: FlowSession, _ limit: Value) async throws {
        let leaf = await session.rendering["branch"]?["leaf"]?["tell"]
        try await session.send(sink: try #require(leaf), with: ["limit": limit])
    }

    @Test func cascadeThatGoesWellReachesEveryNode() async throws {
        let session = try await FlowSession.open(.cascade)
        try await tell(session, "none")
        #expect(await counts(session) == [100, 10, 1])
        #expect(await session.takeOutputs() == ["heard"])
    }

    @Test(arguments: [
        ("branch", "tree.lua:17: stopped at the branch (in apply.heard of tree/branch)"),
        ("tree", "tree.lua:31: stopped at the tree (in apply.heard of tree)"),
        ("output", "tree.lua:29: output: a function is not a plain value (in apply.heard of tree)"),
    ])
    func errorInACascadeLeavesEveryStateAsItWas(_ limit: String, _ message: String) async throws {
        let session = try await FlowSession.open(.cascade)
        try await tell(session, "none")
        let before = await session.rendering
        _ = await session.takeOutputs()

        let error = await #expect(throws: FlowError.self) {
            try await tell(session, .string(limit))
        }
        #expect(error?.description == message)
        #expect(await session.rendering == before)
        #expect(await session.takeOutputs() == [])

        // The states themselves are unchanged, not only the renderings.
        try await tell(session, "none")
        #expect(await counts(session) == [200, 20, 2])
    }

    @Test func failedCascadeGivesNoRendering() async throws {
        let recorder = EventRecorder()
        let session = try await FlowSession.open(.cascade, onEvent: recorder.note)
        await #expect(throws: FlowError.self) { try await tell(session, "tree") }
        #expect(recorder.types == ["ready", "rendering", "action", "action", "action", "error"])
    }

    @Test func everyBudgetRollsBackToo() async throws {
        let flow = """
            return {
                state = { n = 0 },
                apply = {
                    add = function(state) state.n = state.n + 1 end,
                    spin = function(state) state.n = 100 while true do end end,
                    hog = function(state) state.n = ("x"):rep(50000000) end,
                },
                render = function(state) return state.n end,
            }
            """
        // Time enough for calls that end.
        for (action, limit, code, message) in [
            (
                "spin", Duration.milliseconds(500), FlowError.Code.timeLimit,
                "stopped after 500 ms in one call"
            ), ("hog", .unreached, .memoryLimit, "stopped at 4 MB of memory"),
        ] {
            var options = FlowOptions()
            options.limits.timeLimit = limit
            options.limits.memoryLimit = 4 << 20
            let session = try await FlowSession.open(.text(flow), options: options)
            let error = await #expect(throws: FlowError.self) {
                try await session.send(.string(action))
            }
            #expect(error?.code == code)
            #expect(error?.message == message)
            #expect(await session.rendering == 0)
            try await session.send("add")
            #expect(await session.rendering == 1)
        }
    }
}
