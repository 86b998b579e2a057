import HTTPServing
import Synchronization

/// The streams of the pages that are open, by their names.
final class Streams: Sendable {
    /// A stream that is open.
    struct Entry: Sendable {
        let connection: SessionConnection
        let access: Access
        /// Whether it tells of a fork of the session.
        let isFork: Bool
    }

    private struct State {
        var open: [String: Entry] = [:]
        /// The streams that are about to be opened.
        var expected = 0
        /// Why no other is opened.
        var end: String?
    }

    private let state = Mutex(State())
    private let most: Int

    private let onLeave: @Sendable () -> Void

    init(most: Int, onLeave: @escaping @Sendable () -> Void) {
        self.most = most
        self.onLeave = onLeave
    }

    /// How many there are, with those that are about to be opened.
    var count: Int { state.withLock { $0.open.count + $0.expected } }

    /// Keeps a place for a stream, which `add` or `giveUp` takes.
    func expect() throws(Problem) {
        let hasRoom = state.withLock { state in
            guard state.end == nil, state.open.count + state.expected < most else { return false }
            state.expected += 1
            return true
        }
        guard hasRoom else {
            throw Problem(
                .serviceUnavailable, "busy", "Too many pages show the session",
                detail: "Close one of them.", retryAfter: 2)
        }
    }

    /// Gives a place back.
    func giveUp() { state.withLock { $0.expected -= 1 } }

    /// Adds a stream, which is open for as long as its place is there.
    func add(_ connection: SessionConnection, of access: Access, isFork: Bool) -> StreamPlace {
        let name = SecretText.random()
        let end = state.withLock { state in
            state.expected -= 1
            state.open[name] = Entry(connection: connection, access: access, isFork: isFork)
            return state.end
        }
        if let end { connection.close(end) }
        return StreamPlace(name: name, connection: connection) { [weak self] in
            self?.remove(name)
        }
    }

    /// A stream, for those who opened it.
    func stream(_ name: String, for access: Access) throws(Problem) -> Entry {
        let entry = state.withLock { $0.open[name] }
        guard let entry, entry.access == access else {
            throw Problem(
                .notFound, "gone", "The stream is gone", detail: "Open another one at /stream.")
        }
        return entry
    }

    private func remove(_ name: String) {
        _ = state.withLock { $0.open.removeValue(forKey: name) }
        onLeave()
    }

    /// Ends all streams, which are told the reason; no other is opened.
    func close(_ reason: String) {
        let entries = state.withLock { state in
            state.end = state.end ?? reason
            return state.open.values
        }
        for entry in entries { entry.connection.close(reason) }
    }

    /// Waits until all are told of their end, and not longer than a while.
    func untilEmpty(within patience: Duration) async {
        let end = ContinuousClock.now + patience
        while !state.withLock(\.open.isEmpty), ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(5))
        }
    }
}

/// A stream's place among those that are open; it is given back, and the connection ended, when nobody has it any more.
final class StreamPlace: Sendable {
    /// The name of the stream, which nobody can guess.
    let name: String
    let connection: SessionConnection
    private let leave: @Sendable () -> Void

    init(
        name: String, connection: SessionConnection, leave: @escaping @Sendable () -> Void
    ) {
        self.name = name
        self.connection = connection
        self.leave = leave
    }

    deinit {
        leave()
        connection.close("gone")
    }
}
