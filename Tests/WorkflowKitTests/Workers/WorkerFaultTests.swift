import PlainValue
import TestSupport
import Testing
import WorkerKit
import WorkflowKit
import WorkflowLua

@Suite(.timeLimit(.minutes(15))) struct WorkerFaultTests {
    private let faulty = FaultyPlugin()
    private let probe = ProbePlugin()

    private func makeScene(keepsTimeline: Bool = true) async throws -> WorkerScene {
        try await WorkerScene(plugins: [faulty.plugin, probe.plugin], keepsTimeline: keepsTimeline)
    }

    @Test func failureThatNobodyHandlesIsAnErrorAndTheSessionGoesOn() async throws {
        let scene = try await makeScene()
        try await scene.run("faulty.throws")
        let error = "error: flow.lua:24: worker 'faulty.throws' failed: the server is gone"
        await scene.log.wait(for: error)
        #expect(
            scene.log.lines == [
                "flow/faulty.throws started",
                "flow/faulty.throws failed: the server is gone (start it)", error,
            ])
        try await scene.session.send("touch")
        #expect(await scene.shown("touched") == 1)
        // The worker stays declared but does not start again.
        #expect(await !scene.session.hasRunningWorkers)
        #expect(await scene.session.close(within: .unreached) == [])
        #expect(scene.log.lines.count == 3)
    }

    @Test func failureThatIsHandledIsAnAction() async throws {
        let scene = try await makeScene()
        try await scene.run("faulty.throws", handlesErrors: true)
        await scene.session.untilIdle()
        let error: Value = ["code": "gone", "message": "the server is gone", "help": "start it"]
        #expect(await scene.shown("failure") == error)
        #expect(
            scene.log.lines == [
                "flow/faulty.throws started",
                "flow/faulty.throws failed: the server is gone (start it)",
                """
                worker:faulty.throws sent {"error":{"code":"gone","help":"start it",\
                "message":"the server is gone"},"type":"failed"}
                """,
            ])
    }

    @Test func outputThatIsNoValueMakesTheWorkerFail() async throws {
        let scene = try await makeScene()
        try await scene.run("faulty.infinite", handlesErrors: true)
        await scene.session.untilIdle()
        #expect(
            await scene.shown("failure") == [
                "code": "bad_output",
                "message": "an output must be a plain value: a float is NaN or infinite",
            ])
        #expect(await scene.shown("count") == 0)
    }

    @Test func outputsOfManyThreadsAllArriveAndThoseOfOneInOrder() async throws {
        let scene = try await makeScene()
        try await scene.run("faulty.threads")
        await scene.session.untilIdle()
        #expect(await scene.shown("count") == 4000)
        #expect(await scene.shown("ended") == true)
        let outputs = scene.log.lines.filter { $0.contains(" gave ") }
        #expect(outputs.count == 4000)
        for part in 0..<8 {
            #expect(
                outputs.filter { $0.hasSuffix("\"part\":\(part)}") }
                    == (0..<500).map {
                        "flow/faulty.threads gave {\"number\":\($0),\"part\":\(part)}"
                    })
        }
    }

    @Test func outputAfterTheCancellationNeverArrives() async throws {
        let scene = try await makeScene()
        try await scene.run("probe.run")
        let run = try #require(await probe.next())
        try await run.outputs.send("in time")
        await scene.log.wait(for: "worker:probe.run sent {\"output\":\"in time\",\"type\":\"got\"}")
        try await scene.session.send("stop")
        await run.untilEnded()
        await #expect(throws: CancellationError.self) { try await run.outputs.send("too late") }
        try await scene.session.send("touch")
        #expect(await scene.shown("last") == "in time")
        #expect(
            scene.log.lines == [
                "flow/probe.run started", "flow/probe.run gave \"in time\"",
                "worker:probe.run sent {\"output\":\"in time\",\"type\":\"got\"}",
                "flow/probe.run cancelled",
            ])
    }

    @Test func anOutputOnItsWayWhenItsWorkerIsCancelledNeverArrives() async throws {
        for _ in 0..<40 {
            let scene = try await makeScene(keepsTimeline: false)
            try await scene.run("faulty.floods")
            try await scene.session.send("stop")
            let count = await scene.shown("count")
            let lines = scene.log.lines
            #expect(lines.last == "flow/faulty.floods cancelled")
            #expect(await scene.session.close(within: .unreached) == [])
            #expect(scene.log.lines == lines)
            #expect(lines.filter { $0.contains(" gave ") }.count == count?.int)
        }
    }

    @Test func workersEndWithASessionThatIsReleased() async throws {
        var scene: WorkerScene? = try await makeScene()
        try await scene?.run("probe.run")
        let run = try #require(await probe.next())
        let log = try #require(scene?.log)
        scene = nil
        await run.untilEnded()
        await #expect(throws: CancellationError.self) { try await run.outputs.send("too late") }
        #expect(log.lines == ["flow/probe.run started"])
    }

    @Test(arguments: ["faulty.endless", "faulty.blocks"])
    func workerThatNeverEndsIsAbandonedWhenTheSessionIsClosed(_ name: String) async throws {
        defer { faulty.release() }
        let scene = try await makeScene()
        try await scene.run(name)
        await scene.log.wait(for: "worker:\(name) sent {\"output\":\"here\",\"type\":\"got\"}")
        scene.log.clear()
        #expect(await scene.session.close(within: .milliseconds(50)) == [name])
        #expect(scene.log.lines == ["flow/\(name) cancelled", "\(name) abandoned"])
    }

    @Test func workersThatBlockTheirThreadsHoldUpNothingElse() async throws {
        defer { faulty.release() }
        var blocked: [WorkerScene] = []
        for _ in 0..<32 {
            let scene = try await makeScene()
            try await scene.run("faulty.blocks")
            await scene.log.wait(
                for: "worker:faulty.blocks sent {\"output\":\"here\",\"type\":\"got\"}")
            blocked.append(scene)
        }
        let scene = try await makeScene()
        try await scene.run("faulty.threads")
        await scene.session.untilIdle()
        #expect(await scene.shown("count") == 4000)
        for scene in blocked {
            try await scene.session.send("touch")
            #expect(await scene.shown("touched") == 1)
        }
    }

    @Test func workerThatThereIsNotFailsTheRenderWithItsPlace() async throws {
        let scene = try await makeScene()
        let error = await #expect(throws: FlowError.self) { try await scene.run("faulty.throw") }
        #expect(
            error?.record == [
                "code": "unknown_worker",
                "message": "there is no worker 'faulty.throw'. Did you mean 'faulty.throws'?",
                "location": ["file": "flow.lua", "line": 24], "node": "flow", "phase": "render",
                "trace": [["file": "flow.lua", "line": 24]],
            ])
        #expect(await !scene.session.hasRunningWorkers)
    }

    @Test func inputThatDoesNotFitFailsTheRenderWithItsPlace() async throws {
        let scene = try await makeScene()
        let error = await #expect(throws: FlowError.self) {
            try await scene.run("faulty.picky", ["pat": "x"])
        }
        #expect(
            error?.record == [
                "code": "bad_input",
                "message": "worker 'faulty.picky': there is no field 'pat'. Did you mean 'path'?",
                "help": "its fields are path", "location": ["file": "flow.lua", "line": 24],
                "node": "flow", "phase": "render", "trace": [["file": "flow.lua", "line": 24]],
            ])
    }

    @Test func whatIsNotGrantedFailsTheRenderWithItsPlace() async throws {
        let scene = try await makeScene()
        let error = await #expect(throws: FlowError.self) {
            try await scene.run("faulty.picky", ["path": "/no/such/folder/file"])
        }
        #expect(
            error?.record == [
                "code": "not_granted",
                "message": "worker 'faulty.picky': file.read=/no/such/folder/file is not granted",
                "help": #"grant it with Grant("file.read", "/no/such/folder/file")"#,
                "location": ["file": "flow.lua", "line": 24], "node": "flow", "phase": "render",
                "trace": [["file": "flow.lua", "line": 24]],
            ])
    }
}
