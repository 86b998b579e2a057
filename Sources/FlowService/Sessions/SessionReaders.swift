import HTTPServing
import NIOCore
import PlainValue
import Synchronization
import WorkflowStore

/// The readers of sessions, by session id.
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
    ///   - most: The most readers at a time.
    ///   - mostBytes: The most bytes of outputs that wait for a reader.
    init(most: Int, mostBytes: Int = 1 << 20) {
        self.most = most
        self.mostBytes = mostBytes
    }

    var count: Int { state.withLock(\.count) }

    /// Adds a reader.
    ///
    /// - Throws: A ``Problem`` if there are too many or the service ends.
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

    func remove(_ mailbox: SessionMailbox, from id: String) {
        state.withLock { state in
            guard state.mailboxes[id]?.removeValue(forKey: ObjectIdentifier(mailbox)) != nil else {
                return
            }
            state.count -= 1
            if state.mailboxes[id]?.isEmpty == true { state.mailboxes[id] = nil }
        }
    }

    /// Sends the events of a stored change to the session's readers.
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

    /// Ends all streams and adds no more.
    func close() {
        let mailboxes = state.withLock { state in
            state.isClosed = true
            return state.mailboxes.values.flatMap(\.values)
        }
        for mailbox in mailboxes { mailbox.close("closing") }
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
