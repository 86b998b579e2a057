import Testing
import Workflow

private struct Fragile: Workflow {
    let journal: Journal
    var failure: String?

    func makeInitialState() -> Int { 0 }

    func render(state: Int, context: RenderContext<Fragile>) -> String {
        context.runSideEffect(key: "fragile \(failure ?? "")") { lifetime in
            journal.note("began \(failure ?? "good")")
            nonisolated(unsafe) let journal = journal
            lifetime.onEnded { [failure] in journal.note("ended \(failure ?? "good")") }
        }
        if let failure { context.fail(TestError(failure)) }
        return failure ?? "good"
    }
}

private struct Shown {
    var text: String
    var count: Int
    var own: Sink<Inline<Shown>.Action>
    var counter: Sink<Counter.Action>
}

@Suite struct RenderFailureTests {
    /// State 0 is good; 1 fails in the child; 2 in the root, which also drops and adds children.
    private func host(_ journal: Journal) -> WorkflowHost<Inline<Shown>> {
        let host = WorkflowHost(
            workflow: Inline<Shown> { state, context in
                let counter = Counter().rendered(in: context, key: "kept") {
                    Inline<Shown>.Action.emit($0)
                }
                var text = "none"
                if state != 2 {
                    text = Fragile(journal: journal, failure: state == 1 ? "broken" : nil)
                        .rendered(in: context)
                }
                if state == 2 {
                    _ = Fragile(journal: journal).rendered(in: context, key: "new")
                    context.fail(TestError("root"))
                }
                return Shown(
                    text: text, count: counter.count,
                    own: context.makeSink(of: Inline<Shown>.Action.self), counter: counter.sink)
            }, options: journal.options())
        host.onRendering = { journal.note("rendered \($0.text) \($0.count)") }
        host.onOutput = { journal.note("output \($0)") }
        return host
    }

    @Test(arguments: [1, 2])
    func aFailedPassKeepsTheRenderingChildrenAndEffectsOfTheLastGoodOne(state: Int) throws {
        let journal = Journal()
        let host = host(journal)
        #expect(journal.take() == ["began good"])
        let outcome = host.rendering.own.send(.set(state))
        let failure = try #require(outcome.failure)
        #expect(failure.phase == .render)
        let message =
            state == 1 ? "Inline/Fragile failed to render: broken" : "Inline failed to render: root"
        #expect(failure.description == message)
        #expect(host.renderFailures.map(\.description) == [message])
        #expect(host.rendering.text == "good")
        #expect(journal.take() == ["report: \(message)"])

        // A child that did not fail still accepts actions; the pass fails again.
        host.rendering.counter.send(.add(1))
        #expect(host.rendering.count == 0)
        #expect(journal.take() == ["report: \(message)"])

        // The next action repairs it, and nothing was lost.
        host.rendering.own.send(.set(0))
        #expect(host.renderFailures.isEmpty)
        #expect(journal.take() == ["rendered good 1"])
        #expect(host.rendering.count == 1)
    }

    @Test func theOutputsOfAnActionWhosePassFailedAreStillDelivered() {
        let journal = Journal()
        let host = host(journal)
        _ = journal.take()
        host.rendering.own.send(.setAndEmit(1, "told"))
        #expect(
            journal.take() == ["report: Inline/Fragile failed to render: broken", "output told"])
    }

    @Test func aFirstPassThatFailsShowsWhatRenderReturnedAndSaysSo() {
        let journal = Journal()
        let host = WorkflowHost(
            workflow: Fragile(journal: journal, failure: "early"), options: journal.options())
        #expect(host.rendering == "early")
        #expect(host.renderFailures.map(\.description) == ["Fragile failed to render: early"])
        #expect(journal.take() == ["report: Fragile failed to render: early"])
        host.update(workflow: Fragile(journal: journal))
        #expect(host.rendering == "good")
        #expect(journal.take() == ["began good"])
    }
}
