import Foundation
import Testing
import Workflow
import WorkflowTesting

private final class EventLog: WorkflowObserver {
    private(set) var lines: [String] = []

    func take() -> [String] {
        defer { lines = [] }
        return lines
    }

    func nodeDidBegin(_ node: NodeIdentity) {
        lines.append("begin \(node) in \(node.parentID ?? 0)")
    }

    func nodeDidEnd(_ node: NodeIdentity) { lines.append("end \(node)") }

    func didMakeInitialState<W: Workflow>(_ state: W.State, of workflow: W, node: NodeIdentity) {
        lines.append("initial \(node.name) \(state)")
    }

    func workflowDidChange<W: Workflow>(
        from old: W, to new: W, state: W.State, node: NodeIdentity
    ) {
        lines.append("change \(node.name) \(state)")
    }

    func willRender<W: Workflow>(
        _ workflow: W, state: W.State, cause: RenderCause, node: NodeIdentity
    ) { lines.append("will render \(node.name): \(cause)") }

    func didRender<W: Workflow>(_ workflow: W, rendering: W.Rendering, node: NodeIdentity) {
        lines.append("did render \(node.name)")
    }

    func didSkipRender(node: NodeIdentity) { lines.append("skip \(node.name)") }

    func didReceiveAction<Action: WorkflowAction>(
        _ action: Action, sequence: Int, node: NodeIdentity
    ) { lines.append("receive \(sequence): \(action) at \(node.name)") }

    func didApplyAction<Action: WorkflowAction>(
        _ action: Action, from before: Action.WorkflowType.State,
        to after: Action.WorkflowType.State, output: Action.WorkflowType.Output?, node: NodeIdentity
    ) {
        lines.append(
            "apply \(action): \(before) -> \(after)" + (output.map { ", output \($0)" } ?? ""))
    }

    func didEmitOutput<W: Workflow>(_ output: W.Output, of workflow: W, node: NodeIdentity) {
        lines.append("output \(output) of \(node.name)")
    }

    func didReceiveWorkerEvent(_ event: WorkerEvent<Void, any Error>, node: NodeIdentity) {
        lines.append("worker \(node.name) \(event)")
    }

    func didReport(_ report: WorkflowReport) { lines.append("report \(report)") }
}

private struct Shown {
    var counter: Counter.Rendering?
    var own: Sink<Inline<Shown>.Action>
}

@Suite struct ObserverTests {
    private func host(_ log: EventLog) -> WorkflowHost<Inline<Shown>> {
        var options = HostOptions(onReport: { _ in })
        options.observers = [log]
        return WorkflowHost(
            workflow: Inline { state, context in
                var counter: Counter.Rendering?
                if state < 2 {
                    counter = Counter(name: "c\(state)").rendered(in: context) {
                        Inline<Shown>.Action.emit($0)
                    }
                }
                return Shown(counter: counter, own: context.makeSink(of: Inline<Shown>.Action.self))
            }, options: options)
    }

