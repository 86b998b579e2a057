import PlainValue
import TestFlows
import Testing
import Workflow
import WorkflowKit
import WorkflowLua

@Suite struct FlowEventTests {
    @Test func eventsAreNumberedInTheOrderInWhichTheyHappen() async throws {
        let recorder = EventRecorder()
        let session = try await FlowSession.open(.cascade, onEvent: recorder.note)
        try await session.send(["type": "tell", "limit": "none"], to: "tree/branch/leaf")
        await session.record(.reply(id: 7, error: nil))
        #expect(
            recorder.types == [
                "ready", "rendering", "action", "action", "action", "rendering", "output", "reply",
            ])
        #expect(recorder.all.map(\.sequence) == Array(1...8))
        let actions = recorder.all.filter { $0.record["type"] == "action" }.map(\.record)
        #expect(actions.map { $0["node"] } == ["tree/branch/leaf", "tree/branch", "tree"])
        #expect(
            actions.map { $0["source"] } == [
                "client", "child:tree/branch/leaf", "child:tree/branch",
            ])
        let last = recorder.all.last { $0.record["type"] == "rendering" }
        #expect(last?.record["cause"] == 3)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (1_714_552_200_250, "2024-05-01T08:30:00.250Z"),
        (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
    ]) func momentIsWrittenAsTheProtocolWantsIt(_ milliseconds: Int, _ text: String) async throws {
        let recorder = EventRecorder()
        _ = try await FlowSession.open(
            .counter, options: FlowOptions(now: { milliseconds }), onEvent: recorder.note)
        #expect(recorder.all.first?.record["at"] == .string(text))
    }

    @Test func timeIsTheSessionsOwn() async throws {
        let recorder = EventRecorder()
        let flow = """
            return {
                state = { at = 0 },
                apply = { look = function(state, _, context) state.at = context.now end },
                render = function(state) return state.at end,
            }
            """
        let session = try await FlowSession.open(
            .text(flow), options: FlowOptions(now: { 1_500 }), onEvent: recorder.note)
        try await session.send("look")
        #expect(await session.rendering == 1.5)
        #expect(recorder.all.allSatisfy { $0.milliseconds == 1_500 })
    }

    @Test func errorHasAllThatIsKnownOfIt() async throws {
        let recorder = EventRecorder()
        let session = try await FlowSession.open(.counter, onEvent: recorder.note)
        await #expect(throws: FlowError.self) { try await session.send(["type": "add", "by": 13]) }
        var record = try #require(recorder.errors.first?.record.record)
        for name in ["v", "seq", "at", "type"] { record[name] = nil }
        #expect(
            Value.record(record) == [
                "cause": 3, "code": "lua", "message": "not thirteen", "node": "counter",
                "phase": "render", "location": ["file": "counter.lua", "line": 13],
                "locals": [["name": "n", "value": "13"]],
                "trace": [
                    ["file": "counter.lua", "line": 13, "function": "checked"],
                    ["file": "counter.lua", "line": 18],
                ],
            ])
    }

    @Test func sessionsEventsAreTheSameEachTime() async throws {
        func play() async throws -> [String] {
            let recorder = EventRecorder()
            let session = try await FlowSession.open(
                .cascade, options: FlowOptions(now: { 0 }), onEvent: recorder.note)
            try await session.send(["type": "tell", "limit": "none"], to: "tree/branch/leaf")
            await #expect(throws: FlowError.self) {
                try await session.send(["type": "tell", "limit": "tree"], to: "tree/branch/leaf")
            }
            return recorder.all.map(\.record.json)
        }
        #expect(try await play() == play())
    }
}
