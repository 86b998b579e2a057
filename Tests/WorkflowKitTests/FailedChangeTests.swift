import FlowTesting
import PlainValue
import TestFlows
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

/// A failed `changed`: in the root it refuses new props; in another node it is part of the render.
@Suite struct FailedChangeTests {
    private static let text = """
        local Child = { name = "child", state = { changes = 0 } }

        function Child.changed(_, new, state)
            state.changes = state.changes + 1
            if new.boom then error("no booms") end
        end

        function Child.render(state) return { changes = state.changes } end

        local Flow = { name = "flow", state = { n = 0, boom = false } }

        function Flow.changed(_, new)
            if new.refused then error("refused") end
        end

        Flow.apply = {
            add = function(state) state.n = state.n + 1 end,
            boom = function(state, _, context)
                state.n, state.boom = state.n + 1, not state.boom
                state.drawn = context:random(1000000)
            end,
        }

        function Flow.render(state, context)
            local boom = state.boom or context.props.boom or false
            return { n = state.n, child = context:render(Child, { boom = boom }) }
        end

        return Flow
        """
    private static let flow = FlowSource.text(text, name: "flow.lua")

    private func fails(_ session: FlowSession, _ action: Value = "boom") async {
        let error = await #expect(throws: FlowError.self) { try await session.send(action) }
        #expect(error?.description == "flow.lua:5: no booms (in changed of flow/child)")
    }

    @Test func actionThatAChildCannotFollowIsAStep() async throws {
        let session = try await FlowSession.open(Self.flow)
        await fails(session)
        #expect(await session.inputs.map(\.title) == ["boom"])
        #expect(await session.rendering == ["n": 0, "child": ["changes": 0]])
        let state = await session.state()
        #expect(state?["n"] == 1)
        #expect(try await session.steps().map(\.action) == ["boom"])
        try await session.undo()
        #expect(await session.state() == ["n": 0, "boom": false])
        try await session.redo()
        #expect(await session.state() == state)
    }

    @Test func stepsThatAChildCannotFollowAreReachedAgain() async throws {
        let session = try await FlowSession.open(Self.flow)
        var seen = [try await moment(of: session)]
        // After 64 inputs a state would be stored.
        for action in Array(repeating: "add", count: 63) + ["boom", "boom", "add"] {
            try? await session.send(.string(action))
            seen.append(try await moment(of: session))
        }
        #expect(seen[64].rendering["n"] == 63)
        #expect(seen[66].rendering == ["n": 66, "child": ["changes": 0]])
        for step in [64, 65, 63, 65, 64, 66, 65] {
            try await session.go(to: step)
            #expect(try await moment(of: session) == seen[step])
            #expect(try await session.rendering(at: 65) == seen[65].rendering)
        }
    }

    private struct Moment: Equatable {
        let state: Value
        let rendering: Value
    }

    private func moment(of session: FlowSession) async throws -> Moment {
        Moment(state: try #require(await session.state()), rendering: await session.rendering)
    }

    @Test func stepsThatCannotBeRenderedAreReachedAgain() async throws {
        let session = try await FlowSession.open(.counter)
        for _ in 1...63 { try await session.send(["type": "add", "by": 0]) }
        await #expect(throws: FlowError.self) { try await session.send(["type": "add", "by": 13]) }
        for _ in 65...66 { try await session.send("add") }
        for (step, state, shown) in [(65, 14, 14), (64, 13, 0), (65, 14, 14)] {
            try await session.go(to: step)
            #expect(await session.state()?["n"] == .int(state))
            #expect(await session.rendering["n"] == .int(shown))
        }
    }

    @Test func whatARootRefusesIsNoStep() async throws {
        let session = try await FlowSession.open(Self.flow)
        let error = await #expect(throws: FlowError.self) {
            try await session.update(props: ["refused": true])
        }
        #expect(error?.description == "flow.lua:13: refused (in changed of flow)")
        #expect(await session.props == [:])
        #expect(await session.stepCount == 0)
    }

    @Test func propsThatAChildCannotFollowAreTaken() async throws {
        let session = try await FlowSession.open(Self.flow)
        await #expect(throws: FlowError.self) { try await session.update(props: ["boom": true]) }
        #expect(await session.props == ["boom": true])
        #expect(await session.stepCount == 1)
        try await session.undo()
        #expect(await session.props == [:])
        try await session.redo()
        try await session.update(props: [:])
        try await session.send("add")
        #expect(await session.rendering == ["n": 1, "child": ["changes": 0]])
        #expect(await session.stepCount == 3)
    }

    @Test func recordingOfWhatAChildCannotFollowReplays() async throws {
        let folder = try Folder()
        let path = folder.path("session.jsonl")
        var options = FlowOptions()
        options.journal = try FlowJournal(path: path)
        let session = try await FlowSession.open(Self.flow, options: options)
        await fails(session)
        await fails(session, "add")
        try await session.undo()
        try await session.send("boom")
        try await session.send("add")
        await #expect(throws: FlowError.self) { try await session.update(props: ["boom": true]) }
        await #expect(throws: FlowError.self) { try await session.update(props: ["refused": true]) }
        let (state, count) = (await session.state(), await session.stepCount)
        #expect(count == 4)
        await session.close()

        let recording = try FlowRecording(path: path)
        let again = try await recording.makeSession(of: Self.flow)
        let differences = try await recording.replay(in: again)
        #expect(differences.map { "\($0.step): \($0.content)" } == [])
        #expect(await again.state() == state)
        #expect(await again.stepCount == count)
        #expect(await again.props == ["boom": true])
    }

    @Test func testGoesBackOverSuchSteps() throws {
        let test = """
            local Flow = require "flow"
            it("goes back", function()
                local flow = workflow.test(Flow)
                flow:send "boom"
                flow:expect_error "no booms"
                flow:expect_state { n = 1 }
                flow:undo()
                flow:expect_state { n = 0, boom = false }
                flow:update { refused = true }
                flow:expect_error "refused"
                flow:update { boom = true }
                flow:expect_error "no booms"
                flow:update {}
                flow:expect_rendering { n = 0, child = { changes = 0 } }
            end)
            """
        let results = try FlowTestFile(
            .text(test, name: "flow_test.lua", modules: ["flow": Self.text])
        ).run()
        #expect(results.map(\.failure?.error.description) == [nil])
    }
}
