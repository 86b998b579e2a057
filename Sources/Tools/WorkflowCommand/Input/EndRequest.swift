import Dispatch
import FlowPrinting
import FlowREPL
import LibC
import Synchronization
import Terminal

/// Ends a run on request, and makes sure that it ends: a busy flow is interrupted, and blocked
/// output delays the end only for a short time.
final class EndRequest: Sendable {
    /// The time for which a running call may continue, in seconds.
    private static let patience = 0.2
    /// The time between two interrupts, because an action can make several calls.
    private static let interval = 0.01
    /// The time for a run to end by itself, in seconds.
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

    /// The input that requested the end, if any.
    var input: RunInput? { made.withLock { $0 } }

    /// Requests the end. A second signal ends the process at once.
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

    /// Records that the run has noticed the request. From now on nothing is interrupted.
    func serve() { isServed.store(true, ordering: .relaxed) }

    private func interruptCalls() {
        guard !isServed.load(ordering: .relaxed) else { return }
        interrupt.stop()
        queue.asyncAfter(deadline: .now() + Self.interval) { self.interruptCalls() }
    }
}
