import Testing
import Workflow
import WorkflowTesting

@Suite struct WorkerTests {
    private let log = WorkerLog()

    @Test func aWorkerRunsOnceWhilePassesDeclareItAndItsOutputIsApplied() {
        let tester = WorkflowTester(
            workflow: Board { _, context in
                Waiting(name: "a", log: log).mapOutput { Board.Action.text($0) }
                    .running(in: context)
            })
        tester.send(.text("b")) { $0.sink }
        #expect(log.take() == ["a started"])
        tester.advance(by: .seconds(1))
        tester.assert(rendering: \.texts, ["b", "a"])
        tester.advance(by: .seconds(5))
        tester.finish()
        #expect(log.take() == ["a finished"])
    }

    @Test func aWorkerThatAPassDoesNotDeclareIsCancelledAndItsOutputNotApplied() {
        let tester = WorkflowTester(
            workflow: Board { mode, context in
                guard mode == 0 else { return }
                Waiting(name: "a", log: log).mapOutput { Board.Action.text($0) }
                    .running(in: context)
            })
        tester.send(.mode(1)) { $0.sink }
        tester.advance(by: .seconds(2))
        tester.assert(rendering: \.texts, [])
        tester.finish()
        #expect(log.take() == ["a started", "a cancelled"])
    }

    @Test func aWorkerThatTheNextPassDropsStartsOnceAndStopsOnce() {
        let tester = WorkflowTester(
            workflow: Board { mode, context in
                let sink = context.makeSink(of: Board.Action.self)
                context.runSideEffect(key: 1) { _ in sink.send(.mode(1)) }
                guard mode == 0 else { return }
                Waiting(name: "a", log: log).mapOutput { Board.Action.text($0) }
                    .running(in: context)
            })
        tester.advance(by: .seconds(2))
        tester.finish()
        #expect(log.take() == ["a started", "a cancelled"])
    }

    @Test func theEndOfTheHostCancelsItsWorkers() {
        let tester = WorkflowTester(
            workflow: Board { _, context in
                for name in ["a", "b"] {
                    Waiting(name: name, log: log).mapOutput { Board.Action.text($0) }
                        .running(in: context, key: name)
                }
            })
        tester.finish()
        #expect(log.take().sorted() == ["a cancelled", "a started", "b cancelled", "b started"])
    }

    @Test func aWorkerThatIsNotEquivalentReplacesTheOther() {
        let tester = WorkflowTester(
            workflow: Board { mode, context in
                Waiting(name: "w\(mode / 2)", log: log).mapOutput { Board.Action.text($0) }
                    .running(in: context)
            })
        tester.send(.mode(1)) { $0.sink }
        #expect(log.take() == ["w0 started"])
        tester.send(.mode(2)) { $0.sink }
        #expect(log.take().sorted() == ["w0 cancelled", "w1 started"])
        tester.advance(by: .seconds(1))
        tester.assert(rendering: \.texts, ["w1"])
        tester.finish()
    }

    @Test func anOutputOfAWorkerThatWasReplacedMeanwhileIsNotApplied() {
        let tester = WorkflowTester(
            workflow: Board { mode, context in
                ClosureWorker(id: mode) { "late \(mode)" }
                    .mapOutput { Board.Action.text($0) }.running(in: context)
            })
        tester.assert(rendering: \.texts, ["late 0"])
        tester.perform("let the worker's output cross the action that replaces it") { shown in
            // The action is applied at once, before the worker's output.
            shown.sink.send(.mode(1))
            shown.sink.send(.mode(2))
        }
        tester.assert(rendering: \.texts, ["late 0", "late 2"])
        tester.finish()
    }

