import HTTPServing
import NIOCore
import PlainValue
import Synchronization
import WorkflowKit
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
        /// The principal that the flow may refuse; `nil` for the service itself.
        let principal: Principal?
    }

    /// The number of readers that are woken before others get a turn.
    private static let wokenAtATime = 16

    private let state: Mutex<State>
    private let mostBytes: Int
    /// The mailboxes whose readers are to be woken. Each is there at most once.
    private let calls: AsyncStream<[SessionMailbox]>.Continuation

    /// - Parameter mostBytes: The most bytes of outputs that wait for a reader.
    init(most: Int, mostBytes: Int = 1 << 20) {
        state = Mutex(State(shares: StreamShares(most: most)))
        self.mostBytes = mostBytes
        let (called, calls) = AsyncStream<[SessionMailbox]>.makeStream()
        self.calls = calls
        // The request that changed the session is answered meanwhile, on the same threads.
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

    /// - Throws: A ``Problem`` if there are too many or the service ends.
    func add(
        to id: String, for client: StreamShares.Client, of principal: Principal? = nil
    ) throws(Problem) -> SessionMailbox {
        let mailbox = SessionMailbox(mostBytes: mostBytes)
        try state.withLock { state throws(Problem) in
            guard !state.isClosed else { throw .ends }
            try state.shares.add(client)
            state.mailboxes[id, default: [:]][ObjectIdentifier(mailbox)] = Reader(
                mailbox: mailbox, client: client, principal: principal)
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

    func areThere(of id: String) -> Bool { state.withLock { $0.mailboxes[id] != nil } }

    func principals(of id: String) -> Set<Principal> {
        state.withLock { Set($0.mailboxes[id]?.values.compactMap(\.principal) ?? []) }
    }

    /// Sends readers the events of stored changes: all outputs, and the last rendering.
    ///
    /// - Parameter verdicts: True for each principal that may still follow the session; `nil` if
    ///   all may. The streams of the others end. A reader without a verdict was added since, and
    ///   gets the changes by other means.
    func tell(_ news: [SessionNews], of id: String, _ verdicts: [Principal: Bool]? = nil) {
        let readers = state.withLock { $0.mailboxes[id].map { Array($0.values) } ?? [] }
        guard let last = news.last, !readers.isEmpty else { return }
        let rendering = (last.moment.place, last.moment.event(of: id))
        let steps = news.map { news in
            let version = news.moment.version
            return (
                outputs: news.outputs.flatMap { $0.events(version: version) },
                rendering: version == last.moment.version ? rendering : nil, version: version
            )
        }
        var waiting: [SessionMailbox] = []
        for reader in readers {
            if let verdicts, let principal = reader.principal, verdicts[principal] != true {
                if verdicts[principal] == false { reader.mailbox.close(StreamEnd.notGranted) }
                continue
            }
            for (outputs, rendering, version) in steps
            where reader.mailbox.add(outputs: outputs, rendering: rendering, version: version) {
                waiting.append(reader.mailbox)
            }
        }
        if !waiting.isEmpty { calls.yield(waiting) }
    }

    /// The versions that readers of sessions know, by session: of several the earliest.
    var told: [String: Int] {
        state.withLock(\.mailboxes).compactMapValues { $0.values.compactMap(\.mailbox.told).min() }
    }

    /// Has the readers of a session look what they lack.
    func fallBehind(on id: String) {
        let mailboxes = state.withLock { $0.mailboxes[id].map { $0.values.map(\.mailbox) } ?? [] }
        for mailbox in mailboxes { mailbox.fallBehind() }
    }

    func close(_ id: String, _ reason: String) {
        let mailboxes = state.withLock { $0.mailboxes[id].map { $0.values.map(\.mailbox) } ?? [] }
        for mailbox in mailboxes { mailbox.close(reason) }
    }

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
        StreamShares.Client(name: name, isOwner: has(.inspect))
    }
}

extension SessionMoment {
    /// The position of a reader who has seen it.
    var place: EventPlace { EventPlace(step: step, version: version) }

    /// The event with the session's state.
    func event(of id: String) -> ByteBuffer {
        EventBytes.event("rendering", id: place.description, document(of: id))
    }
}

extension SessionNews.StepOutputs {
    /// - Parameter skipped: The number of outputs that the reader has already.
    func events(after skipped: Int = 0, version: Int) -> [SessionMailbox.Entry] {
        outputs.enumerated().dropFirst(skipped).map { index, output in
            let place = EventPlace(step: step - 1, outputCount: index + 1, version: version)
            return (
                place,
                EventBytes.event(
                    "output", id: place.description, ["step": .int(step), "output": output])
            )
        }
    }
}
