import HTTPServing
import NIOCore
import PlainValue
import Synchronization
import WorkflowStore

/// Those who read what sessions tell, by the ids of these.
final class SessionReaders: Sendable {
    private struct State {
        var mailboxes: [String: [ObjectIdentifier: SessionMailbox]] = [:]
        var count = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let most: Int
    private let mostBytes: Int

    /// - Parameters:
    ///   - most: How many readers there may be at a time.
    ///   - mostBytes: How many bytes of outputs wait for a reader before it is let go.
    init(most: Int, mostBytes: Int = 1 << 20) {
        self.most = most
        self.mostBytes = mostBytes
    }

    /// How many there are.
    var count: Int { state.withLock(\.count) }

    /// Lets another one read.
    ///
    /// - Throws: A ``Problem`` if there are too many, or the service ends.
    func add(to id: String) throws(Problem) -> SessionMailbox {
        let mailbox = SessionMailbox(mostBytes: mostBytes)
        let hasRoom = state.withLock { state in
            guard !state.isClosed, state.count < most else { return false }
            state.count += 1
            state.mailboxes[id, default: [:]][ObjectIdentifier(mailbox)] = mailbox
            return true
        }
        guard hasRoom else {
            throw Problem(
                .serviceUnavailable, "busy", "There are too many streams",
                detail: "At most \(most) are open at a time.", retryAfter: 2)
        }
        return mailbox
    }

    /// Forgets a reader that has gone.
    func remove(_ mailbox: SessionMailbox, from id: String) {
        state.withLock { state in
            guard state.mailboxes[id]?.removeValue(forKey: ObjectIdentifier(mailbox)) != nil else {
                return
            }
            state.count -= 1
            if state.mailboxes[id]?.isEmpty == true { state.mailboxes[id] = nil }
        }
    }

    /// Tells the readers of a session what a change has brought; called when it is kept.
    func tell(_ news: SessionNews, of id: String) {
        let mailboxes = state.withLock { state in
            state.mailboxes[id].map { Array($0.values) } ?? []
        }
        guard !mailboxes.isEmpty else { return }
        let outputs = news.outputs.flatMap { $0.events(version: news.moment.version) }
        let rendering = news.moment.event(of: id)
        for mailbox in mailboxes {
            mailbox.add(outputs: outputs, rendering: rendering, version: news.moment.version)
        }
    }

    /// Ends the streams of a session.
    func close(_ id: String, _ reason: String) {
        let mailboxes = state.withLock { $0.mailboxes[id].map { Array($0.values) } ?? [] }
        for mailbox in mailboxes { mailbox.close(reason) }
    }

    /// Ends all streams, which are told so; no other begins.
    func close() {
        let mailboxes = state.withLock { state in
            state.isClosed = true
            return state.mailboxes.values.flatMap(\.values)
        }
        for mailbox in mailboxes { mailbox.close("closing") }
    }
}

extension SessionMoment {
    /// The event by which readers are told what the session shows.
    func event(of id: String) -> ByteBuffer {
        EventBytes.event(
            "rendering", id: EventPlace(step: step, version: version).description,
            document(of: id))
    }
}

extension SessionNews.StepOutputs {
    /// The events by which readers are told of the outputs.
    ///
    /// - Parameters:
    ///   - skipped: How many of them the reader has already.
    ///   - version: The version of the session that the reader is told of.
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
