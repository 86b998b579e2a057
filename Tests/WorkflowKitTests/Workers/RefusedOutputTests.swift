import LuaVM
import PlainValue
import TestFlows
import TestSupport
import Testing
import WorkerKit
import Workflow
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

@Suite struct RefusedOutputTests {
    private struct Giver: EmittingPluginWorker {
        static let name = "test.give"
        static let summary = "Gives the outputs of its input."

        struct Input: Codable, Sendable { var outputs: [Int] }

        func run(_ input: Input, context: WorkerContext, outputs: WorkerEmitter<Int>) async throws {
            for output in input.outputs { try await outputs.send(output) }
        }
    }

    private static func flow(takingUpTo limit: Int, _ outputs: String = "1, 2, 3") -> String {
        """
        return {
            name = "sum",
            state = { sum = 0, starts = false, ended = false, notes = 0 },
            apply = {
                start = function(state) state.starts = true end,
                stop = function(state) state.starts = false end,
                note = function(state) state.notes = state.notes + 1 end,
                add = function(state, action)
                    if action.output > \(limit) then error("too much: " .. action.output) end
                    state.sum = state.sum + action.output
                end,
                ended = function(state) state.ended = true end,
            },
            render = function(state, context)
                if state.starts then
                    context:run(
                        "test.give", { outputs = { \(outputs) } },
                        { on_output = "add", on_finish = "ended" })
                end
                return { sum = state.sum, ended = state.ended, notes = state.notes }
            end,
        }
        """
    }

    private let folder: Folder
    private let events = EventRecorder()

    init() throws { folder = try Folder() }

    private func options(isolation: LuaVM.Options.Isolation = .none) throws -> FlowOptions {
        var options = FlowOptions(limits: .unhurried)
        options.plugins = try WorkerRegistry([Plugin("test", version: "1", workers: [Giver()])])
        options.isolation = isolation
        return options
    }

    private func write(takingUpTo limit: Int, _ outputs: String = "1, 2, 3") throws {
        try folder.write(Self.flow(takingUpTo: limit, outputs), to: "sum.lua")
    }

    /// A session that was given 1, 2 and 3 and has refused what is above the limit.
    private func open(
        takingUpTo limit: Int, isolation: LuaVM.Options.Isolation = .none
    ) async throws -> FlowSession {
        try write(takingUpTo: limit)
        let session = try await FlowSession.open(
            .file(folder.path("sum.lua")), options: options(isolation: isolation),
            onEvent: events.note)
        try await session.send("start")
        await session.untilIdle()
        #expect(await session.rendering["ended"] == true)
        return session
    }

    private func refused(in session: FlowSession) async -> [WorkerNews.Event] {
        await session.nodes()?.workers.first?.refused.map(\.event) ?? []
    }

    private var errors: [FlowError] {
        events.all.compactMap { if case .error(let error) = $0.kind { error } else { nil } }
    }

    #if os(Linux)
        private static let isolations: [LuaVM.Options.Isolation] = [.none, .process]
    #else
        private static let isolations: [LuaVM.Options.Isolation] = [.none]
    #endif

    @Test(arguments: isolations)
    func aReloadGivesThemAgain(_ isolation: LuaVM.Options.Isolation) async throws {
        let session = try await open(takingUpTo: 1, isolation: isolation)
        #expect(await session.rendering["sum"] == 1)
        #expect(await refused(in: session) == [.output(2), .output(3)])
        let worker = try #require(await session.nodes()?.workers.first)
        #expect(worker.hasEnded)
        #expect(worker.refused.map(\.reason) == ["too much: 2", "too much: 3"])
        #expect(
            errors.map(\.notes)
                == Array(
                    repeating: [
                        "what test.give gave is kept: a reload gives it again, and so does a retry"
                    ], count: 2))

