import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Asks a run to end, and sees to it that it does: a flow that is busy, or an output that nobody
/// empties, holds a run up for a short while only.
final class EndRequest: Sendable {
    /// How long a run has to end by itself, in seconds: more than one call may take by default.
    private static let grace = 2.0

    private let wasMade = Atomic(false)
    private let queue: DispatchQueue
    private let continuation: AsyncStream<RunInput>.Continuation

    init(_ continuation: AsyncStream<RunInput>.Continuation, queue: DispatchQueue) {
        self.continuation = continuation
        self.queue = queue
    }

    /// Asks by an input; a second signal ends the process at once.
    func make(_ input: RunInput, _ status: ExitStatus) {
        if wasMade.exchange(true, ordering: .relaxed) {
            if case .signal = input { _exit(status.rawValue) }
            return
        }
        continuation.yield(input)
        queue.asyncAfter(deadline: .now() + Self.grace) {
            OutputStream.standardError.write("error: the run was busy and has been cut short\n")
            _exit(status.rawValue)
        }
    }
}