    @Test func anOutputQueuedBeforeItsWorkerStoppedIsDroppedAndObserversAreTold() async throws {
        let observer = DropObserver()
        let sinks = SinkBox()
        var reports: [String] = []
        var options = HostOptions(onReport: { reports.append("\($0)") })
        let executor = VirtualExecutor()
        options.workerExecutor = executor
        options.observers = [observer]
        let host = WorkflowHost(
            workflow: Board { mode, context in
                guard mode == 0 else { return }
                Leaking { sinks.sink = $0 }.mapOutput { Board.Action.text($0) }.running(in: context)
            }, options: options)
        let sink = host.rendering.sink
        executor.runUntilIdle()
        await Task.detached {
            sinks.sink?.send("in time")
            sink.send(.mode(1))
            sinks.sink?.send("late")
        }.value
        #expect(host.rendering.texts == ["in time"])
        sinks.sink?.send("too late")
        #expect(host.rendering.texts == ["in time"])
        #expect(
            observer.reports == ["an output of Board/Leaking was dropped: that worker was stopped"])
        #expect(reports == [])
        host.shutDown()
        executor.runUntilIdle()
    }

    @Test func aStreamingWorkerGivesEachElementInOrder() {
        let tester = WorkflowTester(
            workflow: Board { _, context in
                Countdown(from: 3).mapOutput { Board.Action.text("\($0)") }.running(in: context)
            })
        tester.assert(rendering: \.texts, ["3", "2", "1", "0"])
        tester.assertReport("the worker Board/Countdown failed: lift-off")
        tester.finish()
    }

    @Test func aFailureIsReportedAndTheHostGoesOn() {
        let tester = WorkflowTester(
            workflow: Board { _, context in
                Waiting(name: "a", log: log, failure: TestError("no network"))
                    .mapOutput { Board.Action.text($0) }.running(in: context, key: "k")
            })
        tester.advance(by: .seconds(1))
        tester.assertReport("the worker Board/Waiting:k failed: no network")
        tester.send(.text("on")) { $0.sink }
        tester.assert(rendering: \.texts, ["on"])
        tester.finish()
    }

    @Test func aFailureIsAnOutputForAParentThatAsksForResults() {
        let tester = WorkflowTester(
            workflow: Board { _, context in
                Waiting(name: "a", log: log, failure: TestError("no network")).asResult()
                    .mapOutput { result in
                        switch result {
                        case .success(let text): Board.Action.text(text)
                        case .failure(let error): Board.Action.text("failed: \(error)")
                        }
                    }
                    .running(in: context)
            })
        tester.advance(by: .seconds(1))
        tester.assert(rendering: \.texts, ["failed: no network"])
        tester.finish()
    }

    @Test func anySequenceMayBeReadAsAWorker() {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let tester = WorkflowTester(
            workflow: Board { mode, context in
                guard mode == 0 else { return }
                stream.asWorker().mapOutput { Board.Action.text("\($0)") }.running(in: context)
            })
        continuation.yield(1)
        continuation.yield(2)
        tester.settle()
        tester.assert(rendering: \.texts, ["1", "2"])
        tester.send(.mode(1)) { $0.sink }
        continuation.yield(3)
        tester.settle()
        tester.assert(rendering: \.texts, ["1", "2"])
        tester.finish()
    }

    @Test func awaitResultRunsAWorkerInItsThreeSpellings() {
        let tester = WorkflowTester(
            workflow: Board { _, context in
                context.awaitResult(for: ClosureWorker { Board.Action.text("action") }, key: "1")
                context.awaitResult(for: ClosureWorker { "mapped" }, key: "2") {
                    Board.Action.text($0)
                }
                context.awaitResult(for: ClosureWorker { "handled" }, key: "3") { text, state in
                    state.texts.append(text)
                    return nil
                }
            })
        #expect(Set(tester.rendering.texts) == ["action", "mapped", "handled"])
        tester.finish()
    }

    @Test func aWorkerReadsTheClockOfItsHost() {
        let tester = WorkflowTester(
            workflow: Board { _, context in
                let clock = context.clock
                ClosureWorker {
                    try await clock.sleep(for: .seconds(60))
                    return "\(clock is VirtualClock) \(WorkerClock.current is VirtualClock)"
                }
                .mapOutput { Board.Action.text($0) }.running(in: context)
            })
        tester.advance(by: .seconds(59))
        tester.assert(rendering: \.texts, [])
        tester.advance(by: .seconds(1))
        tester.assert(rendering: \.texts, ["true true"])
        tester.finish()
    }

    @MainActor @Test func workersOfAHostOnAnActorReachItByThemselves() async {
        let host = WorkflowHost(
            workflow: Board { _, context in
                ClosureWorker { "hello" }.mapOutput { Board.Action.text($0) }.running(in: context)
            })
        for await shown in host.renderings where !shown.texts.isEmpty {
            #expect(shown.texts == ["hello"])
            break
        }
        host.shutDown()
    }
}
