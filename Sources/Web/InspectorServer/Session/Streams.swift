import HTTPServing
import Synchronization
import Timers

/// The open streams of pages, by name.
final class Streams: Sendable {
    struct Entry: Sendable {
        let connection: SessionConnection
        let access: Access
        let isFork: Bool
        /// The reason why its page may not see more; `nil` if it may.
        let refusal: @Sendable () async -> String?
    }

    private struct State {
        var open: [String: Entry] = [:]
        /// The streams, including those being opened.
        var shares: StreamShares
        /// The reason why no more streams are opened.
        var end: String?
    }

    private let state: Mutex<State>
    private let onLeave: @Sendable () -> Void

    init(most: Int, onLeave: @escaping @Sendable () -> Void) {
        state = Mutex(State(shares: StreamShares(most: most)))
        self.onLeave = onLeave
    }

    var count: Int { state.withLock(\.shares.count) }

    /// Reserves a place for a stream of a client; `add` or `giveUp` must follow.
    func expect(_ access: Access) throws(Problem) {
        try state.withLock { state throws(Problem) in
            guard state.end == nil else {
                throw Problem(
                    .serviceUnavailable, "busy", "Session ending",
                    detail: "Open another one.", retryAfter: 2)
            }
            try state.shares.add(access.streamClient)
        }
    }

    func giveUp(_ access: Access) { state.withLock { $0.shares.remove(access.streamClient) } }

    /// Adds a stream, which stays open while its place is held.
    func add(
        _ connection: SessionConnection, of access: Access, isFork: Bool,
        unless refusal: @escaping @Sendable () async -> String?
    ) -> StreamPlace {
        let name = SecretText.random()
        let end = state.withLock { state in
            state.open[name] = Entry(
                connection: connection, access: access, isFork: isFork, refusal: refusal)
            return state.end
        }
        if let end { connection.close(end) }
        return StreamPlace(name: name, connection: connection) { [weak self] in
            self?.remove(name)
        }
    }

    func stream(_ name: String, for access: Access) throws(Problem) -> Entry {
        let entry = state.withLock { $0.open[name] }
        guard let entry, entry.access == access else {
            throw Problem(
                .notFound, "gone", "No such stream", detail: "Open another one at /stream.")
        }
        return entry
    }

    func endRefused() async {
        for entry in state.withLock({ Array($0.open.values) }) {
            if let reason = await entry.refusal() { entry.connection.close(reason) }
        }
    }

    private func remove(_ name: String) {
        state.withLock { state in
            guard let entry = state.open.removeValue(forKey: name) else { return }
            state.shares.remove(entry.access.streamClient)
        }
        onLeave()
    }

    func close(_ reason: String) {
        let entries = state.withLock { state in
            state.end = state.end ?? reason
            return state.open.values
        }
        for entry in entries { entry.connection.close(reason) }
    }

    /// Waits until all streams have ended, but not longer than a limit.
    func untilEmpty(within patience: Duration) async {
        let end = ContinuousClock.now + patience
        while !state.withLock(\.open.isEmpty), ContinuousClock.now < end {
            // Cancelled, it asks without a pause; the limit still holds.
            try? await TimerClock().sleep(for: .milliseconds(5))
        }
    }
}

extension Access {
    fileprivate var streamClient: StreamShares.Client {
        StreamShares.Client(name: token, isOwner: isOwner)
    }
}

/// Holds a stream open. When it is released, the stream and its connection end.
final class StreamPlace: Sendable {
    /// The unguessable name of the stream.
    let name: String
    let connection: SessionConnection
    private let leave: @Sendable () -> Void

    init(name: String, connection: SessionConnection, leave: @escaping @Sendable () -> Void) {
        self.name = name
        self.connection = connection
        self.leave = leave
    }

    deinit {
        leave()
        connection.close("gone")
    }
}
