import Foundation
import PlainValue
import PluginStage
import TestSupport
import Testing
import Timers
import WorkerKit
import Workflow
import WorkflowPlugins

private enum Failing {
    static let plugin = Plugin(
        "failing", version: "1.0.0",
        definitions: [
            WorkerDefinition(name: "failing.throws", summary: "") { _, _, _ in
                throw WorkerError("gone", "the server is gone", help: "start it")
            },
            WorkerDefinition(name: "failing.infinite", summary: "") { _, _, outputs in
                try await outputs.send(.double(.infinity))
            },
            WorkerDefinition(name: "failing.escapes", summary: "") { _, _, outputs in
                Task.detached { while true { try await outputs.send("escaped") } }
                try await outputs.send("first")
            },
            WorkerDefinition(name: "failing.floods", summary: "") { _, _, outputs in
                var number = 0
                while true {
                    try await outputs.send(.int(number))
                    number += 1
                }
            },
            WorkerDefinition(name: "failing.blocks", summary: "") { _, _, outputs in
                try await outputs.send("blocking")
                blockForGood()
            },
            WorkerDefinition(name: "failing.picky", summary: "", input: .record([])) { _, _, _ in },
            WorkerDefinition(
                name: "failing.reaches", summary: "",
                input: .record([.init("url", .string)]), needs: ["http={url}"]
            ) { _, _, _ in },
        ])

    /// Blocks the thread like a system call that never returns.
    private static func blockForGood() { while true { pause() } }
}

@Suite(.serialized) struct FaultTests {
    static let faulty = Result {
        try CLibrary.build("Tests/WorkflowPluginsTests/Plugins/faulty.c", as: "faulty.so")
    }

    private func makeStage(_ grants: String...) throws -> Stage {
        let registry = try WorkerRegistry([Failing.plugin])
        try registry.load(try Self.faulty.get())
        return Stage(WorkerSession(registry: registry, grants: try Grants(grants, in: nil)))
    }

    private func refusal(_ name: String, _ input: Value) throws -> WorkerError? {
        let session = WorkerSession(registry: try WorkerRegistry([Failing.plugin]))
        return #expect(throws: WorkerError.self) { try session.declare(name, input: input) }
    }

