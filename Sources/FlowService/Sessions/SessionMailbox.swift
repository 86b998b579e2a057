import NIOCore
import Synchronization

/// What one reader of a session is still to be told.
///
/// Renderings that the reader has not taken are replaced by newer ones; outputs are kept, up to a bound. A reader that is
/// further behind is let go: it comes back, says what it was told last, and gets the rest from the log.
final class SessionMailbox: Sendable {
    /// What a reader is told.
    enum Item: Sendable {
        case event(ByteBuffer)
        /// A sign of life, since there was nothing to tell for a while.
        case heartbeat
        /// The last one, with its reason.
        case end(String)
    }

    /// An event, and the version of the session that has brought it.
    private typealias Entry = (version: Int, event: ByteBuffer)

    private struct State {
        var outputs: ArraySlice<Entry> = []
        var outputBytes = 0
        var rendering: Entry?
        /// The version up to which the reader was told otherwise.
        var known = 0
        var isBeating = false
        var end: String?
        var waiter: CheckedContinuation<Item, Never>?

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

    /// Leaves out what a version and those before it have brought, as the reader is told of it otherwise.
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

    /// Adds what a step has brought: its outputs, then its rendering.
    func add(outputs: [ByteBuffer], rendering: ByteBuffer, version: Int) {
        change { state in
            guard state.end == nil, version > state.known else { return }
            state.outputs += outputs.map { (version, $0) }
            state.outputBytes += outputs.reduce(0) { $0 + $1.readableBytes }
            state.rendering = (version, rendering)
            if state.outputBytes > mostBytes {
                state.outputs = []
                state.rendering = nil
                state.end = "slow"
            }
        }
    }

    /// Tells that the reader is thought of, unless it is told something anyway.
    func beat() { change { $0.isBeating = true } }

    /// Tells no more than what waits, and the reason of the end.
    func close(_ reason: String) { change { $0.end = $0.end ?? reason } }

    /// The next thing to tell; for one task at a time.
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
