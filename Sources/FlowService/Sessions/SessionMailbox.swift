import HTTPServing
import NIOCore
import Synchronization

/// The waiting events for one reader of a session.
///
/// A newer rendering replaces a waiting one. Outputs wait up to a limit. A reader that is further behind is
/// dropped: it comes back with its last event id and gets the rest from the log.
final class SessionMailbox: Sendable {
    enum Item: Sendable {
        case event(ByteBuffer)
        /// A sign of life while there are no events.
        case heartbeat
        /// The last item, with a reason.
        case end(String)
    }

    /// An event, and the version of the session that caused it.
    private typealias Entry = (version: Int, event: ByteBuffer)

    private struct State {
        var outputs: ArraySlice<Entry> = []
        var outputBytes = 0
        var rendering: Entry?
        /// The reader gets the events up to this version by other means.
        var known = 0
        var isBeating = false
        var end: String?
        var waiter: CheckedContinuation<Item, Never>?
        /// True from ``add(outputs:rendering:version:)`` on until ``wake()``.
        var isCalled = false

        mutating func removeAll() {
            outputs = []
            outputBytes = 0
            rendering = nil
        }

        mutating func takeItem() -> Item? {
            if let output = outputs.popFirst() {
                outputBytes -= output.event.readableBytes
                return .event(output.event)
            }
            if let rendering {
                self.rendering = nil
                return .event(rendering.event)
            }
            if let end { return .end(end) }
            if isBeating {
                isBeating = false
                return .heartbeat
            }
            return nil
        }
    }

    private let state = Mutex(State())
    private let mostBytes: Int

    init(mostBytes: Int) { self.mostBytes = mostBytes }

    /// Drops the events up to a version, because the reader gets them by other means.
    func leaveOut(through version: Int) {
        change { state in
            state.known = version
            state.outputs.removeAll { $0.version <= version }
            state.outputBytes = state.outputs.reduce(0) { $0 + $1.event.readableBytes }
            if let rendering = state.rendering, rendering.version <= version {
                state.rendering = nil
            }
        }
    }

    /// Adds the events of a step: its outputs, then its rendering, if that is to be sent.
    ///
    /// - Returns: True if a reader waits for them, whom ``wake()`` is to give them.
    func add(outputs: [ByteBuffer], rendering: ByteBuffer?, version: Int) -> Bool {
        state.withLock { state in
            guard state.end == nil, version > state.known else { return false }
            state.outputs += outputs.map { (version, $0) }
            state.outputBytes += outputs.reduce(0) { $0 + $1.readableBytes }
            if let rendering { state.rendering = (version, rendering) }
            if state.outputBytes > mostBytes {
                state.removeAll()
                state.end = "slow"
            }
            guard state.waiter != nil, !state.isCalled else { return false }
            state.isCalled = true
            return true
        }
    }

    /// Gives the waiting reader what was added.
    func wake() { change { $0.isCalled = false } }

    /// Sends a heartbeat if nothing else waits.
    func beat() { change { $0.isBeating = true } }

    /// Ends after the waiting events, with a reason; at once for a reader that may no longer read.
    func close(_ reason: String) {
        change { state in
            if reason == StreamEnd.notGranted { state.removeAll() }
            state.end = state.end ?? reason
        }
    }

    /// True after the end.
    var isClosed: Bool { state.withLock { $0.end != nil } }

    /// The next item. Only one task may wait at a time.
    func next() async -> Item {
        await withCheckedContinuation { continuation in
            let item = state.withLock { state -> Item? in
                if let item = state.takeItem() { return item }
                state.waiter = continuation
                return nil
            }
            if let item { continuation.resume(returning: item) }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let (waiter, item) = state.withLock { state in
            body(&state)
            guard let waiter = state.waiter, let item = state.takeItem() else {
                return (CheckedContinuation<Item, Never>?.none, Item?.none)
            }
            state.waiter = nil
            return (waiter, item)
        }
        if let waiter, let item { waiter.resume(returning: item) }
    }
}
