import Foundation
import LuaVM
import PlainValue
import TestFlows
import TestSupport
import Testing
import WorkerKit
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

@Suite(.timeLimit(.minutes(15))) struct ReviewTests {
    private static let flow = FlowSource.text(
        """
        local Flow = { name = "flow", state = { n = 0 } }

        Flow.apply = {
            add = function(state, action) state.n = state.n + action.by end,
            tell = function(state) return { n = state.n } end,
            got = function(state, action) state.n = action.output end,
        }

        function Flow.render(state, context)
            if state.n == 13 then error("not thirteen") end
            context:run("probe.run", {}, { on_output = "got" })
            return {
                n = state.n, title = context.props.title,
                add = context:sink("add", { by = state.n }),
            }
        end

        return Flow
        """, name: "flow.lua")

    @Test func eachInputHasWhatItLedTo() async throws {
        let probe = ProbePlugin()
        let log = WorkerLog()
        let session = try await FlowSession.open(
            Self.flow,
            options: FlowOptions(
                props: ["title": "a"], plugins: try WorkerRegistry([probe.plugin])),
            onEvent: { log.add($0) })
        try await session.send(["type": "add", "by": 1])
        try await session.send("tell")
        let run = try #require(await probe.next())
        try await run.outputs.send(5)
        await log.wait(for: #"worker:probe.run sent {"output":5,"type":"got"}"#)
        try await session.update(props: ["title": "b"])
        await #expect(throws: FlowError.self) { try await session.send(["type": "add", "by": 8]) }
        try await session.send(["type": "add", "by": 1])
        #expect(
            try await session.steps().map(\.document) == [
                ["action": "add", "changed": ["n"]], ["action": "tell", "outputs": [["n": 1]]],
                ["action": "got", "changed": ["n"]], ["changed": ["title"]],
                // An action that cannot be rendered is applied anyway.
                ["action": "add"], ["action": "add", "changed": ["n"]],
            ])
        #expect(try await session.rendering(at: 3)["n"] == 5)
        #expect(try await session.rendering(at: 3)["title"] == "a")
        #expect(probe.begun == 1)
        #expect(await session.close(within: .unreached) == [])
    }

    @Test func lookingInThePastLeavesItShown() async throws {
        let session = try await FlowSession.open(.counter)
        for _ in 1...3 { try await session.send("add") }
        try await session.go(to: 1)
        #expect(try await session.rendering(at: 3)["n"] == 3)
        #expect(try await session.rendering(at: 1)["n"] == 1)
        #expect(try await session.steps().count == 3)
        #expect(await session.step == 1)
        #expect(await session.rendering["n"] == 1)
        try await session.send(["type": "add", "by": 10])
        #expect(await session.rendering["n"] == 11)
        #expect(try await session.steps().count == 2)
    }

    @Test func whatThereIsNotToLookAtIsSaid() async throws {
        let session = try await FlowSession.open(.counter)
        try await session.send("add")
        for step in [-1, 2] {
            let error = await #expect(throws: FlowError.self) {
                try await session.rendering(at: step)
            }
            #expect(error?.message == "there is no step \(step)")
            #expect(error?.help == "steps are counted from 0 to 1")
        }
        await session.close()
        let closed = await #expect(throws: FlowError.self) { try await session.steps() }
        #expect(closed?.message == "the session is closed")
        let brief = try await FlowSession.open(.counter, options: FlowOptions(keepsTimeline: false))
        try await brief.send("add")
        #expect(try await brief.steps() == [])
        let none = await #expect(throws: FlowError.self) { try await brief.rendering(at: 0) }
        #expect(none?.message == "this session keeps no timeline")
    }

    @Test func lookingIsInterruptedWhenTheCodeSpinsWhenReplayed() async throws {
        var options = FlowOptions()
        options.limits.timeLimit = nil
        let session = try await FlowSession.open(
            .text(
                """
                local calls = 0
                return {
                    name = "flow",
                    state = { n = 0 },
                    apply = {
                        add = function(state)
                            calls = calls + 1
                            state.n = state.n + 1
                            while calls > 3 do pcall(function() while true do end end) end
                        end,
                    },
                    render = function(state) return { n = state.n } end,
                }
                """, name: "flow.lua", modules: [:]), options: options)
        for _ in 1...3 { try await session.send("add") }
        // On a separate thread, because the spinning flow may occupy all threads of tasks. It
        // repeats until the end: an interrupted call may end by itself first.
        let isOver = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while isOver.wait(timeout: .now()) == .timedOut {
                session.interrupt()
                sched_yield()
            }
        }
        let error = await #expect(throws: FlowError.self) { try await session.steps() }
        isOver.signal()
        #expect(error?.code == .interrupted)
        #expect(await session.rendering["n"] == 3)
        #expect(await session.step == 3)
    }
}
