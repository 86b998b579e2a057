import Foundation
import PlainValue
import PluginStage
import TestSupport
import Testing
import WorkerKit
import WorkflowPlugins

@testable import ProcessPlugin

@Suite(.timeLimit(.minutes(15))) struct EndTests {
    /// Starts a child, prints its own number and waits for ever; both hold `pulse` open.
    private static let family = "exec 9>pulse; sleep 1000 & echo $$; wait"

    /// A family that ignores requests to end.
    private static let stubbornFamily = "trap '' TERM; \(family); while :; do wait; done"

    private func lines(_ script: String, _ more: Value.Record = [:]) -> Value {
        var input = more
        input["program"] = "sh"
        input["arguments"] = ["-c", .string(script)]
        return .record(input)
    }

    @Test(arguments: [family, stubbornFamily])
    func aCancelledRunEndsTheProgramAndItsChildren(script: String) async throws {
        let scene = try Folder()
        let pulse = try Pulse("pulse", in: scene)
        let outputs = Outputs()
        let run = Task {
            try await scene.start(
                "process.lines", lines(script), allow: ["process=sh"], into: outputs)
        }
        _ = await outputs.lines(1)
        #expect(pulse.isThere)
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        await pulse.waitForEnd()
        #expect(outputs.all.count == 1)
    }

    @Test func aRunThatIsCancelledBeforeItStartsStartsNothing() async throws {
        let scene = try Folder()
        let run = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await scene.run(
                ["program": "touch", "arguments": ["started"]], allow: "process=touch")
        }
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(!FileManager.default.fileExists(atPath: "\(scene.path)/started"))
    }

    @Test func theTimeOutEndsTheProgramAndItsChildren() async throws {
        let scene = try Folder()
        let pulse = try Pulse("pulse", in: scene)
        let outputs = Outputs()
        let gate = TestClock(.held)
        let run = Task {
            try await scene.start(
                "process.lines", lines(Self.family, ["timeout": 0.2]), allow: ["process=sh"],
                into: outputs, clock: gate)
        }
        _ = await outputs.lines(1)
        #expect(pulse.isThere)
        gate.open()
        let error = try await #require(throws: WorkerError.self) { try await run.value }
        #expect(
            error
                == WorkerError(
                    "timed_out", "the program took longer than 0.2 seconds", help: "raise timeout"))
        await pulse.waitForEnd()
    }

    @Test func theTimeOutCountsOnTheClockOfTheSession() async throws {
        let worker = try #require(ProcessPlugin.plugin.workers.first { $0.name == "process.run" })
        let scene = try Folder()
        let context = WorkerContext(
            clock: TestClock(.eager), grants: try scene.grants(["process=sh"]))
        let error = try await #require(throws: WorkerError.self) {
            try await worker.run(
                lines("exec sleep 1000", ["timeout": 900]), context: context,
                outputs: WorkerEmitter { _ in })
        }
        #expect(error.message == "the program took longer than 900.0 seconds")
        withExtendedLifetime(scene) {}
    }

    @Test func whatAProgramLeavesInTheBackgroundEndsWithIt() async throws {
        let scene = try Folder()
        let pulse = try Pulse("pulse", in: scene)
        // The child keeps both outputs open too.
        let output = try await scene.run(
            lines("exec 9>pulse; sleep 1000 & echo started"), allow: "process=sh")
        #expect(output == ["exit_code": 0, "stdout": "started\n", "stderr": ""])
        await pulse.waitForEnd()
    }

    @Test func theEndOfTheSessionEndsTheProgram() async throws {
        let scene = try Folder()
        let pulse = try Pulse("pulse", in: scene)
        let session = WorkerSession(
            registry: try WorkerRegistry([ProcessPlugin.plugin]),
            grants: try scene.grants(["process=sh"]))
        let stage = Stage(session)
        _ = try await stage.start("process.lines", lines(Self.family)).first(1)
        #expect(pulse.isThere)
        await stage.shutDown()
        #expect(await session.end(within: .unreached) == [])
        await pulse.waitForEnd()
    }

    @Test func aSlowFlowHoldsUpEndlessOutput() async throws {
        let worker = try #require(ProcessPlugin.plugin.workers.first { $0.name == "process.lines" })
        let scene = try Folder()
        let context = WorkerContext(grants: try scene.grants(["process=yes"]))
        let outputs = Outputs()
        let gate = AsyncStream<Void>.makeStream()
        let run = Task {
            try await worker.run(
                ["program": "yes"], context: context,
                outputs: WorkerEmitter { value in
                    outputs.add(value)
                    for await _ in gate.stream { return }
                    throw CancellationError()
                })
        }
        gate.continuation.yield()
        #expect(await outputs.lines(2) == ["y", "y"])
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(outputs.all.count == 2)
        withExtendedLifetime(scene) {}
    }

    // MARK: The end of the host

    @Test func theKeeperEndsProgramsWhenTheHostIsGone() async throws {
        let scene = try Folder()
        let pulse = try Pulse("pulse", in: scene)
        let outputs = Outputs()
        let run = Task {
            try await scene.start(
                "process.lines", lines(Self.family), allow: ["process=sh"], into: outputs)
        }
        let leader = try #require(Int32(await outputs.lines(1)[0]))
        var keeper: GroupKeeper? = GroupKeeper()
        keeper?.register(ProcessGroup(leader: 999_999_999))
        keeper?.register(ProcessGroup(leader: leader))
        keeper?.unregister(ProcessGroup(leader: 999_999_999))
        // This closes the pipe, as the end of the host does.
        keeper = nil
        try await run.value
        await pulse.waitForEnd()
        #expect(outputs.all.last == ["signal": "SIGKILL"])
    }

    @Test func theKeeperLetsGoOfWhatHasEnded() async throws {
        let scene = try Folder()
        let outputs = Outputs()
        let run = Task {
            try await scene.start(
                "process.lines", lines("echo $$; read -r line"), allow: ["process=sh"],
                into: outputs)
        }
        let leader = ProcessGroup(leader: try #require(Int32(await outputs.lines(1)[0])))
        var keeper: GroupKeeper? = GroupKeeper()
        keeper?.register(leader)
        keeper?.unregister(leader)
        keeper = nil
        try await run.value
        #expect(outputs.all.last == ["exit_code": 1])
    }
}