        try write(takingUpTo: 2)
        try await session.reload()
        #expect(await session.rendering["sum"] == 3)
        #expect(await refused(in: session) == [.output(3)])
        try write(takingUpTo: 3)
        let steps = await session.stepCount
        try await session.reload()
        #expect(await session.rendering["sum"] == 6)
        #expect(await session.stepCount == steps + 1)
        #expect(await refused(in: session) == [])
        await session.close()
    }

    @Test func aReloadThatReplaysGivesThemAgain() async throws {
        let session = try await open(takingUpTo: 1)
        try write(takingUpTo: 3)
        try await session.reload(.replayingInputs)
        #expect(await session.rendering == ["sum": 6, "ended": true, "notes": 0])
        #expect(await refused(in: session) == [])
        await session.close()
    }

    @Test func theyAreGivenAgainInOrderByHand() async throws {
        let session = try await open(takingUpTo: 1)
        let count = errors.count
        let error = await #expect(throws: FlowError.self) { try await session.retry() }
        #expect(error?.message == "too much: 2")
        #expect(errors.count == count + 1)
        #expect(await refused(in: session) == [.output(2), .output(3)])
        let other: NodePath = "sum/other"
        #expect(try await session.retry(other) == 0)
        #expect(await refused(in: session) == [.output(2), .output(3)])
        await session.close()
    }

    @Test func aSnapshotHasThem() async throws {
        let session = try await open(takingUpTo: 1)
        let json = try await session.snapshot().json
        await session.close()
        let snapshot = try FlowSnapshot(json: json.utf8)
        let same = try await FlowSession.open(
            .file(folder.path("sum.lua")), options: options(), restoring: snapshot)
        #expect(await refused(in: same) == [.output(2), .output(3)])
        await same.close()

        // Files that have changed since take them at once.
        try write(takingUpTo: 3)
        var lenient = snapshot
        lenient.isLenient = true
        let other = try await FlowSession.open(
            .file(folder.path("sum.lua")), options: options(), restoring: lenient)
        #expect(await other.rendering["sum"] == 6)
        #expect(await refused(in: other) == [])
        await other.close()
    }

    @Test func aWorkerThatIsNotDeclaredAnyMoreHasNone() async throws {
        let session = try await open(takingUpTo: 1)
        try await session.send("stop")
        #expect(await session.nodes()?.workers == [])
        #expect(try await session.retry() == 0)
        // The next run gives its outputs itself.
        try await session.send("start")
        await session.untilIdle()
        #expect(await session.rendering["sum"] == 2)
        #expect(await refused(in: session) == [.output(2), .output(3)])
        await session.close()
    }

    @Test func earlierStepsAreWithoutThem() async throws {
        let session = try await open(takingUpTo: 1)
        try await session.send("note")
        let last = await session.stepCount
        try await session.undo()
        let error = await #expect(throws: FlowError.self) { try await session.retry() }
        #expect(error?.message == "workers are held, as an earlier step is shown")
        try await session.go(to: last)
        #expect(await refused(in: session) == [.output(2), .output(3)])
        // Going on after the worker has ended keeps them.
        try await session.undo()
        try await session.send("note")
        #expect(await refused(in: session) == [.output(2), .output(3)])
        // Going on from before its start runs it anew.
        try await session.go(to: 0)
        try await session.send("note")
        try await session.send("start")
        await session.untilIdle()
        #expect(await session.rendering["sum"] == 1)
        #expect(await refused(in: session) == [.output(2), .output(3)])
        await session.close()
    }

    /// A recording that is replayed refuses what was refused, and takes what was given again.
    @Test func aReplayKeepsAndTakesTheSame() async throws {
        let session = try await open(takingUpTo: 1)
        try write(takingUpTo: 2)
        try await session.reload()
        let inputs = await session.inputs
        let rendering = await session.rendering
        await session.close()
        let replayed = try await FlowSession.open(
            .file(folder.path("sum.lua")), options: options(), replaying: inputs)
        #expect(rendering["sum"] == 3)
        #expect(await replayed.rendering == rendering)
        #expect(try await replayed.rendering(at: inputs.count - 1)["sum"] == 1)
        await replayed.close()
    }

    @Test func onlyTheLatestAreKept() async throws {
        try write(takingUpTo: 0, (1...100).map(String.init).joined(separator: ", "))
        let session = try await FlowSession.open(.file(folder.path("sum.lua")), options: options())
        try await session.send("start")
        await session.untilIdle()
        #expect(await refused(in: session) == (37...100).map { .output(.int($0)) })
        await session.close()
    }

    @Test func aFailureThatNobodyHandlesIsNotKept() async throws {
        let flow = FlowSource.text(
            """
            return {
                name = "sum", state = {},
                render = function(_, context) context:run("test.give", { outputs = { 1 } }) end,
            }
            """)
        let session = try await FlowSession.open(flow, options: options())
        await session.untilIdle()
        await #expect(throws: FlowError.self) {
            try await session.play(
                .worker(
                    WorkerNews(
                        node: NodePath([.init(name: "sum")]), worker: "test.give", key: "",
                        event: .failed(WorkerError("no", "no")))))
        }
        #expect(await refused(in: session) == [])
        await session.close()
    }
}
