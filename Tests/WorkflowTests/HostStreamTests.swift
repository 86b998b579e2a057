import Testing
import Workflow

/// A rendering that must not leave its isolation.
private final class Page {
    let number: Int
    let sink: Sink<Inline<Page>.Action>
    init(number: Int, sink: Sink<Inline<Page>.Action>) {
        self.number = number
        self.sink = sink
    }
}

@MainActor @Suite struct HostStreamTests {
    private func makeHost() -> WorkflowHost<Inline<Page>> {
        WorkflowHost(
            workflow: Inline { state, context in
                Page(number: state, sink: context.makeSink(of: Inline<Page>.Action.self))
            })
    }

    @Test func renderingsBeginWithTheCurrentOneAndKeepTheLatest() async {
        let host = makeHost()
        host.rendering.sink.send(.set(1))
        var pages = host.renderings.makeAsyncIterator()
        #expect(await pages.next(isolation: #isolation)?.number == 1)
        host.rendering.sink.send(.set(2))
        host.rendering.sink.send(.set(3))
        #expect(await pages.next(isolation: #isolation)?.number == 3)
        host.shutDown()
        #expect(await pages.next(isolation: #isolation) == nil)
    }

    @Test func outputsAreAllKeptForEachReader() async {
        let host = makeHost()
        let first = host.outputs
        host.rendering.sink.send(.emit("a"))
        let second = host.outputs
        for text in ["b", "c"] { host.rendering.sink.send(.emit(text)) }
        host.shutDown()
        var texts: [String] = []
        for await text in first { texts.append(text) }
        for await text in second { texts.append(text) }
        #expect(texts == ["a", "b", "c", "b", "c"])
    }

    @Test func aRenderingReachesItsStreamBeforeTheOutputsOfItsActionReachTheirs() async {
        let host = makeHost()
        var pages = host.renderings.makeAsyncIterator()
        var outputs = host.outputs.makeAsyncIterator()
        _ = await pages.next(isolation: #isolation)
        let reader = Task {
            let output = await outputs.next(isolation: #isolation)
            let page = await pages.next(isolation: #isolation)
            return "\(output ?? "none") at \(page?.number ?? -1)"
        }
        host.rendering.sink.send(.setAndEmit(4, "x"))
        #expect(await reader.value == "x at 4")
    }

    @Test func streamsAndCallbacksServeSeveralListenersAtOnce() async {
        let host = makeHost()
        let journal = Journal()
        host.onRendering = { journal.note("callback \($0.number)") }
        var readers = [host.renderings.makeAsyncIterator(), host.renderings.makeAsyncIterator()]
        host.rendering.sink.send(.set(7))
        for index in readers.indices {
            let page = await readers[index].next(isolation: #isolation)
            journal.note("stream \(page?.number ?? -1)")
        }
        #expect(journal.take() == ["callback 7", "stream 7", "stream 7"])
    }

    @Test func aStreamTakenAfterTheEndGivesTheLastRenderingAndEnds() async {
        let host = makeHost()
        host.rendering.sink.send(.set(2))
        host.shutDown()
        var numbers: [Int] = []
        for await page in host.renderings { numbers.append(page.number) }
        #expect(numbers == [2])
    }

    @Test func aReaderThatIsCancelledEnds() async {
        let host = makeHost()
        let reader = Task {
            var count = 0
            for await _ in host.renderings { count += 1 }
            return count
        }
        reader.cancel()
        #expect(await reader.value <= 1)
    }
}
