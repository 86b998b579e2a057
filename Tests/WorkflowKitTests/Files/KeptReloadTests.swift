import Foundation
import PlainValue
import TestFlows
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

@Suite(.timeLimit(.minutes(15))) struct KeptReloadTests {
    private let folder: Folder
    private let events = EventRecorder()

    init() throws { folder = try Folder() }

    private func write(by step: Int, named name: String = "sum", _ more: String = "") throws {
        try folder.write(
            """
            return {
                name = "\(name)", \(more)
                state = { sum = 0 },
                apply = { add = function(state) state.sum = state.sum + \(step) end },
                render = function(state) return { sum = state.sum, by = \(step) } end,
            }
            """, to: "flow.lua")
    }

    private func open(adding count: Int = 0) async throws -> FlowSession {
        try write(by: 1)
        let session = try await FlowSession.open(
            .file(folder.path("flow.lua")), options: FlowOptions(), onEvent: events.note)
        for _ in 0..<count { try await session.send("add") }
        return session
    }

    private func hashes() -> [String] {
        events.all.compactMap { event in
            if case .reloaded(let hash, _) = event.kind { hash } else { nil }
        }
    }

    @Test func allStepsStayAsTheyWereAndTheNewCodeGoesOnFromThere() async throws {
        let session = try await open(adding: 3)
        try write(by: 10)
        try await session.reload()
        #expect(await session.rendering == ["sum": 3, "by": 10])
        try await session.send("add")
        #expect(await session.rendering["sum"] == 13)
        try await session.undo()
        #expect(await session.rendering["sum"] == 3)
        try await session.undo()
        #expect(await session.rendering == ["sum": 2, "by": 10])
        #expect(try await session.rendering(at: 1) == ["sum": 1, "by": 1])
        try await session.redo()
        #expect(await session.rendering["sum"] == 3)
        try await session.redo()
        #expect(await session.rendering["sum"] == 13)
    }

    /// The code of the latest reloads is kept, and what it cannot replay is told.
    @Test func stepsBeforeManyReloadsCannotBeReplayed() async throws {
        let session = try await open()
        for number in 1...18 {
            try await session.send("add")
            try write(by: number + 1)
            try await session.reload()
        }
        #expect(try await session.rendering(at: 2) == ["sum": 3, "by": 3])
        #expect(try await session.rendering(at: 3) == ["sum": 6, "by": 4])
        let error = await #expect(throws: FlowError.self) { try await session.rendering(at: 1) }
        #expect(
            error?.message
                == "step 1 cannot be replayed: the files that played it are not loaded any more")
        let moved = await #expect(throws: FlowError.self) { try await session.go(to: 0) }
        #expect(moved?.message.hasPrefix("step 0 cannot be replayed") == true)
        #expect(await session.step == 18)
        let steps = try await session.steps()
        #expect(steps.map(\.changed) == [[], []] + Array(repeating: ["by", "sum"], count: 16))
        try await session.reload(.replayingInputs)
        #expect(try await session.rendering(at: 1) == ["sum": 19, "by": 19])
    }

    @Test func newCodeIsInForceAtTheLastStepTooIfItComesInThePast() async throws {
        let session = try await open(adding: 3)
        try await session.undo()
        try write(by: 10)
        try await session.reload()
        #expect(await session.rendering == ["sum": 2, "by": 10])
        try await session.redo()
        #expect(await session.rendering == ["sum": 3, "by": 10])
        try await session.send("add")
        #expect(await session.rendering["sum"] == 13)
        #expect(hashes().count == 1)
    }

    @Test func aFlowOfAnotherNameIsRefused() async throws {
        let session = try await open(adding: 1)
        try write(by: 10, named: "other")
        let error = await #expect(throws: FlowError.self) { try await session.reload() }
        #expect(error?.message == "the flow is called 'other' now, and was 'sum'")
        #expect(error?.notes == ["the flow goes on as it was before"])
        try await session.send("add")
        #expect(await session.rendering == ["sum": 2, "by": 1])
        #expect(hashes().isEmpty)
    }

    @Test func codeThatCannotRenderIsTakenBack() async throws {
        let session = try await open(adding: 1)
        let hash = await session.hash
        try folder.write(
            """
            return { name = "sum", state = { sum = 0 }, render = function() error "no" end }
            """, to: "flow.lua")
        let error = await #expect(throws: FlowError.self) { try await session.reload() }
        #expect(error?.notes.last == "the flow goes on as it was before")
        #expect(hashes().last == hash)
        #expect(events.errors.count == 1)
        try await session.undo()
        try await session.redo()
        try await session.send("add")
        #expect(await session.rendering == ["sum": 2, "by": 1])
    }

    @Test(arguments: [false, true])
    func aStateOfAnotherVersionIsMigrated(_ isInPast: Bool) async throws {
        let session = try await open(adding: 3)
        if isInPast { try await session.undo() }
        let migrate =
            "migrate = function(state, from) state.sum = state.sum * 100 return state end,"
        try write(by: 1, "version = 2, " + migrate)
        try await session.reload()
        #expect(await session.rendering["sum"] == (isInPast ? 200 : 300))
        if isInPast { try await session.redo() }
        try await session.send("add")
        #expect(await session.rendering["sum"] == 301)
        #expect(events.errors.isEmpty)
        let kept = try await session.snapshot().document["nodes"]?.list?.first
        #expect(kept?["version"] == 2)
        #expect(kept?["state"] == ["sum": 301])
    }

    @Test func aStateThatCannotBeMigratedStaysWithItsCode() async throws {
        let session = try await open(adding: 3)
        try write(by: 10, "version = 2,")
        let error = await #expect(throws: FlowError.self) { try await session.reload() }
        #expect(
            error?.message
                == "sum cannot go on: flow.lua:5: the state is of version 1 of sum, which is at version 2; "
                + "add: migrate = function(state, from_version) … return state end")
        #expect(events.errors.count == 1)
        try await session.send("add")
        #expect(await session.rendering == ["sum": 4, "by": 1])
    }
}
