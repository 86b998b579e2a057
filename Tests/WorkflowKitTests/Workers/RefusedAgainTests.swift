import FlowServing
import PlainValue
import TestSupport
import Testing
import WorkerKit
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

/// Workers that a flow was refused, when its session is played again.
@Suite(.timeLimit(.minutes(15))) struct RefusedAgainTests {
    struct Refused: Sendable, CustomTestStringConvertible {
        let code: FlowError.Code
        let worker: String
        let input: Value

        var testDescription: String { code.rawValue }
    }

    static let all = [
        Refused(code: .notGranted, worker: "faulty.picky", input: ["path": "/no/such/folder/file"]),
        Refused(code: .badInput, worker: "faulty.picky", input: ["paths": "a"]),
        Refused(code: .unknownWorker, worker: "faulty.none", input: [:]),
    ]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var plugins: WorkerRegistry {
        get throws { try WorkerRegistry([FaultyPlugin().plugin]) }
    }

    /// A recorded session that is refused a worker, and goes back to where it was.
    private func record(_ refused: Refused) async throws -> (FlowSession, FlowRecording) {
        let path = folder.path("session.jsonl")
        let session = try await FlowSession.open(
            .runner,
            options: FlowOptions(plugins: try plugins, journal: try FlowJournal(path: path)))
        let run: Value = ["type": "run", "worker": .string(refused.worker), "input": refused.input]
        func fail(_ action: Value) async {
            let error = await #expect(throws: FlowError.self) { try await session.send(action) }
            #expect(error?.code == refused.code)
        }
        await fail(run)
        await fail("touch")
        try await session.send("stop")
        try await session.send("touch")
        try await session.go(to: 1)
        await fail("touch")
        try await session.send("stop")
        return (session, try FlowRecording(path: path))
    }

    private func expectNoDifference(
        from session: FlowSession, in recording: FlowRecording,
        _ options: FlowOptions = FlowOptions()
    ) async throws {
        let again = try await recording.makeSession(of: .runner, options: options)
        let differences = try await recording.replay(in: again)
        #expect(differences.isEmpty)
        // Earlier steps are looked at as they were, too.
        #expect(await again.stepCount == 3)
        for step in 0...3 {
            #expect(try await again.rendering(at: step) == session.rendering(at: step))
        }
    }

    @Test(arguments: all) func aRecordingReplaysAsItWent(_ refused: Refused)
        async throws
    {
        let (session, recording) = try await record(refused)
        #expect(recording.steps.map { $0.error?.code ?? "" }.filter { !$0.isEmpty }.count == 3)
        try await expectNoDifference(from: session, in: recording)
        try await expectNoDifference(
            from: session, in: recording, FlowOptions(plugins: try plugins))
        let exported = try FlowRecording(text: try await session.recordingText())
        #expect(
            exported.steps.map { $0.error?.code } == [
                refused.code.rawValue, refused.code.rawValue, nil,
            ])
        try await expectNoDifference(from: session, in: exported)
        await session.close()
    }

    /// A flow that goes on with a worker, whose input is right or wrong.
    private func asking(_ field: String) -> FlowSource {
        .text(
            """
            return {
                state = {},
                apply = { ask = function(state) state.asks = true end },
                render = function(state, context)
                    if state.asks then context:run("faulty.picky", { \(field) = "/no/such" }) end
                    return { asks = state.asks }
                end,
            }
            """)
    }

    @Test func aWrongInputThatWasMendedIsNotRefusedAgain() async throws {
        let path = folder.path("session.jsonl")
        let session = try await FlowSession.open(
            asking("paths"),
            options: FlowOptions(plugins: try plugins, journal: try FlowJournal(path: path)))
        await #expect(throws: FlowError.self) { try await session.send("ask") }
        await session.close()
        let recording = try FlowRecording(path: path)
        let options = FlowOptions(plugins: try plugins)
        let same = try await recording.makeSession(of: asking("paths"), options: options)
        #expect(try await recording.replay(in: same).isEmpty)
        let mended = try await recording.makeSession(of: asking("path"), options: options)
        let differences = try await recording.replay(in: mended)
        #expect(differences.count == 2)
        #expect(await mended.rendering == ["asks": true])
    }
}
