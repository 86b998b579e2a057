import HTTPServing
import NIOCore
import Synchronization

/// The waiting events for one reader of a session.
///
/// A newer rendering replaces a waiting one. Outputs wait up to a limit. A reader that is further
/// behind is dropped: it comes back with its last event id and gets the rest from the log.
final class SessionMailbox: Sendable {
    enum Item: Sendable {
        case event(ByteBuffer, EventPlace)
        /// Another service changed the session: the reader gets what it lacks by other means.
        case behind
        /// A sign of life while there are no events.
        case heartbeat
        /// The last item, with a reason.
        case end(String)
    }

    /// An event, and the reader's position after it.
    typealias Entry = (place: EventPlace, event: ByteBuffer)

    private struct State {
        var outputs: ArraySlice<Entry> = []
        var outputBytes = 0
        var rendering: Entry?
        /// The reader gets the events up to this version by other means.
        var known = 0
        /// The latest version that it was told of in one way or the other; 0 before the first.
        var told = 0
        var isBehind = false
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
                assert(outputBytes >= 0 && (!outputs.isEmpty || outputBytes == 0))
                return .event(output.event, output.place)
            }
            if let rendering {
                self.rendering = nil
                return .event(rendering.event, rendering.place)
            }
            if isBehind, end == nil {
                isBehind = false
                return .behind
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
            state.told = max(state.told, version)
            state.outputs.removeAll { $0.place.version ?? 0 <= version }
            state.outputBytes = state.outputs.reduce(0) { $0 + $1.event.readableBytes }
            if let rendering = state.rendering, rendering.place.version ?? 0 <= version {
                state.rendering = nil
            }
        }
    }

    /// Adds the outputs of a step, then its rendering. Returns true if a reader waits for
    /// ``wake()``.
    func add(outputs: [Entry], rendering: Entry?, version: Int) -> Bool {
        state.withLock { state in
            guard state.end == nil, version > state.known else { return false }
            state.told = max(state.told, version)
            state.outputs += outputs
            state.outputBytes += outputs.reduce(0) { $0 + $1.event.readableBytes }
            if let rendering { state.rendering = rendering }
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

    /// The latest version that the reader was told of; `nil` before the first.
    var told: Int? { state.withLock { $0.told > 0 ? $0.told : nil } }

    /// Has the reader look what it lacks.
    func fallBehind() { change { $0.isBehind = true } }

    /// Sends a heartbeat if nothing else waits.
    func beat() { change { $0.isBeating = true } }

    /// Ends after the waiting events, with a reason; at once for a reader that may no longer read.
    func close(_ reason: String) {
        change { state in
            if reason == StreamEnd.notGranted { state.removeAll() }
            state.end = state.end ?? reason
        }
    }

    var isClosed: Bool { state.withLock { $0.end != nil } }

    /// The next item. Only one task may wait at a time.
    func next() async -> Item {
        await withCheckedContinuation { continuation in
            let item = state.withLock { state -> Item? in
                if let item = state.takeItem() { return item }
                assert(state.waiter == nil)
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
