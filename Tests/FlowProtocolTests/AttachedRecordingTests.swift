import Workflow
@testable import FlowProtocol
import LibC
import PlainValue
import TestFlows
import TestSupport
import Testing
import WorkerKit
import Workflow
import WorkflowKit
import WorkflowLua

/// The lines that a client receives form a recording from then on.
@Suite struct AttachedRecordingTests {
    /// The lines for a client that attached after two steps, while others sent these requests.
    private func told(after requests: [String]) async throws -> String {
        let folder = try Folder.forSockets()
        let session = try await FlowSession.open(.counter)
        try await session.send("add")
        try await session.send(["type": "add", "by": 5])
        try await session.listen(at: folder.socket)
        let peer = try SocketPeer(folder.socket)
        let first = [try await peer.next("ready"), try await peer.next("rendering")]
        for request in requests { _ = await session.serve(request) }
        await session.close()
        return (first + (try await peer.rest())).map { $0.json + "\n" }.joined()
    }

    @Test func recordingFromTheMiddleIsPlayedAgain() async throws {
        let text = try await told(after: [
            #"{"do":"send","action":"add"}"#, #"{"do":"send","action":"spoil"}"#,
            #"{"do":"undo"}"#, #"{"do":"redo"}"#, #"{"do":"send","action":"tell"}"#,
        ])
        let recording = try FlowRecording(parsing: text)
        #expect(recording.header.step == 2)
        #expect(recording.steps.map(\.input.title) == ["add", "spoil", "tell"])
        #expect(recording.steps.map { $0.moves.map(\.step) } == [[], [0, 1], []])
        let session = try await recording.makeSession(of: .counter)
        #expect(try await recording.replay(in: session).count == 0)
        #expect(await session.rendering["n"] == 7)
    }

    @Test func recordingThatGoesBackBeforeItsBeginningIsRefused() async throws {
        let text = try await told(after: [#"{"do":"undo"}"#])
        let error = #expect(throws: FlowError.self) { try FlowRecording(parsing: text) }
        #expect(error?.code == .recording)
        #expect(error?.message == "it goes back to step 1, but begins at step 2 of its session")
        #expect(error?.location?.line == 3)
    }

    @Test(arguments: [
        FlowEvent.Kind.ready(
            FlowHeader(
                flow: "a", session: "s", file: "a.lua", hash: "0", seed: .max, props: ["x": 1],
                plugins: ["clock 1.0.0"], snapshot: [:], step: 3)),
        .rendering(["n": 1.5], actions: ["go"], pass: 2),
        .action(["type": "go"], node: "a", source: "client"), .output(.null),
        .worker(.started, worker: "w", key: "", node: "a"),
        .worker(.output([1, 2]), worker: "w", key: "k", node: "a"),
        .worker(.failed(WorkerError("no", "nothing", help: "do")), worker: "w", key: "", node: "a"),
        .worker(.abandoned, worker: "w", key: "", node: "a"),
        .props(["x": 2]), .moved(step: 1, of: 2), .reloaded(hash: "1"), .snapshot(["y": 1]),
        .dropped(node: "a", action: ["type": "go"], reason: "no_such_node"),
        .log(level: .warning, message: "well", location: .init(file: "a.lua", line: 3)),
        .error(failure), .reply(id: ["any": 1], value: .null, error: nil),
        .reply(id: 1, error: failure), .done(reason: "closed", exit: 0),
    ]) func eventIsReadAsItWasWritten(_ kind: FlowEvent.Kind) throws {
        let event = FlowEvent(sequence: 7, milliseconds: 1500, cause: 3, kind: kind)
        let line = String(decoding: event.line, as: UTF8.self)
        let read = try #require(FlowEvent(record: try Value(json: line)))
        #expect(read.record == event.record)
        #expect(read.line == event.line)
        #expect(read.sequence == 7)
        #expect(read.milliseconds == 1500)
        #expect(read.cause == 3)
    }

    private static var failure: FlowError {
        var error = FlowError(.timeLimit, "too long", help: "be quick")
        error.location = .init(file: "a.lua", line: 2)
        error.phase = .apply("go")
        error.node = "a"
        error.frames = [.init(location: .init(file: "a.lua", line: 2), function: "f")]
        error.locals = [.init(name: "x", value: "1")]
        error.notes = ["note"]
        error.excerpt = .init(firstLine: 1, lines: ["a", "b"])
        return error
    }

    @Test func whatIsNoEventIsNotRead() {
        #expect(FlowEvent(record: ["type": "output", "output": 1]) == nil)
        #expect(FlowEvent(record: ["type": "later", "seq": 1]) == nil)
        #expect(FlowEvent(record: ["seq": 1]) == nil)
        #expect(FlowEvent(record: 1) == nil)
        #expect(FlowNode(document: [["path": "a"], ["path": "b"]]) == nil)
        #expect(FlowNode(document: [["path": "a"], ["path": "a/b/c"]]) == nil)
        #expect(FlowNode(document: []) == nil)
        #expect(FlowStatus(document: []) == nil)
    }
}
