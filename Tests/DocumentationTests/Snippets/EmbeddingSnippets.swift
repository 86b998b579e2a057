import ClockPlugin
import FilePlugin
import FlowProtocol
import Foundation
import LuaVM
import PlainValue
import TestSupport
import Testing
import WorkerKit
import Workflow
import WorkflowKit
import WorkflowLua
import WorkflowPlugins
import WorkflowStore

/// The code of the article on embedding, and of the README, line for line.
@Suite struct EmbeddingSnippets {
    private let tea = Repository.root + "Examples/tutorial/tea.lua"
    private let temporary: Folder
    private let folder: String
    private let file: String
    private let options: FlowOptions

    init() throws {
        temporary = try Folder()
        folder = temporary.path
        file = temporary.path("session")
        var options = FlowOptions(runsWorkers: false)
        options.plugins = try WorkerRegistry([ClockPlugin.plugin])
        self.options = options
    }

    @Test func aProgramPlaysAFlow() async throws {
        let path = Repository.root + "Examples/todo/todo.lua"
        let session = try await FlowSession.open(.file(path)) { event in
            if case .output(let output) = event.kind { print(output) }
        }
        try await session.send(["type": "add", "text": "milk"])
        print(await session.rendering["title"] ?? .null)  // "0 of 1 done"
        #expect(await session.rendering["title"] == "0 of 1 done")
    }

    @Test func actionsAndRenderingsAreTypes() async throws {
        let session = try await FlowSession.open(.file(tea), options: options)
        struct Brew: FlowAction { var minutes: Double }
        struct Screen: Decodable { var message: String }

        try await session.send(Brew(minutes: 5))
        print(try await session.rendering(as: Screen.self).message)
        #expect(
            try await session.rendering(as: Screen.self).message == "Steeping for 5.0 minutes")
    }

    @Test func sinksAreSentAndErrorsCaught() async throws {
        let session = try await FlowSession.open(.file(tea), options: options)
        if let brew = await session.rendering["brew"] {
            try await session.send(sink: brew, with: ["minutes": 4])
        }
        #expect(await session.rendering["message"] == "Steeping for 4 minutes")
        do {
            try await session.send("brew")
        } catch {
            print(error.message, error.location?.line ?? 0)
        }
        await #expect(throws: FlowError.self) { try await session.send("brew") }
    }

    @Test func renderingsAreFollowed() async throws {
        let session = try await FlowSession.open(.file(tea), options: options)
        let renderings = await session.renderings
        let screen = Task {
            for await rendering in renderings { print(rendering["message"] ?? "") }
        }
        await session.close()
        await screen.value
    }

    @Test func optionsSayWhatAFlowMayDo() async throws {
        var options = FlowOptions(props: ["guest": "Ada"])
        options.limits.timeLimit = .milliseconds(500)
        options.limits.memoryLimit = 16 << 20
        options.plugins = try WorkerRegistry([ClockPlugin.plugin, FilePlugin.plugin])
        options.grants = Grants([Grant("file.read", folder)], folder: folder)
        let session = try await FlowSession.open(.file(tea), options: options)
        #expect(await session.props == ["guest": "Ada"])
        await session.close()
    }

    @Test func sessionsAreSavedAndGoOn() async throws {
        let session = try await FlowSession.open(.file(tea), options: options)
        try await session.send(["type": "brew"])
        let text = try await session.snapshot().json

        let snapshot = try FlowSnapshot(json: text.utf8)
        let later = try await FlowSession.open(
            .file(tea), options: options, restoring: snapshot)
        #expect(await later.rendering == session.rendering)
    }

    @Test func timeIsTravelled() async throws {
        struct Brew: FlowAction { var minutes: Int }
        let session = try await FlowSession.open(.file(tea), options: options)
        try await session.send(Brew(minutes: 3))
        try await session.undo()
        try await session.redo()
        try await session.go(to: 0)
        try await session.send(Brew(minutes: 1))
        #expect(await session.rendering["message"] == "Steeping for 1 minutes")
        #expect(await session.stepCount == 1)
        try await session.reload(.replayingInputs)
        #expect(await session.rendering["message"] == "Steeping for 1 minutes")
    }

    @Test func flowsAreChildrenOfWorkflows() throws {
        let flow = try LuaFlow(file: tea)
        let host = WorkflowHost(workflow: flow.workflow())
        print(host.rendering.value["message"] ?? "")  // The kettle is hot
        #expect(host.rendering.value["message"] == "The kettle is hot")
    }

    @Test func sessionsAreAttachedTo() async throws {
        let folder = try Folder(in: "/tmp")
        let path = folder.path("tea.sock")
        let session = try await FlowSession.open(.file(tea), options: options)
        let socket = try await session.listen(at: path)
        #expect(FileManager.default.fileExists(atPath: path))
        await socket.close()
        #expect(!FileManager.default.fileExists(atPath: path))
        await session.close()
    }

    @Test func sessionsAreRecordedAndReplayed() async throws {
        var options = options
        options.journal = try FlowJournal(path: file, secrets: ["password"])
        let session = try await FlowSession.open(.file(tea), options: options)
        try await session.send(["type": "brew"])
        await session.close()

        let recording = try FlowRecording(path: file)
        let replayed = try await recording.makeSession(of: .file(tea))
        let differences = try await recording.replay(in: replayed)
        #expect(differences.isEmpty)
        #expect(await replayed.rendering["message"] == "Steeping for 3 minutes")
    }

    @Test func sessionsAreStored() async throws {
        let store = try SQLiteSessionStore(path: file)
        let session = try await StoredSession.open(
            "kitchen", of: .file(tea), in: store, options: options)
        try await session.send(["type": "brew"])
        #expect(await session.rendering["message"] == "Steeping for 3 minutes")
        _ = try await session.close()

        let (tea, options) = (tea, options)
        let pool = SessionPool(in: store, limit: 100, threads: 2) { id, _ in (.file(tea), options) }
        try await pool.use("study") { session in
            try await session.send(["type": "brew"])
        }
        await pool.close()
        try store.close()
    }
}
