import Foundation
import PlainValue
import TestSupport
import Testing
import WorkerKit
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

@Suite(.timeLimit(.minutes(15))) struct WorkerLifeTests {
    private let probe = ProbePlugin()

    private func makeScene(_ flow: FlowSource = .runner) async throws -> WorkerScene {
        try await WorkerScene(flow, plugins: [probe.plugin])
    }

    /// Sends an output of a run and waits until it is applied.
    private func give(_ output: String, by run: ProbePlugin.Run, in scene: WorkerScene) async throws
    {
        try await run.outputs.send(.string(output))
        await scene.log.wait(
            for: "worker:probe.run sent {\"output\":\"\(output)\",\"type\":\"got\"}")
    }

    @Test func nodeAtTheLimitOfDepthHasItsWorkers() async throws {
        let deep = FlowSource.text(
            """
            local Link = { name = "link", state = {} }
            Link.apply = { got = function(state, action) state.got = action.output end }
            function Link.render(state, context)
                if context.props.left == 0 then
                    context:run("probe.run", {}, { on_output = "got" })
                    return state.got
                end
                return context:render(Link, { left = context.props.left - 1 })
            end
            return Link
            """, name: "link.lua")
        let log = WorkerLog()
        let session = try await FlowSession.open(
            deep,
            options: FlowOptions(
                props: ["left": 9], plugins: try WorkerRegistry([probe.plugin]), maximumDepth: 10),
            onEvent: { log.add($0) })
        let run = try #require(await probe.next())
        try await run.outputs.send("here")
        await log.wait(for: "worker:probe.run sent {\"output\":\"here\",\"type\":\"got\"}")
        #expect(await session.rendering == "here")
    }

    @Test func sameInputGoesOnAnotherStartsAnewAndNoneStops() async throws {
        let scene = try await makeScene()
        try await scene.run("probe.run", ["id": 1])
        let first = try #require(await probe.next())
        try await scene.run("probe.run", ["id": 1])
        try await scene.session.send("touch")
        try await give("one", by: first, in: scene)
        #expect(probe.begun == 1)

        try await scene.run("probe.run", ["id": 2])
        let second = try #require(await probe.next())
        await first.untilEnded()
        #expect(second.input == ["id": 2])
        try await give("two", by: second, in: scene)

        try await scene.session.send("stop")
        await second.untilEnded()
        #expect(
            scene.log.lines.filter { !$0.hasPrefix("worker:") } == [
                "flow/probe.run started", "flow/probe.run gave \"one\"", "flow/probe.run cancelled",
                "flow/probe.run started", "flow/probe.run gave \"two\"", "flow/probe.run cancelled",
            ])
        #expect(probe.begun == 2)
    }

    @Test func aWorkerThatHasEndedStartsAgainOnlyWhenItIsDeclaredAnew() async throws {
        let scene = try await makeScene()
        try await scene.run("probe.run")
        let first = try #require(await probe.next())
        first.finish()
        await scene.session.untilIdle()
        try await scene.session.send("touch")
        #expect(probe.begun == 1)
        try await scene.session.send("stop")
        try await scene.run("probe.run")
        let second = try #require(await probe.next())
        second.fail(WorkerError("gone", "it is gone"))
        await scene.session.untilIdle()
        #expect(
            scene.log.lines == [
                "flow/probe.run started", "flow/probe.run finished",
                "worker:probe.run sent {\"type\":\"ended\"}", "flow/probe.run started",
                "flow/probe.run failed: it is gone",
                "error: flow.lua:24: worker 'probe.run' failed: it is gone",
            ])
    }

    @Test func actionThatFailsLeavesWorkersAsTheyWere() async throws {
        let scene = try await makeScene()
        try await scene.run("probe.run")
        let run = try #require(await probe.next())
        await #expect(throws: FlowError.self) { try await scene.session.send("spoil") }
        try await give("still here", by: run, in: scene)
        #expect(await scene.shown("last") == "still here")
        #expect(probe.begun == 1)
        #expect(!scene.log.lines.contains("flow/probe.run cancelled"))
    }

    @Test(arguments: ["lock", "lock_other"])
    func passThatFailsLeavesWorkersAsTheyWere(_ action: Value) async throws {
        let scene = try await makeScene()
        try await scene.run("probe.run", ["id": "one"])
        let run = try #require(await probe.next())
        let before = await scene.session.rendering
        await #expect(throws: FlowError.self) { try await scene.session.send(action) }
        // Its output is applied although it cannot be rendered.
        try await give("meanwhile", by: run, in: scene)
        #expect(await scene.session.rendering == before)
        #expect(
            scene.log.lines.filter { !$0.hasPrefix("error: ") } == [
                "flow/probe.run started", "flow/probe.run gave \"meanwhile\"",
                "worker:probe.run sent {\"output\":\"meanwhile\",\"type\":\"got\"}",
            ])
        #expect(probe.begun == 1)

        // The next successful pass does what the failed one could not.
        try await scene.session.send(["type": "unlock"])
        await run.untilEnded()
        #expect(await scene.shown("last") == "meanwhile")
        #expect(scene.log.lines.last == "flow/probe.run cancelled")
        #expect(await scene.session.close(within: .unreached) == [])
        #expect(probe.begun == probe.ended)
    }

    @Test func workerIsHeldInThePastAndGoesOnAtTheEnd() async throws {
        let scene = try await makeScene()
        try await scene.run("probe.run")
        let run = try #require(await probe.next())
        try await give("one", by: run, in: scene)
        try await scene.session.undo()
        #expect(await scene.shown("count") == 0)
        try await run.outputs.send("while away")
        #expect(await scene.shown("count") == 0)
        #expect(await scene.session.hasRunningWorkers)

        scene.log.clear()
        try await scene.session.redo()
        await scene.log.wait(
            for: "worker:probe.run sent {\"output\":\"while away\",\"type\":\"got\"}")
        #expect(await scene.shown("count") == 2)
        #expect(await scene.session.step == 3)
        try await give("after", by: run, in: scene)
        #expect(await scene.shown("count") == 3)
        #expect(
            scene.log.lines.filter { !$0.hasPrefix("worker:") } == [
                "flow/probe.run gave \"while away\"", "flow/probe.run gave \"after\"",
            ])
        #expect(probe.begun == 1)
    }

    @Test func workerThatEndsWhileItIsHeldEndsAfterwards() async throws {
        let scene = try await makeScene()
        try await scene.run("probe.run")
        let run = try #require(await probe.next())
        try await scene.session.send("touch")
        try await scene.session.undo()
        try await run.outputs.send("last words")
        run.finish()
        await run.untilEnded()
        #expect(await scene.shown("ended") == nil)
        try await scene.session.redo()
        await scene.session.untilIdle()
        #expect(await scene.shown("last") == "last words")
        #expect(await scene.shown("ended") == true)
    }

    @Test func anActionInThePastStopsThePresentWorkersAndStartsThoseOfThePast() async throws {
        let scene = try await makeScene()
        try await scene.run("probe.run", ["id": 1])
        let first = try #require(await probe.next())
        try await give("one", by: first, in: scene)
        try await scene.session.undo()
        try await first.outputs.send("never")
        scene.log.clear()
        try await scene.session.send("touch")
        let second = try #require(await probe.next())
        await first.untilEnded()
        try await give("two", by: second, in: scene)
        #expect(second.input == ["id": 1])
        #expect(await scene.shown("last") == "two")
        #expect(await scene.shown("count") == 1)
        #expect(
            scene.log.lines.filter { !$0.hasPrefix("worker:") } == [
                "flow/probe.run cancelled", "flow/probe.run started", "flow/probe.run gave \"two\"",
            ])
        #expect(await scene.session.close(within: .unreached) == [])
        #expect(probe.begun == 2)
        #expect(probe.ended == 2)
    }

    @Test func whatIsHeldBackAndNeverSentIsFreed() async throws {
        weak var plugin: ProbePlugin?
        func use() async throws {
            let probe = ProbePlugin()
            plugin = probe
            let scene = try await WorkerScene(.runner, plugins: [probe.plugin])
            try await scene.run("probe.run", ["id": 1])
            let first = try #require(await probe.next())
            try await give("one", by: first, in: scene)
            try await scene.session.undo()
            try await first.outputs.send("never")
            try await scene.session.send("touch")
            let second = try #require(await probe.next())
            await first.untilEnded()
            #expect(await scene.session.close(within: .unreached) == [])
            await second.untilEnded()
        }
        try await use()
        while plugin != nil { await Task.yield() }
    }

    @Test func noWorkerOfThePastRunsOnTheWayThrough() async throws {
        let scene = try await makeScene()
        for id in 1...5 {
            try await scene.run("probe.run", ["id": .int(id)])
            _ = try #require(await probe.next())
        }
        for step in [0, 3, 1, 4, 2, 5] { try await scene.session.go(to: step) }
        #expect(probe.begun == 5)
        #expect(await scene.session.close(within: .unreached) == [])
        #expect(probe.begun == 5)
        #expect(probe.ended == 5)
        #expect(scene.log.lines.filter { $0.hasSuffix("started") }.count == 5)
        #expect(scene.log.lines.filter { $0.hasSuffix("cancelled") }.count == 5)
    }

    @Test func sessionThatIsClosedInThePastTellsThatItsWorkersStop() async throws {
        let scene = try await makeScene()
        try await scene.run("probe.run")
        _ = try #require(await probe.next())
        try await scene.session.send("touch")
        try await scene.session.undo()
        #expect(await scene.session.close(within: .unreached) == [])
        #expect(scene.log.lines == ["flow/probe.run started", "flow/probe.run cancelled"])
    }

    @Test func reloadLeavesUnchangedWorkersRunning() async throws {
        let folder = try Folder(["flow.lua": FlowSource.runnerText])
        func write(_ text: String) throws { try folder.write(text, to: "flow.lua") }
        let scene = try await makeScene(.file(folder.path("flow.lua")))
        try await scene.run("probe.run")
        let run = try #require(await probe.next())

        try write(
            FlowSource.runnerText.replacingOccurrences(
                of: "state.count + 1", with: "state.count + 10"))
        try await scene.session.reload()
        try await give("one", by: run, in: scene)
        #expect(await scene.shown("count") == 10)

        // Code that cannot be rendered changes nothing.
        try write(
            FlowSource.runnerText.replacingOccurrences(
                of: "assert(not state.isLocked", with: "assert(state.isLocked"))
        await #expect(throws: FlowError.self) { try await scene.session.reload() }
        try await give("two", by: run, in: scene)
        #expect(await scene.shown("count") == 20)

        // New code that no longer declares it stops it.
        try write(
            FlowSource.runnerText.replacingOccurrences(
                of: "if state.worker then", with: "if false then"))
        try await scene.session.reload()
        await run.untilEnded()
        #expect(probe.begun == 1)
        #expect(scene.log.lines.last == "flow/probe.run cancelled")
        #expect(scene.log.lines.filter { $0.hasSuffix("started") }.count == 1)
    }
}
