import Dispatch
import FlowPrinting
import FlowREPL
import LibC
import Synchronization
import Terminal

/// Asks a run to end, and sees to it that it does: a flow that is busy is interrupted, and an
/// output that nobody empties holds a run up for a short while only.
final class EndRequest: Sendable {
    /// The time in which a call into the flow may still end, in seconds.
    private static let patience = 0.2
    /// The time until the next call is interrupted, if an action makes several.
    private static let interval = 0.01
    /// The time that a run has to end by itself, in seconds.
    private static let grace = 2.0

    private let made = Mutex<RunInput?>(nil)
    private let isServed = Atomic(false)
    private let interrupt: SessionInterrupt
    private let queue: DispatchQueue
    private let continuation: AsyncStream<RunInput>.Continuation

    init(
        _ continuation: AsyncStream<RunInput>.Continuation, queue: DispatchQueue,
        interrupt: SessionInterrupt
    ) {
        self.continuation = continuation
        self.queue = queue
        self.interrupt = interrupt
    }

    /// The input that asked for the end, if any has.
    var input: RunInput? { made.withLock { $0 } }

    /// Asks by an input; a second signal ends the process at once.
    func make(_ input: RunInput, _ status: ExitStatus) {
        let isFirst = made.withLock { made in
            defer { if made == nil { made = input } }
            return made == nil
        }
        guard isFirst else {
            if case .signal = input { _exit(status.rawValue) }
            return
        }
        continuation.yield(input)
        queue.asyncAfter(deadline: .now() + Self.patience) { self.interruptCalls() }
        queue.asyncAfter(deadline: .now() + Self.grace) {
            OutputStream.standardError.write("error: the run was busy and has been cut short\n")
            _exit(status.rawValue)
        }
    }

    /// Notes that the run has seen it: from now on nothing is interrupted.
    func serve() { isServed.store(true, ordering: .relaxed) }

    private func interruptCalls() {
        guard !isServed.load(ordering: .relaxed) else { return }
        interrupt.stop()
        queue.asyncAfter(deadline: .now() + Self.interval) { self.interruptCalls() }
    }
}
