import Dispatch
import LibC
import Synchronization
import Terminal

/// The signals of a service: SIGHUP, SIGTERM and SIGINT. A second of the last two ends it at once.
final class ServiceSignals: Sendable {
    /// The signals in order.
    let all: AsyncStream<Int32>
    private let listener: SignalListener

    init() {
        let (all, report) = AsyncStream<Int32>.makeStream(bufferingPolicy: .bufferingNewest(8))
        self.all = all
        let count = Atomic(0)
        listener = SignalListener(
            to: [SIGINT, SIGTERM, SIGHUP], on: DispatchQueue(label: "signals of the service")
        ) { number in
            if number != SIGHUP, count.add(1, ordering: .relaxed).newValue > 1 {
                _exit(128 + number)
            }
            report.yield(number)
        }
    }
}
