import HTTPServing
import NIOCore
import PlainValue
import Synchronization
import WorkflowStore

/// The readers of sessions, by session id.
final class SessionReaders: Sendable {
    private struct State {
        var mailboxes: [String: [ObjectIdentifier: Reader]] = [:]
        var shares: StreamShares
        var isClosed = false
    }

    private struct Reader {
        let mailbox: SessionMailbox
        let client: StreamShares.Client
    }

    /// How many readers are woken before others get a turn.
    private static let wokenAtATime = 16

    private let state: Mutex<State>
    private let mostBytes: Int
    /// The mailboxes whose readers are to be woken. Each is there at most once.
    private let calls: AsyncStream<[SessionMailbox]>.Continuation

    /// - Parameters:
    ///   - most: The most readers at a time.
    ///   - mostBytes: The most bytes of outputs that wait for a reader.
    init(most: Int, mostBytes: Int = 1 << 20) {
        state = Mutex(State(shares: StreamShares(most: most)))
        self.mostBytes = mostBytes
        let (called, calls) = AsyncStream<[SessionMailbox]>.makeStream()
        self.calls = calls
        // The threads are shared with the request that changed the session, which is answered meanwhile.
        Task {
            for await mailboxes in called {
                for (number, mailbox) in mailboxes.enumerated() {
                    if number % Self.wokenAtATime == 0 { await Task.yield() }
                    mailbox.wake()
                }
            }
        }
    }

    deinit { calls.finish() }

    var count: Int { state.withLock(\.shares.count) }

    /// Adds a reader.
    ///
    /// - Parameter client: Whose stream it is.
    /// - Throws: A ``Problem`` if there are too many or the service ends.
    func add(to id: String, for client: StreamShares.Client) throws(Problem) -> SessionMailbox {
        let mailbox = SessionMailbox(mostBytes: mostBytes)
        try state.withLock { state throws(Problem) in
            guard !state.isClosed else { throw .ends }
            try state.shares.add(client)
            state.mailboxes[id, default: [:]][ObjectIdentifier(mailbox)] = Reader(
                mailbox: mailbox, client: client)
        }
        return mailbox
    }

    func remove(_ mailbox: SessionMailbox, from id: String) {
        state.withLock { state in
            let reader = state.mailboxes[id]?.removeValue(forKey: ObjectIdentifier(mailbox))
            guard let reader else { return }
            state.shares.remove(reader.client)
            if state.mailboxes[id]?.isEmpty == true { state.mailboxes[id] = nil }
        }
    }

    /// Sends the events of a stored change to the session's readers.
    func tell(_ news: SessionNews, of id: String) {
        let mailboxes = state.withLock { state in
            state.mailboxes[id].map { $0.values.map(\.mailbox) } ?? []
        }
        guard !mailboxes.isEmpty else { return }
        let outputs = news.outputs.flatMap { $0.events(version: news.moment.version) }
        let rendering = news.moment.event(of: id)
        let waiting = mailboxes.filter {
            $0.add(outputs: outputs, rendering: rendering, version: news.moment.version)
        }
        if !waiting.isEmpty { calls.yield(waiting) }
    }

    /// Ends the streams of a session.
    func close(_ id: String, _ reason: String) {
        let mailboxes = state.withLock { $0.mailboxes[id].map { $0.values.map(\.mailbox) } ?? [] }
        for mailbox in mailboxes { mailbox.close(reason) }
    }

    /// Ends all streams and adds no more.
    func close() {
        let mailboxes = state.withLock { state in
            state.isClosed = true
            return state.mailboxes.values.flatMap { $0.values.map(\.mailbox) }
        }
        for mailbox in mailboxes { mailbox.close("closing") }
    }
}

extension Principal {
    /// The principal as a client that opens streams. Whoever may look at all sessions is an owner.
    var streamClient: StreamShares.Client {
        StreamShares.Client(name: name, isOwner: scopes.contains(.inspect))
    }
}

extension SessionMoment {
    /// The event with the session's state.
    func event(of id: String) -> ByteBuffer {
        EventBytes.event(
            "rendering", id: EventPlace(step: step, version: version).description,
            document(of: id))
    }
}

extension SessionNews.StepOutputs {
    /// The events of the outputs.
    ///
    /// - Parameters:
    ///   - skipped: The number of outputs that the reader has already.
    ///   - version: The session's version for the event ids.
    func events(after skipped: Int = 0, version: Int) -> [ByteBuffer] {
        outputs.enumerated().dropFirst(skipped).map { index, output in
            EventBytes.event(
                "output",
                id: EventPlace(step: step - 1, outputCount: index + 1, version: version)
                    .description,
                ["step": .int(step), "output": output])
        }
    }
}