    @Test func anUnknownWorkerIsRefusedWithASuggestion() throws {
        #expect(
            try refusal("failing.throw", [:])
                == WorkerError(
                    "unknown_worker",
                    "there is no worker 'failing.throw'. Did you mean 'failing.throws'?"))
        #expect(
            try refusal("mail.send", [:])
                == WorkerError(
                    "unknown_worker", "there is no worker 'mail.send'",
                    help: "load the plugin that offers it into the WorkerRegistry"))
    }

    @Test func aBadInputIsRefused() throws {
        #expect(
            try refusal("failing.reaches", ["urll": "x"])
                == WorkerError(
                    "bad_input",
                    "worker 'failing.reaches': there is no field 'urll'. Did you mean 'url'?",
                    help: "its fields are url"))
    }

    @Test func whatIsNotGrantedIsRefused() throws {
        #expect(
            try refusal("failing.reaches", ["url": "https://api.example.com/"])
                == WorkerError(
                    "not_granted",
                    "worker 'failing.reaches': http=api.example.com:443 is not granted",
                    help: #"grant it with Grant("http", "api.example.com:443")"#))
    }

    @Test func aWorkerThatThrowsFails() async throws {
        let events = try await makeStage().events("failing.throws")
        #expect(
            await events.first(1)
                == [.failed(WorkerError("gone", "the server is gone", help: "start it"))])
    }

    @Test func anOutputThatIsNoValueFailsTheRun() async throws {
        let events = try await makeStage().events("failing.infinite")
        #expect(
            await events.first(1) == [
                .failed(
                    WorkerError(
                        "bad_output", "an output must be a plain value: a float is NaN or infinite")
                )
            ])
    }

    @Test func bytesThatAreNoValueFailTheRun() async throws {
        let events = try await makeStage().events("faulty.garbage").first(2)
        #expect(
            events == [
                .output(1),
                .failed(
                    WorkerError(
                        "bad_output",
                        """
                        'faulty.garbage' gave an output that is not a plain value: the bytes end inside a \
                        value at byte 0
                        """)),
            ])
    }

    @Test func bytesThatAreNotThereFailTheRun() async throws {
        #expect(
            try await makeStage().events("faulty.nowhere").first(1) == [
                .failed(
                    WorkerError(
                        "bad_output",
                        "'faulty.nowhere' gave an output that is not a plain value: it gave no bytes"
                    ))
            ])
    }

    @Test func aWorkerThatFailsWithoutAWordFails() async throws {
        #expect(
            try await makeStage().events("faulty.mute").first(1) == [
                .failed(WorkerError("failed", "the worker failed"))
            ])
    }

    @Test func outputsOfALibraryArriveInOrderAndThenTheEnd() async throws {
        let events = try await makeStage().events("faulty.numbers", ["count": 10_000])
        #expect(await events.first(10_001) == (0..<10_000).map { .output(.int($0)) } + [.finished])
    }

    @Test func aLibraryIsToldWhichRunItIs() async throws {
        let identity = WorkerIdentity(
            session: "s", step: 3, node: "todo/item:2", name: "faulty.identity", key: "k",
            started: 1_000, attempt: 2)
        let stage = try makeStage()
        let events = try await RunningWorker.$current.withValue(RunningWorker(identity: identity)) {
            try await WorkerResumption.$current.withValue(
                WorkerResumption(
                    ran: .seconds(4), paused: .milliseconds(7), lastPause: .milliseconds(5))
            ) { try await stage.events("faulty.identity") }
        }
        let told: Value = [
            "text": "s/3/1000/todo/item%3A2/faulty.identity/k", "session": "s", "step": 3,
            "node": "todo/item:2", "name": "faulty.identity", "key": "k", "started": 1_000,
            "attempt": 2, "ran": 4_000, "paused": 7, "last_pause": 5,
        ]
        #expect(await events.first(2) == [.output(told), .finished])
    }

    @Test func aLibraryOutsideOfASessionIsNobody() async throws {
        let events = try await makeStage().events("faulty.identity").first(1)
        #expect(events == [.failed(WorkerError("nobody", "it is nobody"))])
    }

    @Test func outputsFromManyThreadsAtOnceAllArrive() async throws {
        let events = try await makeStage().events("faulty.threads").first(8001)
        #expect(events.last == .finished)
        let numbers = events.dropLast().map { event in
            if case .output(let value) = event { value.int ?? -1 } else { -1 }
        }
        #expect(numbers.sorted() == Array(0..<8000))
        for part in 0..<8 {
            let own = numbers.filter { $0 / 1000 == part }
            #expect(own == own.sorted())
        }
    }

    @Test func runsThatBlockTheirThreadsHoldUpNoOthers() async throws {
        let registry = try WorkerRegistry([])
        try registry.load(try Self.faulty.get())
        let session = WorkerSession(registry: registry)
        var blocked: [Stage] = []
        for _ in 0..<300 {
            let stage = Stage(session)
            #expect(try await stage.events("faulty.block").first(1) == [.output(1)])
            blocked.append(stage)
        }
        let stage = Stage(session)
        let naps = try await stage.events("faulty.naps").first(3)
        #expect(naps == [.output(1), .output(2), .finished])
        for stage in blocked { await stage.shutDown() }
    }

    @Test(arguments: ["faulty.flood", "failing.floods"])
    func aWorkerThatEmitsWithoutPauseLeavesTheHostResponsive(name: String) async throws {
        let stage = try makeStage()
        let events = try await stage.events(name)
        _ = await events.first(1000)
        _ = await events.first(50_000)
        // Each of these calls would wait for ever if the outputs blocked the host.
        await stage.declare(false)
        let count = await stage.count
        await stage.shutDown()
        #expect(await stage.count == count)
        #expect(await stage.session.end(within: .unreached) == [])
    }

    @Test func noEventArrivesAfterTheCancellationOrAfterTheHostHasGone() async throws {
        let stage = try makeStage()
        let events = try await stage.events("faulty.late")
        #expect(await events.first(1) == [.output(1)])
        await stage.declare(false)
        #expect(await stage.session.end(within: .unreached) == [])
        #expect(await stage.count == 1)
        await stage.shutDown()
        let report = try await makeStage().events("faulty.report")
        #expect(await report.first(2) == [.output(0), .finished])
    }

    @Test func aTaskThatOutlivesItsWorkerDeliversNothingAfterTheEnd() async throws {
        let stage = try makeStage()
        let events = try await stage.events("failing.escapes")
        var seen: [WorkerEvent<Value, WorkerError>] = []
        for await event in events {
            seen.append(event)
            if event == .finished { break }
        }
        await stage.declare(true)
        #expect(await stage.count == seen.count)
        #expect(seen.contains(.output("first")))
    }

    @Test(arguments: ["faulty.stuck", "failing.blocks"])
    func aWorkerThatNeverEndsIsAbandonedAndReported(name: String) async throws {
        let stage = try makeStage()
        let events = try await stage.events(name)
        _ = await events.first(1)
        await stage.shutDown()
        #expect(await stage.session.end(within: .milliseconds(50)) == [name])
        #expect(
            try await stage.events("failing.throws").first(1)
                == [.failed(WorkerError("session_ended", "the session has ended"))])
    }

    @Test func aWorkerThatBlocksItsThreadIsLetGoByItsCancellation() async throws {
        let stages = try (0..<8).map { _ in try makeStage() }
        for stage in stages {
            #expect(try await stage.events("faulty.block").first(1) == [.output(1)])
        }
        for stage in stages {
            await stage.shutDown()
            #expect(await stage.session.end(within: .unreached) == [])
        }
    }

    @Test func aLibraryIsToldWhatIsGrantedAndThePathWithoutLinks() async throws {
        let denied = try await makeStage().events("faulty.reach")
        let error = WorkerError(
            "not_granted", "it was denied", help: #"grant it with Grant("file.read", "/etc")"#)
        #expect(await denied.first(1) == [.failed(error)])
        let granted = try await makeStage("file.read=/etc").events("faulty.reach")
        #expect(await granted.first(2) == [.output("/etc"), .finished])
    }

    @Test func aLibraryIsCalledBackOnTheClockOfTheSession() async throws {
        let events = try await makeStage().events("faulty.callback", clock: TestClock(.eager))
        #expect(await events.first(2) == [.output(42), .finished])
    }

    @Test func whatALibraryForgetsIsNotKept() async throws {
        let stage = try makeStage()
        #expect(try await stage.events("faulty.forgets").first(1) == [.output(0)])
        // Other tests of the process have few sleepers.
        #expect(Alarm.shared.count < 1000)
        await stage.shutDown()
    }
}
