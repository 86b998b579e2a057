import Testing
import Workflow

/// Emits an output as soon as its side effect starts, which is before its host is made.
private struct Hasty: Workflow {
    typealias Output = String

    func render(state: Void, context: RenderContext<Hasty>) {
        let sink = context.makeOutputSink()
        context.runSideEffect(key: "hello") { _ in sink.send("early") }
    }
}

@Suite struct EarlyOutputTests {
    @Test func theFirstListenerGetsTheOutputsThatWereEmittedBeforeIt() {
        let host = WorkflowHost(workflow: Hasty())
        var heard: [String] = []
        host.onOutput = { heard.append($0) }
        #expect(heard == ["early"])
        host.onOutput = { heard.append("again: " + $0) }
        #expect(heard == ["early"])
    }

    @Test func theFirstStreamOfOutputsBeginsWithWhatWasEmittedEarly() async {
        let host = WorkflowHost(workflow: Hasty())
        var outputs = host.outputs.makeAsyncIterator()
        #expect(await outputs.next() == "early")
        host.shutDown()
        #expect(await outputs.next() == nil)
    }
}
