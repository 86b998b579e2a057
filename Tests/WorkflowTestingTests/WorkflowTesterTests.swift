import Testing
import Workflow
import WorkflowTesting

@Suite struct WorkflowTesterTests {
    @Test func aWholeTreeRunsInVirtualTime() {
        let tester = WorkflowTester(workflow: Profile())
        tester.assert(rendering: \.title, "Loading")
        tester.advance(by: .seconds(1))
        tester.assert(rendering: \.title, "Loading")
        tester.advance(by: .seconds(1))
        tester.assert(rendering: \.title, "Ada 7")
        tester.send(.tapped) { $0.sink }
        tester.assert(rendering: \.badge, "badge 7")
        tester.perform("done") { $0.sink.send(.done) }
        tester.assert(output: "Ada 7")
        tester.update(workflow: Profile(id: 8))
        tester.send(.tapped) { $0.sink }
        tester.assert(rendering: \.badge, "badge 15")
        tester.finish()
    }

    @Test func aWorkerThatSleepsTwiceRunsAtTheRightMoments() {
        struct Ticker: Workflow {
            func makeInitialState() -> [Duration] { [] }
            func render(state: [Duration], context: RenderContext<Ticker>) -> [Duration] {
                guard let clock = context.clock as? VirtualClock else { return state }
                ClosureWorker(id: state.count) {
                    try await clock.sleep(for: .milliseconds(300))
                    return clock.now.elapsed
                }
                .onOutput { (state: inout [Duration], now) -> Never? in
                    state.append(now)
                    return nil
                }
                .running(in: context)
                return state
            }
        }
        let tester = WorkflowTester(workflow: Ticker())
        tester.advance(by: .seconds(1))
        tester.assert(rendering: [.milliseconds(300), .milliseconds(600), .milliseconds(900)])
        tester.finish()
    }

    @Test func partsOfATimeAddUp() {
        let tester = WorkflowTester(workflow: Profile())
        for _ in 1...5 { tester.advance(by: .seconds(1.0 / 3)) }
        tester.assert(rendering: \.title, "Loading")
        tester.advance(by: .seconds(1.0 / 3))
        tester.assert(rendering: \.title, "Ada 7")
        tester.finish()
        let clock = VirtualClock()
        let third = VirtualClock.Instant(elapsed: .zero).advanced(by: .seconds(1.0 / 3))
            .advanced(by: .seconds(1.0 / 3)).advanced(by: .seconds(1.0 / 3))
        let whole = VirtualClock.Instant(elapsed: .seconds(1))
        #expect(third == whole)
        #expect(Set([third, whole]).count == 1)
        #expect(clock.now < third)
    }

    @MainActor @Test func aTreeOnTheMainActorRunsInVirtualTimeToo() {
        let tester = WorkflowTester(workflow: Profile())
        tester.advance(by: .seconds(2))
        tester.assert(rendering: \.title, "Ada 7")
        tester.finish()
    }

    @Test func failuresShowWhatDiffersAndTheSteps() {
        #expect(
            failures {
                let tester = WorkflowTester(workflow: Profile())
                tester.advance(by: .seconds(2))
                tester.send(.tapped) { $0.sink }
                tester.update(workflow: Profile(id: 8))
                tester.assert(rendering: \.badge, "badge 6")
            } == [
                """
                The rendering differs:

                  - "badge 6"
                  + "badge 7"

                (expected: -, actual: +)

                Steps so far:
                  1. started Profile(id: 7)
                  2. advanced by 2.0 seconds
                  3. sent Profile.Action.tapped
                  4. updated to Profile(id: 8)
                """
            ])
    }

    @Test func whatWasNotExpectedFailsAtTheEnd() {
        let messages = failures {
            let tester = WorkflowTester(workflow: Profile())
            tester.send(.loaded("x")) { $0.sink }
            tester.send(.done) { $0.sink }
            tester.send(.refuse) { $0.sink }
            tester.finish()
        }
        #expect(
            messages.map { $0.split(separator: "\n")[0] } == [
                "Unexpected output: \"x\"",
                """
                Unexpected report: the action sent to Profile failed and was rolled back: not now
                """,
            ])
    }

    @Test func aReportThatDiffersFails() {
        let messages = failures {
            let tester = WorkflowTester(workflow: Profile())
            tester.send(.refuse) { $0.sink }
            tester.assertReport("all is well")
        }
        #expect(
            messages.first?.hasPrefix(
                """
                The report differs:

                  - "all is well"
                  + "the action sent to Profile failed and was rolled back: not now"
                """) == true)
    }

    @Test func whatWasExpectedAndDidNotComeFails() {
        let messages = failures {
            let tester = WorkflowTester(workflow: Profile())
            tester.assert(output: "x")
            tester.assertReport("y")
        }
        #expect(
            messages == [
                """
                There was no output; expected "x".

                Steps so far:
                  1. started Profile(id: 7)
                """,
                """
                There was no report; expected:
                  y

                Steps so far:
                  1. started Profile(id: 7)
                """,
            ])
    }

    @Test func aWorkerThatNeverWaitsIsAnIssueAfterManyRounds() {
        struct Ticks: StreamingWorker, Equatable {
            func run() -> AsyncStream<Int> { AsyncStream { 1 } }
        }
        struct Counting: Workflow {
            struct Add: WorkflowAction {
                func apply(toState state: inout Int, context: ApplyContext<Counting>) -> Never? {
                    state += 1
                    return nil
                }
            }
            func makeInitialState() -> Int { 0 }
            func render(state: Int, context: RenderContext<Counting>) -> Int {
                Ticks().mapOutput { _ in Add() }.running(in: context)
                return state
            }
        }
        nonisolated(unsafe) var count = 0
        let messages = failures {
            let tester = WorkflowTester(workflow: Counting())
            count = tester.rendering
        }
        #expect(
            messages == [
                """
                The tree does not come to rest: after 100000 rounds a worker is ready again. A worker \
                without end must wait for something, such as `WorkerClock.sleep(for:)`.

                Steps so far:
                  1. started WorkflowTesterTests.Counting()
                """
            ])
        // Each output was applied.
        #expect(count > 10_000)
    }
}
