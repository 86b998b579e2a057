import FlowOrigins
import FlowProtocol
import LuaVM
import PlainValue
import TestSupport
import Testing
import WorkflowKit
import WorkflowLua

/// A recording of a session whose files were reloaded with the state kept goes on from that state.
@Suite(.timeLimit(.minutes(15))) struct RecordedReloadTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private var file: String { folder.path("sum.lua") }

    private func write(by number: Int, _ more: String = "") throws {
        try folder.write(
            """
            return {
                name = "sum", \(more)
                state = { sum = 0, password = "" },
                apply = {
                    add = function(state) state.sum = state.sum + \(number) end,
                    log_in = function(state, action) state.password = action.password end,
                },
                render = function(state) return { sum = state.sum, by = \(number) } end,
            }
            """, to: "sum.lua")
    }

    private func open(hiding secrets: Set<String> = []) async throws -> FlowSession {
        try write(by: 1)
        let journal = try FlowJournal(path: folder.path("sum.jsonl"), secrets: secrets)
        return try await FlowSession.open(.file(file), options: FlowOptions(journal: journal))
    }

    private func recording() throws -> FlowRecording {
        try FlowRecording(path: folder.path("sum.jsonl"))
    }

    private func replayed(
        _ isolation: LuaVM.Options.Isolation = .none
    ) async throws -> (FlowSession, [ReplayDifference]) {
        var options = FlowOptions(limits: .unhurried)
        options.limits.isolation = isolation
        let recording = try recording()
        let session = try await recording.makeSession(of: .file(file), options: options)
        return (session, try await recording.replay(in: session))
    }

    @Test(arguments: LuaVM.Options.Isolation.all) func aReplayGoesOnFromTheStateThatWasKept(
        _ isolation: LuaVM.Options.Isolation
    ) async throws {
        let session = try await open()
        for _ in 1...3 { try await session.send("add") }
        try write(by: 10)
        try await session.reload()
        for _ in 1...2 { try await session.send("add") }
        #expect(try recording().notes.isEmpty)
        #expect(try recording().hash == (await session.hash))

        let (copy, differences) = try await replayed(isolation)
        #expect(differences.isEmpty)
        #expect(await copy.rendering == ["sum": 23, "by": 10])
        #expect(await copy.step == 5)
        #expect(try await copy.rendering(at: 3) == ["sum": 3, "by": 10])
        #expect(try await copy.steps().map(\.changed) == [[], [], [], ["sum"], ["sum"]])
        #expect(try await copy.origin(of: ValuePath(parsing: "sum"), at: 4).since == 4)
        // What the files of now do not lead to is told by all in the same words.
        #expect(await copy.lostSteps == 0...2)
        let words = "step 1 cannot be replayed: the files that played it are not loaded any more"
        let error = await #expect(throws: FlowError.self) { try await copy.rendering(at: 1) }
        #expect(error?.message == words)
        let moved = await #expect(throws: FlowError.self) { try await copy.go(to: 1) }
        #expect(moved?.message == words)
        let why = await #expect(throws: FlowError.self) {
            try await copy.origin(of: ValuePath(parsing: "sum"), at: 1)
        }
        #expect(why?.message == words)
        await copy.close()
    }

    @Test func stepsThatTheFilesOfNowLeadToAreNotLost() async throws {
        let session = try await open()
        try await session.send("add")
        try write(by: 1, "-- A comment\n")
        try await session.reload()
        try await session.send("add")
        let (copy, differences) = try await replayed()
        #expect(differences.isEmpty)
        #expect(await copy.lostSteps == nil)
        #expect(try await copy.rendering(at: 1) == ["sum": 1, "by": 1])
    }

    @Test func differencesOfTheSameFilesAreTold() async throws {
        let session = try await open()
        try await session.send("add")
        try await session.reload()
        try await session.send("add")
        // Lines without their own sums may be changed.
        let text = try folder.text(of: "sum.jsonl")
            .replacing(#/,"sum":"[0-9a-f]{16}"}\n/#, with: "}\n")
            .replacing(#""rendering":{"by":1,"sum":1}"#, with: #""rendering":{"by":1,"sum":5}"#)
        let recording = try FlowRecording(parsing: text)
        let copy = try await recording.makeSession(of: .file(file))
        let differences = try await recording.replay(in: copy)
        // That of the step, and that of the reload after it.
        #expect(differences.map(\.step) == [1, 1])
        #expect(await copy.lostSteps == nil)
    }

    @Test func goingBackBehindAReloadIsRecorded() async throws {
        let session = try await open()
        for _ in 1...3 { try await session.send("add") }
        try write(by: 10)
        try await session.reload()
        try await session.send("add")
        try await session.go(to: 2)
        #expect(await session.rendering == ["sum": 2, "by": 10])
        try await session.send("add")
        #expect(await session.rendering["sum"] == 12)
        let (copy, differences) = try await replayed()
        #expect(differences.isEmpty)
        #expect(await copy.rendering["sum"] == 12)
        #expect(await copy.step == 3)
        #expect(await copy.stepCount == 3)
        #expect(try await copy.rendering(at: 2) == ["sum": 2, "by": 10])
    }

    @Test(arguments: 0...2) func reloadsInThePastAreRecorded(_ step: Int) async throws {
        let session = try await open()
        for _ in 1...3 { try await session.send("add") }
        try await session.go(to: step)
        try write(by: 10)
        try await session.reload()
        try await session.redo()
        try await session.go(to: 3)
        try await session.send("add")
        #expect(await session.rendering["sum"] == 13)
        let (copy, differences) = try await replayed()
        #expect(differences.isEmpty)
        #expect(await copy.rendering["sum"] == 13)
        #expect(try await copy.rendering(at: 3)["sum"] == 3)
    }

    /// The state that a `migrate` has made is kept, whatever a later one makes.
    @Test func migratedStatesAreRecorded() async throws {
        let session = try await open()
        try await session.send("add")
        func migrate(_ number: Int) -> String {
            "version = 2, migrate = function(state) state.sum = state.sum + \(number) return state end,"
        }
        try write(by: 1, migrate(100))
        try await session.reload()
        try await session.send("add")
        try write(by: 1, migrate(500))
        let (copy, differences) = try await replayed()
        #expect(differences.isEmpty)
        #expect(await copy.rendering["sum"] == 102)
    }

    /// After all inputs were replayed by other files, what was kept before counts no more.
    @Test func aReloadThatReplaysTakesBackWhatWasKept() async throws {
        let session = try await open()
        try await session.send("add")
        try write(by: 10)
        try await session.reload()
        try await session.send("add")
        #expect(await session.rendering["sum"] == 11)
        try await session.reload(.replayingInputs)
        #expect(await session.rendering["sum"] == 20)
        try await session.send("add")
        let (copy, _) = try await replayed()
        #expect(await copy.rendering["sum"] == 30)
        #expect(
            try recording().notes == [
                "the flow was loaded again after step 2, so other files may have played the steps from "
                    + "there on"
            ])
    }

    @Test func codeThatWasTakenBackIsNoneOfTheRecording() async throws {
        let session = try await open()
        try await session.send("add")
        try folder.write(
            """
            return { name = "sum", state = { sum = 0 }, render = function() error "no" end }
            """, to: "sum.lua")
        await #expect(throws: FlowError.self) { try await session.reload() }
        try await session.send("add")
        try write(by: 1)
        let (copy, differences) = try await replayed()
        #expect(differences.isEmpty)
        #expect(await copy.rendering["sum"] == 2)
        #expect(await copy.lostSteps == nil)
    }

    /// A worker that was refused in the state that was kept is refused again.
    @Test func refusalsOfTheStateAreRecorded() async throws {
        try folder.write(Self.asking(1), to: "sum.lua")
        let options = FlowOptions(journal: try FlowJournal(path: folder.path("sum.jsonl")))
        let session = try await FlowSession.open(.file(file), options: options)
        try await session.send("ask")
        #expect(await session.rendering == ["answer": "refused", "by": 1])
        try folder.write(Self.asking(2), to: "sum.lua")
        try await session.reload()
        #expect(await session.rendering == ["answer": "refused", "by": 2])
        try await session.send("wait")
        let (copy, differences) = try await replayed()
        #expect(differences.isEmpty)
        #expect(await copy.rendering == ["answer": "refused", "by": 2])
        let exported = try FlowRecording(parsing: try await session.recordingText())
        let other = try await exported.makeSession(of: .file(file))
        #expect(try await exported.replay(in: other).isEmpty)
        #expect(await other.rendering == ["answer": "refused", "by": 2])
    }

    private static func asking(_ number: Int) -> String {
        """
        return {
            name = "sum", state = { asks = false },
            apply = {
                ask = function(state) state.asks = true end, wait = function() end,
                done = function() end,
            },
            render = function(state, context)
                local answer = "none"
                if state.asks then
                    local runs = pcall(function()
                        context:run("no.worker", {}, { on_output = "done" })
                    end)
                    answer = runs and "runs" or "refused"
                end
                return { answer = answer, by = \(number) }
            end,
        }
        """
    }

    @Test func secretsOfTheStateAreNotInIt() async throws {
        let session = try await open(hiding: ["password"])
        try await session.send(["type": "log_in", "password": "hunter22"])
        try write(by: 10)
        try await session.reload()
        try await session.send("add")
        let text = try folder.text(of: "sum.jsonl")
        #expect(!text.contains("hunter22"))
        #expect(
            text.split(separator: "\n").contains {
                $0.contains(#""type":"reloaded""#) && $0.contains(#""password":"[secret]""#)
            })
        let (_, differences) = try await replayed()
        #expect(differences.isEmpty)
    }

    /// A recording with a state that is none is refused with its line.
    @Test(arguments: [
        ("{}", "not a snapshot of a flow"),
        (
            #"{"workflow_snapshot":1,"flow":"a","at":"2026-11-25T00:00:00.000Z","random":"0"}"#,
            "\"random\" of the snapshot is broken"
        ),
    ]) func brokenStatesAreRefused(_ snapshot: String, _ message: String) throws {
        let ready =
            #"{"at":"2026-11-25T00:00:00.000Z","flow":"a","hash":"0","seed":"0","type":"ready","v":1}"#
        for type in [#""type":"reloaded","hash":"1""#, #""type":"moved","step":0,"of":0"#] {
            let error = #expect(throws: FlowError.self) {
                try FlowRecording(
                    parsing: "\(ready)\n{\(type),\"snapshot\":\(snapshot)}\n", name: "a.jsonl")
            }
            #expect(error?.message == message)
            #expect(error?.location == .init(file: "a.jsonl", line: 2))
        }
    }
}
