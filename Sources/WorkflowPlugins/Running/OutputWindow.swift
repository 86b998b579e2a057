import PlainValue
import Synchronization
import WorkerKit

/// How many outputs of a run may be on their way to a flow.
///
/// An output takes its place when it is sent and gives it back when the flow has dealt with it, or it
/// was dropped. So a worker that emits without pause waits for the flow, and memory stays bounded.
final class OutputWindow: Sendable {
    /// What one output may hold.
    static let limits = ValueLimits(byteCount: 16 * 1024 * 1024)
    private static let maximumCount = 64
    private static let maximumBytes = 4 * 1024 * 1024

    private struct State {
        var count = 0
        var bytes = 0
        var isClosed = false
        /// Outputs that have a place and are being handed over right now.
        var inHand = 0
        var waiting: [Latch] = []
        var closer: Latch?

        /// A single output that is larger than the window still fits an empty one.
        func hasRoom(for size: Int) -> Bool {
            count == 0
                || count < OutputWindow.maximumCount && bytes + size <= OutputWindow.maximumBytes
        }
    }

    private let state = Mutex(State())

    /// Gives its place back when the last reference to it goes.
    final class Place: Sendable {
        private let window: OutputWindow
        private let size: Int

        fileprivate init(_ window: OutputWindow, _ size: Int) {
            self.window = window
            self.size = size
        }

        deinit { window.release(size) }
    }

    /// Waits for a place for an output of `size` bytes, and hands it over by `body`.
    ///
    /// Throws a `CancellationError` when the window was closed, or the task cancelled, meanwhile.
    func send(size: Int, _ body: (Place) -> Void) async throws {
        while true {
            try Task.checkCancellation()
            enum Step { case hasPlace, isClosed, waits(Latch) }
            let step: Step = state.withLock { state in
                if state.isClosed { return .isClosed }
                guard state.hasRoom(for: size) else {
                    let latch = Latch()
                    state.waiting.append(latch)
                    return .waits(latch)
                }
                state.count += 1
                state.bytes += size
                state.inHand += 1
                return .hasPlace
            }
            switch step {
            case .isClosed: throw CancellationError()
            case .waits(let latch): await latch.wait()
            case .hasPlace:
                body(Place(self, size))
                let closer = state.withLock { state in
                    state.inHand -= 1
                    return state.inHand == 0 ? state.closer : nil
                }
                closer?.open()
                return
            }
        }
    }

    /// Hands over nothing any more; returns when what was being handed over is.
    func close() async {
        let latch = Latch()
        let (isQuiet, waiting) = state.withLock { state in
            state.isClosed = true
            state.closer = latch
            defer { state.waiting = [] }
            return (state.inHand == 0, state.waiting)
        }
        for waiting in waiting { waiting.open() }
        if !isQuiet { await latch.waitUntilOpen() }
    }

    private func release(_ size: Int) {
        let waiting = state.withLock { state in
            state.count -= 1
            state.bytes -= size
            defer { state.waiting = [] }
            return state.waiting
        }
        for latch in waiting { latch.open() }
    }
}
