import PlainValue
import TestFlows
import Testing
import WorkflowKit
import WorkflowLua

/// An action that encodes as something else than its fields.
private struct Odd: FlowAction {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode([1, 2])
    }
}

@Suite struct FlowActionTests {
    @Test func actionThatHasNoFieldsIsRefused() throws {
        let error = #expect(throws: EncodingError.self) { try Odd().value }
        guard case .invalidValue(_, let context)? = error else { return }
        #expect(context.debugDescription == "an action encodes as an object")
    }
}

@Suite struct FlowSessionTests {
    @Test func openedSessionHasRendered() async throws {
        let session = try await FlowSession.open(.counter, options: FlowOptions(props: ["step": 2]))
        #expect(
            await session.rendering == [
                "n": 0, "step": 2,
                "add": ["$sink": ["node": "counter", "action": ["type": "add"]]],
            ])
    }

    @Test func actionsAreStringsOrRecords() async throws {
        let session = try await FlowSession.open(.counter)
        try await session.send("add")
        try await session.send(["type": "add", "by": 5])
        #expect(await session.rendering["n"] == 6)
    }

    @Test func sinkIsSentBackAsItStandsOrWithFields() async throws {
        let session = try await FlowSession.open(.counter)
        let sink = try #require(await session.rendering["add"])
        try await session.send(sink: sink)
        try await session.send(sink: sink, with: ["by": 5, "type": "spoil"])
        #expect(await session.rendering["n"] == 6)
    }

    @Test func outputsAreTakenOnce() async throws {
        let session = try await FlowSession.open(.counter)
        try await session.send("tell")
        try await session.send("add")
        try await session.send("tell")
        #expect(await session.takeOutputs() == [["n": 0], ["n": 1]])
        #expect(await session.takeOutputs() == [])
    }

    @Test func outputsThatNobodyTakesAreGivenUpOldestFirst() async throws {
        let flow = """
            return {
                state = { n = 0 },
                apply = {
                    tell = function(state)
                        state.n = state.n + 1
                        return { n = state.n, text = ("%08d"):format(state.n):rep(262144) }
                    end,
                },
                render = function(state) return state.n end,
            }
            """
        let session = try await FlowSession.open(.text(flow))
        for _ in 1...80 { try await session.send("tell") }
        let numbers = await session.takeOutputs().compactMap { $0["n"]?.int }
        // 2 MB each: 33 inputs exceed 64 MB, and the next input leaves at most half of it.
        #expect(numbers == Array((80 - numbers.count + 1)...80))
        #expect((15...33).contains(numbers.count))
        #expect(await session.takeOutputs() == [])
    }

    @Test func newPropsRenderAgainAndKeepTheState() async throws {
        let session = try await FlowSession.open(.counter, options: FlowOptions(props: ["step": 1]))
        try await session.send("add")
        try await session.update(props: ["step": 3])
        #expect(await session.rendering["step"] == 3)
        #expect(await session.rendering["n"] == 1)
    }

    @Test func failedActionLeavesTheStateAsItWas() async throws {
        let session = try await FlowSession.open(.counter)
        try await session.send("add")
        let error = await #expect(throws: FlowError.self) { try await session.send("spoil") }
        #expect(error?.description == "counter.lua:8: no luck (in apply.spoil of counter)")
        #expect(error?.code == .lua)
        #expect(await session.rendering["n"] == 1)
        try await session.send("add")
        #expect(await session.rendering["n"] == 2)
    }

    @Test func failedRenderKeepsTheLastGoodRenderingAndHeals() async throws {
        let session = try await FlowSession.open(.counter)
        try await session.send(["type": "add", "by": 12])
        let error = await #expect(throws: FlowError.self) { try await session.send("add") }
        #expect(error?.description == "counter.lua:13: not thirteen (in render of counter)")
        #expect(await session.rendering["n"] == 12)
        try await session.send("add")
        #expect(await session.rendering["n"] == 14)
    }

    @Test func flowThatDoesNotLoadIsAnErrorAndAnEvent() async throws {
        let recorder = EventRecorder()
        let error = await #expect(throws: FlowError.self) {
            try await FlowSession.open(.text("return 3"), onEvent: recorder.note)
        }
        #expect(
            error?.description
                == "flow.lua: a flow returns a table with a render function, not an integer")
        #expect(recorder.types == ["error"])
    }

    @Test func flowThatDoesNotRenderIsOneErrorAfterReady() async throws {
        let recorder = EventRecorder()
        let flow = "return { render = function() error('no luck') end }"
        let error = await #expect(throws: FlowError.self) {
            try await FlowSession.open(.text(flow), onEvent: recorder.note)
        }
        #expect(error?.description == "flow.lua:1: no luck (in render of flow)")
        #expect(recorder.types == ["ready", "error"])
    }

    @Test func modulesOfATextAreTexts() async throws {
        let session = try await FlowSession.open(
            .text(
                "local part = require 'part'\nreturn { render = function() return part.title end }",
                modules: ["part": "return { title = 'from a module' }"]))
        #expect(await session.rendering == "from a module")
    }

    @Test func secondStartIsRefusedAndChangesNothing() async throws {
        let recorder = EventRecorder()
        let session = try await FlowSession.open(.counter, onEvent: recorder.note)
        try await session.send("add")
        let error = await #expect(throws: FlowError.self) {
            try await session.start(.text("return {}"))
        }
        #expect(error?.code == .misuse)
        #expect(error?.message == "the session has been started before")
        #expect(error?.help == "make another session")
        #expect(recorder.types == ["ready", "rendering", "action", "rendering", "error"])
        try await session.reload()
        #expect(await session.rendering["n"] == 1)
    }

    @Test func closedSessionDropsWhatIsSentToIt() async throws {
        let recorder = EventRecorder()
        let session = try await FlowSession.open(.counter, onEvent: recorder.note)
        await session.close()
        let error = await #expect(throws: FlowError.self) { try await session.send("add") }
        #expect(error?.code == .misuse)
        #expect(error?.message == "the session is closed")
        #expect(await session.rendering == .null)
        #expect(recorder.types == ["ready", "rendering", "dropped", "error"])
        #expect(recorder.all[2].record["reason"] == "session_closed")
        #expect(recorder.all[2].record["action"] == "add")
    }

    @Test func callsOfAClosedSessionHaveOneCode() async throws {
        let session = try await FlowSession.open(.counter)
        await session.close()
        let calls: [@Sendable (isolated FlowSession) throws -> Void] = [
            { try $0.send("add") }, { _ = try $0.input(of: "add") },
            { try $0.play(.props(["step": 2])) }, { try $0.update(props: [:]) },
            { try $0.reload() }, { _ = try $0.retry() }, { _ = try $0.snapshot() },
        ]
        for call in calls {
            let error = await #expect(throws: FlowError.self) { try await call(session) }
            #expect(error?.code == .misuse)
        }
    }

    @Test func sessionMayBeReleasedWhileItIsOpen() async throws {
        let recorder = EventRecorder()
        weak var released: FlowSession?
        do {
            let session = try await FlowSession.open(.counter, onEvent: recorder.note)
            try await session.send("add")
            released = session
        }
        #expect(released == nil)
        #expect(recorder.types == ["ready", "rendering", "action", "rendering"])
    }

    @Test func manySessionsPlayAtOnce() async throws {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            for by in 14...21 {
                group.addTask {
                    let session = try await FlowSession.open(.counter)
                    for _ in 1...20 { try await session.send(["type": "add", "by": .int(by)]) }
                    return await session.rendering["n"]
                }
            }
            var counts: Set<Value> = []
            for try await count in group { counts.insert(count ?? .null) }
            #expect(counts == Set((14...21).map { .int($0 * 20) }))
        }
    }

    @Test func expressionIsAPlainValueThatSeesNothingOfTheFlow() async throws {
        let session = try await FlowSession.open(.counter)
        #expect(
            try await session.value(of: #"{ type = "add", by = 2 * 3 }"#)
                == ["type": "add", "by": 6])
        #expect(try await session.value(of: "rawget(_ENV, 'Counter') == nil") == true)
        let error = await #expect(throws: FlowError.self) {
            try await session.value(of: "{ by = }")
        }
        #expect(error?.message == "unexpected symbol near '}'")
    }
}
