import Foundation
import PlainValue
import TestSupport
import Testing
import Workflow
import WorkflowKit
import WorkflowLua

@testable import FlowREPL

@Suite struct REPLWorkerTests {
    private func tick(_ talk: Conversation, _ count: Int) async throws {
        try await talk.session.play(
            .worker(
                WorkerNews(
                    node: "stopwatch", worker: "clock.every", key: "",
                    event: .output(["tick": .int(count)]))))
    }

    private func news(_ talk: Conversation) async -> String {
        await talk.repl.news().map(\.text).joined()
    }

    @Test func outputsOfWorkersAreTold() async throws {
        let talk = try await Conversation.example("stopwatch")
        try await tick(talk, 1)
        #expect(
            await news(talk) == """
                · stopwatch ← clock.every  { tick = 1 }
                  ~ elapsed   1                                  was 0

                """)
        #expect(await news(talk) == "")
    }

    @Test func floodOfOutputsIsFolded() async throws {
        let talk = try await Conversation.example("stopwatch")
        for count in 1...1000 { try await tick(talk, count) }
        #expect(
            await news(talk) == """
                · stopwatch ← clock.every  1000 outputs, the last { tick = 1000 }
                  ~ elapsed   1000                               was 0

                """)
    }

    @Test func newsComeBeforeTheAnswer() async throws {
        let talk = try await Conversation.example("stopwatch")
        try await tick(talk, 1)
        let text = await talk.say("pause", ".workers", "resume", ".workers")
        #expect(
            text == """
                stopwatch> pause
                · stopwatch ← clock.every  { tick = 1 }
                  ~ elapsed   1                                  was 0
                  · stopwatch → clock.every  cancelled
                stopwatch> .workers
                No node declares a worker.
                stopwatch> resume
                  · stopwatch → clock.every
                stopwatch> .workers
                  node       worker                input
                  stopwatch  clock.every  running  { seconds = 1 }

                """)
    }

    @Test func workersAreHeldInThePast() async throws {
        let talk = try await Conversation.example("stopwatch")
        try await tick(talk, 1)
        _ = await news(talk)
        let text = await talk.say(".undo", ".workers", ".redo", ".timeline")
        #expect(
            text == """
                stopwatch> .undo
                  ~ elapsed   0                                  was 1
                  At 0 of 1. Workers are held; .goto 1 lets them go on.
                stopwatch@0/1> .workers
                  node       worker             input
                  stopwatch  clock.every  held  { seconds = 1 }
                stopwatch@0/1> .redo
                  ~ elapsed   1                                  was 0
                  At 1 of 1. Workers go on.
                stopwatch> .timeline
                     #  after  node       action   from         changed
                     0         stopwatch  (start)
                  ▸  1  0.0 s  stopwatch  tick     clock.every  elapsed

                """)
    }

    @Test func ownActionIsUndonePastWhatWorkersDid() async throws {
        let talk = try await Conversation.example("stopwatch")
        try await tick(talk, 1)
        _ = await talk.answer("pause")
        _ = await talk.answer("resume")
        for count in 1...3 { try await tick(talk, count) }
        _ = await news(talk)
        let text = await talk.say(".undo mine", ".undo mine", ".undo mine")
        #expect(
            text == """
                stopwatch> .undo mine
                  ~ elapsed   1                                  was 4
                  At 2 of 6. Workers are held; .goto 6 lets them go on.
                stopwatch@2/6> .undo mine
                  At 1 of 6. Workers are held; .goto 6 lets them go on.
                stopwatch@1/6> .undo mine
                error: there is nothing to undo: no action was sent
                help: .undo goes one step back, whoever brought it

                """)
    }

    @Test func mutedWorkersAreNotToldOf() async throws {
        let talk = try await Conversation.example("stopwatch")
        #expect(
            await talk.say(".mute", ".mute clock.evry", ".mute clock.every", ".mute") == """
                stopwatch> .mute
                No worker is muted.
                stopwatch> .mute clock.evry
                error: no node declares a worker 'clock.evry'. Did you mean 'clock.every'?
                help: .workers shows them
                stopwatch> .mute clock.every
                  clock.every is muted; .mute clock.every tells of it again.
                stopwatch> .mute
                  clock.every

                """)
        for count in 1...3 { try await tick(talk, count) }
        #expect(await news(talk) == "")
        #expect(await talk.answer("= rendering.elapsed") == "3\n")
        #expect(await talk.answer(".mute clock.every") == "  clock.every is told of again.\n")
        try await tick(talk, 4)
        #expect(await news(talk).hasPrefix("· stopwatch ← clock.every  { tick = 4 }\n"))
    }

    @Test func workerThatGaveItsOutputIsDone() async throws {
        let scene = try Folder([
            "flow.lua": """
            return {
                state = { at = nil },
                apply = { rung = function(state) state.at = 1 end },
                render = function(state, context)
                    if not state.at then
                        context:run("clock.after", { seconds = 1 }, { on_output = "rung" })
                    end
                    return { at = state.at or 0 }
                end,
            }
            """
        ])
        let talk = try await Conversation(scene.path("flow.lua"))
        try await talk.session.play(
            .worker(
                WorkerNews(
                    node: "flow", worker: "clock.after", key: "",
                    event: .output(["seconds": 1.0]))))
        #expect(
            await news(talk) == """
                · flow ← clock.after  { seconds = 1.0 }
                  ~ at        1                                  was 0
                  · flow → clock.after  finished

                """)
    }

    @Test func wakesOnlyWhenThereIsSomethingNew() async throws {
        let wakes = Wakes()
        var options = REPL.Options()
        options.flowOptions.runsWorkers = false
        options.onNews = { wakes.add() }
        let path = Repository.example("stopwatch")
        let talk = try await REPL.open(.file(path), options: options)
        _ = await talk.news()
        let before = wakes.count
        let session = try #require(await talk.session as? FlowSession)
        for count in 1...10 {
            try await session.play(
                .worker(
                    WorkerNews(
                        node: "stopwatch", worker: "clock.every", key: "",
                        event: .output(["tick": .int(count)]))))
        }
        #expect(wakes.count == before + 1)
    }
}
