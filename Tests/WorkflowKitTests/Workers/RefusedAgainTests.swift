import FlowProtocol
import PlainValue
import TestSupport
import Testing
import WorkerKit
@testable import WorkflowKit
import WorkflowLua
import WorkflowPlugins

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

    private let folder: Folder

    init() throws { folder = try Folder() }

    private var plugins: WorkerRegistry {
        get throws { try WorkerRegistry([FaultyPlugin().plugin]) }
    }

    /// A recorded session that was refused a worker and goes back to an earlier step.
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
        #expect(await again.stepCount == 3)
        for step in 0...3 {
            #expect(try await again.rendering(at: step) == session.rendering(at: step))
        }
    }

    @Test(arguments: all) func aRecordingReplaysAsItWent(_ refused: Refused) async throws {
        let (session, recording) = try await record(refused)
        #expect(recording.steps.map { $0.error?.code ?? "" }.filter { !$0.isEmpty }.count == 3)
        try await expectNoDifference(from: session, in: recording)
        try await expectNoDifference(
            from: session, in: recording, FlowOptions(plugins: try plugins))
        let exported = try FlowRecording(parsing: try await session.recordingText())
        #expect(
            exported.steps.map { $0.error?.code } == [
                refused.code.rawValue, refused.code.rawValue, nil,
            ])
        try await expectNoDifference(from: session, in: exported)
        await session.close()
    }

    /// A flow that catches refusals from the beginning on, and has a worker that is not refused.
    private static let catching = FlowSource.text(
        """
        local function try(context, path, key)
            local ok, message = pcall(
                context.run, context, "faulty.lasts", { path = path }, { key = key })
            return ok and "runs" or message
        end
        return {
            state = { path = "/no/such/first", count = 0 },
            apply = {
                move = function(state, action) state.path = action.path end,
                count = function(state) state.count = state.count + 1 end,
            },
            render = function(state, context)
                return {
                    count = state.count, one = try(context, state.path, "one"),
                    two = try(context, "/granted/file", "two"),
                }
            end,
        }
        """)

    private func granting(_ grants: String, _ faulty: FaultyPlugin) throws -> FlowOptions {
        FlowOptions(
            plugins: try WorkerRegistry([faulty.plugin]),
            grants: Grants([try Grant(parsing: grants)]))
    }

    @Test func aRefusalThatTheFlowCatchesComesAgainToo() async throws {
        let faulty = FaultyPlugin()
        defer { faulty.release() }
        var options = try granting("file.read=/granted", faulty)
        let path = folder.path("session.jsonl")
        options.journal = try FlowJournal(path: path)
        let session = try await FlowSession.open(Self.catching, options: options)
        #expect(await session.rendering["one"] != "runs")
        #expect(await session.rendering["two"] == "runs")
        for action: Value in [
            "count", ["type": "move", "path": "/granted/other"], "count",
            ["type": "move", "path": "/no/such/second"], "count",
        ] { try await session.send(action) }
        try await session.go(to: 1)
        try await session.go(to: 5)
        let recordings = [
            try FlowRecording(path: path),
            try FlowRecording(parsing: try await session.recordingText()),
        ]
        for recording in recordings {
            #expect(recording.steps.map(\.input.refusals.count) == [1, 0, 0, 1, 1])
            let again = try await recording.makeSession(of: Self.catching)
            #expect(try await recording.replay(in: again).isEmpty)
            for step in 0...5 {
                #expect(try await again.rendering(at: step) == session.rendering(at: step))
            }
        }
        // The stored inputs tell how it went; after them the present grants count.
        let kept = try await session.inputs.map { try FlowInput(document: $0.document) }
        let other = FlowSession(options: try granting("file.read", faulty))
        try await other.start(Self.catching, replaying: kept)
        #expect(try await other.rendering(at: 4) == session.rendering(at: 4))
        #expect(await other.inputs.map(\.refusals) == session.inputs.map(\.refusals))
        #expect(await other.rendering["one"] == "runs")
        faulty.release()
        await other.close()
        await session.close()
    }

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
