import Synchronization

/// The streams of the pages that are open, by their names.
final class Streams: Sendable {
    private struct State {
        var open: [String: (connection: SessionConnection, access: Access)] = [:]
        /// The streams that are about to be opened.
        var expected = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let most: Int

    init(most: Int) { self.most = most }

    /// Keeps a place for a stream, which `add` or `giveUp` takes.
    func expect() throws(Problem) {
        let hasRoom = state.withLock { state in
            guard !state.isClosed, state.open.count + state.expected < most else { return false }
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

    /// Adds a stream; gives its name, which nobody can guess.
    func add(_ connection: SessionConnection, of access: Access) -> String {
        let name = AccessTokens.random()
        let isClosed = state.withLock { state in
            state.expected -= 1
            state.open[name] = (connection, access)
            return state.isClosed
        }
        if isClosed { connection.close("closed") }
        return name
    }

    /// The connection of a stream, for those who opened it.
    func connection(of name: String, for access: Access) throws(Problem) -> SessionConnection {
        let stream = state.withLock { $0.open[name] }
        guard let stream, stream.access == access else {
            throw Problem(
                .notFound, "gone", "The stream is gone", detail: "Open another one at /stream.")
        }
        return stream.connection
    }

    /// Forgets a stream and ends its connection.
    func remove(_ name: String) {
        state.withLock { $0.open.removeValue(forKey: name) }?.connection.close("gone")
    }

    /// Ends all streams, which are told so; no other is opened.
    func close() {
        let streams = state.withLock { state in
            state.isClosed = true
            return state.open.values
        }
        for stream in streams { stream.connection.close("closed") }
    }

    /// Waits until all are told of their end, and not longer than a while.
    func untilEmpty(within patience: Duration) async {
        let end = ContinuousClock.now + patience
        while !state.withLock(\.open.isEmpty), ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(5))
        }
    }
}
