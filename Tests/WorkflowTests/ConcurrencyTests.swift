import Testing
import Workflow

private struct Ledger: Workflow {
    struct Rendering {
        var entries: [Int]
        var sink: Sink<Entry>
    }

    struct Entry: WorkflowAction, Sendable {
        var value: Int
        func apply(toState state: inout [Int], context: ApplyContext<Ledger>) -> Int? {
            state.append(value)
            return value
        }
    }

    typealias Output = Int

    func makeInitialState() -> [Int] { [] }

    func render(state: [Int], context: RenderContext<Ledger>) -> Rendering {
        Rendering(entries: state, sink: context.makeSink(of: Entry.self))
    }
}

private actor Bank {
    private var host: WorkflowHost<Ledger>?
    private(set) var told: [Int] = []

    func open() -> Sink<Ledger.Entry>? {
        let host = WorkflowHost(workflow: Ledger())
        host.onOutput = { [unowned self] value in assumeIsolated { $0.told.append(value) } }
        self.host = host
        return host.rendering.sink
    }

    func firstOutputs(_ count: Int) async -> [Int] {
        guard let host else { return [] }
        var outputs = host.outputs.makeAsyncIterator()
        while told.count < count, await outputs.next(isolation: self) != nil {}
        return told
    }

    func entries() -> [Int] {
        host?.settle()
        return host?.rendering.entries ?? []
    }

    func close() { host?.shutDown() }

    func release() { host = nil }
}

@Suite struct ConcurrencyTests {
    @Test func eightThreadsLoseNothingAndKeepTheirOrder() async throws {
        let bank = Bank()
        let sink = try #require(await bank.open())
        let each = 1000
        await withTaskGroup(of: Void.self) { group in
            for sender in 0..<8 {
                group.addTask {
                    for number in 0..<each { sink.send(.init(value: sender * 1_000_000 + number)) }
                }
            }
        }
        let entries = await bank.entries()
        #expect(entries.count == 8 * each)
        for sender in 0..<8 {
            let own = entries.filter { $0 / 1_000_000 == sender }
            #expect(own == own.sorted())
        }
        // The host reported the values in the order in which it applied them.
        #expect(await bank.told == entries)
    }

    @Test func anOwnerIsWokenByWhatOthersSend() async throws {
        let bank = Bank()
        let sink = try #require(await bank.open())
        async let told = bank.firstOutputs(2)
        await Task.yield()
        sink.send(.init(value: 1))
        sink.send(.init(value: 2))
        sink.send(.init(value: 3))
        // The third may or may not come in time.
        #expect(await told.prefix(2) == [1, 2])
    }

    @Test func whatComesAfterTheEndIsDroppedFromAnywhere() async throws {
        let bank = Bank()
        let sink = try #require(await bank.open())
        await bank.close()
        let outcome = sink.send(.init(value: 1))
        #expect(outcome.brief == "dropped: hostShutDown")
        #expect(await bank.entries() == [])
    }

    @Test func aHostReleasedByItsOwnerEndsAtOnce() async throws {
        let bank = Bank()
        let sink = try #require(await bank.open())
        await bank.release()
        let outcome = sink.send(.init(value: 1))
        #expect(outcome.brief == "dropped: hostShutDown")
    }
}
