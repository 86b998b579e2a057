package import PlainValue
import Synchronization

/// The outputs of one run on their way to a flow, limited in number and size. An output takes a
/// slot when it is handed over, and returns it once the flow has processed or dropped it. So a
/// worker that emits without pause waits for the flow, and memory stays bounded. A worker waits for
/// a slot in its task, by ``send(_:)``. A library with threads of its own offers its outputs, and
/// is called when there is room again.
package final class OutputWindow: Sendable {
    package static let limits = ValueLimits(byteCount: 16 * 1024 * 1024)
    private static let maximumCount = 64
    private static let maximumBytes = 4 * 1024 * 1024

    private struct State {
        var count = 0
        var bytes = 0
        var isClosed = false
        /// The number of outputs that have a slot and are being handed over right now.
        var inHand = 0
        var waiting: [Latch] = []
        var closer: Latch?
        /// Called once there is room or the window is closed, after an offer that found no room.
        var onRoom: (@Sendable () -> Void)?

        var isFull: Bool {
            count >= OutputWindow.maximumCount || bytes >= OutputWindow.maximumBytes
        }

        /// True if an output fits. One that is larger than the window fits an empty one.
        func hasRoom(for size: Int) -> Bool {
            count == 0
                || count < OutputWindow.maximumCount && bytes + size <= OutputWindow.maximumBytes
        }

        mutating func takeSlot(_ size: Int) {
            count += 1
            bytes += size
            inHand += 1
        }
    }

    private let state = Mutex(State())
    private let deliver: @Sendable (Value, Slot) -> Void

    /// The room of one output, which returns to the window with the last reference.
    package final class Slot: Sendable {
        private let window: OutputWindow
        private let size: Int

        fileprivate init(_ window: OutputWindow, _ size: Int) {
            self.window = window
            self.size = size
        }

        deinit { window.release(size) }
    }

    /// - Parameter deliver: Hands over an output, with the slot to keep until the output has been
    ///   processed. Called on any thread; must not block.
    package init(_ deliver: @escaping @Sendable (Value, Slot) -> Void) { self.deliver = deliver }

    // MARK: Outputs

    /// Waits for room for an output, and hands it over.
    package func send(_ value: Value) async throws {
        let output: EncodedValue
        do throws(ValueError) {
            output = try value.encoded(limits: Self.limits)
        } catch {
            throw WorkerError("bad_output", "an output must be a plain value: \(error)")
        }
        let size = output.byteCount
        while true {
            try Task.checkCancellation()
            enum Step { case hasSlot, isClosed, waits(Latch) }
            let step: Step = state.withLock { state in
                if state.isClosed { return .isClosed }
                guard state.hasRoom(for: size) else {
                    let latch = Latch()
                    state.waiting.append(latch)
                    return .waits(latch)
                }
                state.takeSlot(size)
                return .hasSlot
            }
            switch step {
            case .isClosed: throw CancellationError()
            case .waits(let latch): await latch.wait()
            case .hasSlot: return handOver(output)
            }
        }
    }

    package enum Admission {
        /// There is room, and an offered output has been handed over.
        case taken
        /// There is no room; the caller is told when there is, or when the window is closed.
        case full
        case closed
    }

    package func offer(_ output: EncodedValue, onRoom: @escaping @Sendable () -> Void) -> Admission
    {
        let admission = admit(onRoom) { $0.takeSlot(output.byteCount) }
        if admission == .taken { handOver(output) }
        return admission
    }

    /// The answer that an offer would get now.
    package func admission(onRoom: @escaping @Sendable () -> Void) -> Admission {
        admit(onRoom) { _ in }
    }

    private func admit(
        _ onRoom: @escaping @Sendable () -> Void, taking: (inout State) -> Void
    ) -> Admission {
        state.withLock { state in
            if state.isClosed { return .closed }
            guard !state.isFull else {
                state.onRoom = onRoom
                return .full
            }
            taking(&state)
            return .taken
        }
    }

    private func handOver(_ output: EncodedValue) {
        deliver(output.value, Slot(self, output.byteCount))
        let closer = state.withLock { state in
            assert(state.inHand > 0)
            state.inHand -= 1
            return state.inHand == 0 ? state.closer : nil
        }
        closer?.open()
    }

    private func release(_ size: Int) {
        let (waiting, onRoom) = state.withLock { state in
            assert(state.count > 0 && state.bytes >= size)
            state.count -= 1
            state.bytes -= size
            defer { state.waiting = [] }
            // Not at the first free slot, so that a library is not called for every output.
            guard !state.isFull, state.count <= Self.maximumCount / 2 else {
                return (state.waiting, (@Sendable () -> Void)?.none)
            }
            defer { state.onRoom = nil }
            return (state.waiting, state.onRoom)
        }
        for latch in waiting { latch.open() }
        onRoom?()
    }

    // MARK: The end

    /// Closes the window, and returns once all outputs in hand have been handed over.
    package func close() async {
        let latch = Latch()
        let (isQuiet, waiting, onRoom) = state.withLock { state in
            state.isClosed = true
            state.closer = latch
            defer {
                state.waiting = []
                state.onRoom = nil
            }
            return (state.inHand == 0, state.waiting, state.onRoom)
        }
        for waiting in waiting { waiting.open() }
        onRoom?()
        if !isQuiet { await latch.waitUntilOpen() }
    }
}