    @Test func theFirstPassIsSeenStepByStep() {
        let log = EventLog()
        let host = host(log)
        #expect(
            log.take() == [
                "begin Inline (1) in 0", "initial Inline 0", "will render Inline: first",
                "begin Inline/Counter (2) in 1", "initial Counter 0",
                "will render Counter: first", "did render Counter", "did render Inline",
            ])
        host.shutDown()
        #expect(log.take() == ["end Inline/Counter (2)", "end Inline (1)"])
    }

    @Test func anActionItsOutputsAndTheCausesOfRendersAreSeen() throws {
        let log = EventLog()
        let host = host(log)
        _ = log.take()
        try #require(host.rendering.counter).sink.send(.addAndEmit(1, "x"))
        #expect(
            log.take() == [
                #"receive 1: addAndEmit(1, "x") at Counter"#,
                #"apply addAndEmit(1, "x"): 0 -> 1, output x"#, "output x of Counter",
                #"receive 1: emit("x") at Inline"#, #"apply emit("x"): 0 -> 0, output x"#,
                "output x of Inline", "will render Inline: descendant",
                "will render Counter: state", "did render Counter", "did render Inline",
            ])
        host.rendering.own.send(.set(1))
        #expect(
            log.take() == [
                "receive 2: set(1) at Inline", "apply set(1): 0 -> 1", "will render Inline: state",
                "change Counter 1", "will render Counter: inputs", "did render Counter",
                "did render Inline",
            ])
    }

    @Test func skippedRendersEndsDropsAndFailuresAreSeen() throws {
        let log = EventLog()
        let host = host(log)
        let counter = try #require(host.rendering.counter)
        host.rendering.own.send(.set(-1))
        host.rendering.own.send(.set(0))
        _ = log.take()
        host.update(
            workflow: Inline { _, context in
                Shown(
                    counter: Counter(name: "c0").ignoringOutput().rendered(in: context),
                    own: context.makeSink(of: Inline<Shown>.Action.self))
            })
        #expect(
            log.take() == [
                "change Inline 0", "will render Inline: inputs", "skip Counter",
                "did render Inline",
            ])
        counter.sink.send(.addAndFail(1, "no"))
        #expect(
            log.take() == [
                #"receive 3: addAndFail(1, "no") at Counter"#,
                "report the action sent to Inline/Counter failed and was rolled back: no",
            ])
        host.update(
            workflow: Inline { _, context in
                Shown(own: context.makeSink(of: Inline<Shown>.Action.self))
            })
        _ = log.take()
        counter.sink.send(.add(1))
        #expect(
            log.take() == ["report an action for Inline/Counter was dropped: that node has ended"])
    }

    @Test func thePhasesOfWorkersAreSeen() {
        let log = EventLog()
        let tester = WorkflowTester(
            workflow: Inline<Int> { state, context in
                ClosureWorker(id: state) {
                    if state == 1 { throw TestError("broken") }
                    if state == 2 { try await WorkerClock.sleep(for: .seconds(1)) }
                    return state
                }
                .mapOutput { Inline<Int>.Action.set($0 + 1) }.running(in: context, key: "w")
                return state
            }, configure: { $0.observers = [log] })
        #expect(
            log.take().filter { $0.hasPrefix("worker") } == [
                "worker ClosureWorker<Int> started", "worker ClosureWorker<Int> gave an output",
                // Its output made the parent request another one before it ended.
                "worker ClosureWorker<Int> was cancelled", "worker ClosureWorker<Int> started",
                "worker ClosureWorker<Int> failed: broken",
            ])
        tester.assertReport("the worker Inline/ClosureWorker<Int>:w failed: broken")
        tester.host.shutDown()
        #expect(log.take().filter { $0.hasPrefix("worker") } == [])
        tester.finish()
    }

    @Test func aWorkerThatIsStoppedEarlyIsSeenAsCancelled() {
        let log = EventLog()
        let tester = WorkflowTester(
            workflow: Inline<Void> { _, context in
                ClosureWorker { try await WorkerClock.sleep(for: .seconds(1)) }
                    .ignoringOutput().running(in: context)
            }, configure: { $0.observers = [log] })
        _ = log.take()
        tester.finish()
        #expect(log.take().first == "worker ClosureWorker<()> was cancelled")
    }

    @Test func theTreeIsDescribedAndTheDescriptionIsCodable() throws {
        let host = WorkflowHost(
            workflow: Inline<Void> { _, context in
                context.runSideEffect(key: "effect") { _ in }
                _ = Counter(name: "c", start: 4).ignoringOutput().rendered(in: context, key: "k")
            })
        let description = host.describeTree()
        #expect(description.children.map(\.state) == ["4"])
        #expect(description.children.map(\.inputs) == [#"Counter(name: "c", start: 4)"#])
        #expect(description.sideEffects == ["effect"])
        let data = try JSONEncoder().encode(description)
        #expect(try JSONDecoder().decode(NodeDescription.self, from: data) == description)
        #expect([description.id, description.children.first?.id] == [1, 2])
        #expect(description.name == "Inline")
        #expect(description.children.map(\.key) == ["k"])
    }

    @Test func whatClosesAStepIsToldInTheOppositeOrder() {
        final class Named: WorkflowObserver {
            let name: String
            let journal: Journal
            init(_ name: String, _ journal: Journal) { (self.name, self.journal) = (name, journal) }

            func willRender<W: Workflow>(
                _ workflow: W, state: W.State, cause: RenderCause, node: NodeIdentity
            ) { journal.note("\(name) will render") }

            func didRender<W: Workflow>(_ workflow: W, rendering: W.Rendering, node: NodeIdentity) {
                journal.note("\(name) did render")
            }

            func didReceiveAction<Action: WorkflowAction>(
                _ action: Action, sequence: Int, node: NodeIdentity
            ) { journal.note("\(name) received") }

            func didApplyAction<Action: WorkflowAction>(
                _ action: Action, from before: Action.WorkflowType.State,
                to after: Action.WorkflowType.State, output: Action.WorkflowType.Output?,
                node: NodeIdentity
            ) { journal.note("\(name) applied") }
        }
        let journal = Journal()
        var options = HostOptions()
        options.observers = [Named("a", journal), Named("b", journal)]
        let host = WorkflowHost(workflow: Counter(), options: options)
        let rendered = ["a will render", "b will render", "b did render", "a did render"]
        #expect(journal.take() == rendered)
        host.rendering.sink.send(.add(1))
        #expect(
            journal.take() == ["a received", "b received", "b applied", "a applied"] + rendered)
    }
}
