import PlainValue
import Synchronization
import TestFlows
import Testing
import TestSupport
import WorkflowKit
import WorkflowLua

@Suite struct PrincipalTests {
    @Test func inputsHaveWhoSentThemInTheTimelineAndInARecording() async throws {
        let folder = try Folder()
        let path = folder.path("session.jsonl")
        var options = FlowOptions()
        options.journal = try FlowJournal(path: path)
        let recorder = EventRecorder()
        let session = try await FlowSession.open(.counter, options: options, onEvent: recorder.note)
        try await session.send("add", by: "ann")
        try await session.send(sink: session.rendering["add"] ?? .null, by: "bob")
        try await session.update(props: ["step": 2], by: "ann")
        try await session.send("add")
        let inputs = await session.inputs
        #expect(inputs.map(\.principal) == ["ann", "bob", "ann", nil])
        #expect(try inputs.map { try FlowInput(document: $0.document) } == inputs)
        #expect(recorder.all.compactMap { $0.record["by"]?.string } == ["ann", "bob", "ann"])
        await session.close()

        let recording = try FlowRecording(path: path)
        #expect(recording.steps.map(\.input) == inputs)
        let replayed = try await recording.makeSession(of: .counter)
        #expect(try await recording.replay(in: replayed).isEmpty)
        #expect(await replayed.inputs == inputs)
        await replayed.close()
    }

    @Test func anInputThatFailedLeavesNobodyToTheNextOne() async throws {
        let session = try await FlowSession.open(.counter)
        await #expect(throws: FlowError.self) { try await session.send("spoil", by: "ann") }
        try await session.send("add")
        #expect(await session.inputs.map(\.principal) == [nil])
        await session.close()
    }

    @Test func inputsPlayedAgainKeepWhoSentThem() async throws {
        let first = try await FlowSession.open(.counter)
        let snapshot = try await first.snapshot()
        try await first.send("add", by: "ann")
        try await first.send("add")
        let inputs = await first.inputs
        await first.close()
        let second = try await FlowSession.open(.counter, restoring: snapshot, replaying: inputs)
        #expect(await second.inputs == inputs)
        await second.close()
    }

    @Test func aDocumentOfAnEarlierVersionHasNobody() throws {
        let input = try FlowInput(document: ["at": 5, "node": "counter", "action": "add"])
        #expect(input.principal == nil)
        #expect(input.document["by"] == nil)
    }
}

@Suite struct SessionTimeTests {
    private static let source = FlowSource.text(
        """
        local Times = { state = { seen = {} } }
        Times.apply = {
            look = function(state, action, context) table.insert(state.seen, context.now) end,
        }
        function Times.render(state, context) return { seen = state.seen } end
        return Times
        """, name: "times.lua")

    @Test func timeNeverGoesBackEvenOnAHostWhoseClockDoes() async throws {
        var options = FlowOptions()
        let time = SteppedTime(7_200_000)
        options.now = { time.now }
        let first = try await FlowSession.open(Self.source, options: options)
        let beginning = try await first.snapshot()
        try await first.send("look")
        time.now = 3_600_000
        try await first.send("look")
        #expect(await first.rendering["seen"] == [7200.0, 7200.0])
        let later = try await first.snapshot()
        let inputs = await first.inputs
        await first.close()

        for (snapshot, inputs) in [(beginning, inputs), (later, [])] {
            let next = try await FlowSession.open(
                Self.source, options: options, restoring: snapshot, replaying: inputs)
            try await next.send("look")
            #expect(await next.rendering["seen"] == [7200.0, 7200.0, 7200.0])
            time.now = 7_201_000
            try await next.send("look")
            #expect(await next.rendering["seen"]?.list?.last == 7201.0)
            time.now = 3_600_000
            await next.close()
        }
    }
}

final class SteppedTime: Sendable {
    private let milliseconds: Mutex<Int>

    init(_ milliseconds: Int) { self.milliseconds = Mutex(milliseconds) }

    var now: Int {
        get { milliseconds.withLock { $0 } }
        set { milliseconds.withLock { $0 = newValue } }
    }
}
