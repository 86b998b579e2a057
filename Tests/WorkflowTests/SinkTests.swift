import Testing
import Workflow

private struct Shown {
    var count = 0
    var sink: Sink<Inline<Shown>.Action>
    var outputs: Sink<String>
    var child: Counter.Rendering?
}

@Suite struct SinkTests {
    private func host(
        _ journal: Journal,
        _ body: @escaping (Int, RenderContext<Inline<Shown>>, inout Shown) -> Void = { _, _, _ in }
    ) -> WorkflowHost<Inline<Shown>> {
        let host = WorkflowHost(
            workflow: Inline<Shown> { state, context in
                var shown = Shown(
                    count: state, sink: context.makeSink(of: Inline<Shown>.Action.self),
                    outputs: context.makeOutputSink())
                body(state, context, &shown)
                return shown
            }, options: journal.options())
        host.onOutput = { journal.note("output \($0)") }
        return host
    }

    @Test func sinksOfOneNodeAndTypeAreEqualInEachPass() {
        let host = host(Journal()) { _, context, shown in
            shown.child = Counter().ignoringOutput().rendered(in: context)
        }
        let before = host.rendering
        before.sink.send(.set(1))
        #expect(host.rendering.sink == before.sink)
        #expect(host.rendering.outputs == before.outputs)
        #expect(host.rendering.child?.sink == before.child?.sink)
        let other = self.host(Journal())
        #expect(other.rendering.sink != before.sink)
    }

    @Test func sinksMadeByContraMapAreEqualToTheirCopiesOnly() {
        let sink = host(Journal()).rendering.sink
        let mapped: Sink<Int> = sink.contraMap { .set($0) }
        let copy = mapped
        #expect(mapped == copy)
        #expect(mapped != sink.contraMap { .set($0) })
    }

    @Test func contraMapTurnsValuesIntoActions() {
        let host = host(Journal())
        let sink: Sink<Int> = host.rendering.sink.contraMap { .set($0) }
        sink.contraMap { (text: String) in text.count }.send("four")
        #expect(host.rendering.count == 4)
    }

    @Test func aSinkFromAClosureReceivesValuesAtOnce() {
        let received = Received()
        Sink<Int> { received.add($0) }.send(3)
        #expect(received.values == [3])
    }

    @Test func anOutputSinkEmitsAndLeavesTheState() {
        let journal = Journal()
        let host = host(journal)
        host.rendering.outputs.send("out")
        #expect(host.rendering.count == 0)
        #expect(journal.take() == ["output out"])
    }

    @Test func aSinkUsedDuringRenderIsQueuedAndReported() {
        let journal = Journal()
        let host = host(journal) { state, context, shown in
            if state == 0 {
                let outcome = shown.sink.send(.set(7))
                #expect(outcome.brief == "queued")
            }
        }
        #expect(host.rendering.count == 7)
        #expect(
            journal.take() == [
                """
                report: an action was sent to Inline while the tree was rendering; it is applied \
                after the pass, but a render must not send: use a side effect
                """
            ])
    }

    @Test func anActionForANodeThatHasEndedIsDroppedAndReported() throws {
        let journal = Journal()
        let host = host(journal) { state, context, shown in
            if state == 0 {
                shown.child = Counter().ignoringOutput().rendered(in: context, key: "c")
            }
        }
        let child = try #require(host.rendering.child)
        host.rendering.sink.send(.set(1))
        let outcome = child.sink.send(.add(1))
        #expect(outcome.brief == "dropped: nodeEnded")
        #expect(
            journal.take() == [
                "report: an action for Inline/Counter:c was dropped: that node has ended"
            ])
    }

    @Test func anActionAfterShutDownIsDropped() {
        let journal = Journal()
        let host = host(journal)
        let sink = host.rendering.sink
        host.shutDown()
        let outcome = sink.send(.set(1))
        #expect(outcome.brief == "dropped: hostShutDown")
        #expect(
            journal.take() == ["report: an action for Inline was dropped: its host has shut down"])
        #expect(host.rendering.count == 0)
    }

    @Test func aContextUsedAfterItsRenderDoesNothingAndIsReported() throws {
        let journal = Journal()
        var kept: RenderContext<Inline<Shown>>?
        let host = host(journal) { _, context, _ in kept = context }
        let context = try #require(kept)
        let late = Counter(start: 5).ignoringOutput().rendered(in: context)
        #expect(late.count == 5)
        context.runSideEffect(key: 1) { _ in journal.note("must not start") }
        context.fail(TestError("must not fail"))
        #expect(context.makeSink(of: Inline<Shown>.Action.self) == host.rendering.sink)
        #expect(context.makeOutputSink() == host.rendering.outputs)
        host.rendering.sink.send(.set(1))
        let message = """
            report: the render context of Inline was used after its render; \
            it is good for that call only
            """
        #expect(journal.take() == Array(repeating: message, count: 5))
        #expect(host.renderFailures.isEmpty)
    }
}

extension SinkTests {
    @Test func aContextMayOutliveItsHost() throws {
        var kept: [RenderContext<Inline<Sink<Inline<Void>.Action>>>] = []
        func run() {
            let host = WorkflowHost(
                workflow: Inline<Void> { _, context in
                    _ = Inline<Sink<Inline<Void>.Action>> { _, context in
                        kept.append(context)
                        return Sink { _ in }
                    }.ignoringOutput().rendered(in: context, key: "k")
                }, options: HostOptions(onReport: { _ in }))
            host.shutDown()
        }
        run()
        let context = try #require(kept.first)
        #expect(context.path.description == "Inline/Inline:k")
        #expect(Counter(start: 3).ignoringOutput().rendered(in: context).count == 3)
        context.runSideEffect(key: 1) { _ in Issue.record("must not start") }
        context.fail(TestError("nothing to fail"))
        let sink = context.makeSink(of: Inline<Sink<Inline<Void>.Action>>.Action.self)
        let outcome = sink.send(.set(1))
        #expect(outcome.brief == "dropped: hostShutDown")
    }
}

private final class Received: @unchecked Sendable {
    // The test uses it from one thread only.
    var values: [Int] = []
    func add(_ value: Int) { values.append(value) }
}
