import Dispatch
import LibC
import Synchronization

/// The signals of a service: SIGHUP, SIGTERM and SIGINT. A second SIGTERM or SIGINT ends the process at once.
///
/// `@unchecked Sendable` because it only keeps the dispatch sources alive, which are not marked `Sendable`.
final class ServiceSignals: @unchecked Sendable {
    // Kept alive, because a released source receives no signals.
    private let sources: [any DispatchSourceSignal]
    /// The signals in order.
    let all: AsyncStream<Int32>

    init() {
        let (all, report) = AsyncStream<Int32>.makeStream(bufferingPolicy: .bufferingNewest(8))
        self.all = all
        let count = SignalCount()
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            // This disables the default action.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler {
                if number != SIGHUP, count.add() > 1 { _exit(128 + number) }
                report.yield(number)
            }
            source.resume()
            return source
        }
    }
}

/// How many signals have come.
private final class SignalCount: Sendable {
    private let count = Atomic(0)

    func add() -> Int { count.add(1, ordering: .relaxed).newValue }
}
