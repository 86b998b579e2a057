package import Dispatch
import LibC

/// Handles signals on a queue and disables their default actions.
///
/// `@unchecked Sendable` because it only keeps the dispatch sources alive, which are not marked `Sendable`.
package final class SignalListener: @unchecked Sendable {
    private let sources: [any DispatchSourceSignal]

    /// Calls `handle` on the queue for each of these signals from now on.
    package init(
        to numbers: [Int32], on queue: DispatchQueue, handle: @escaping @Sendable (Int32) -> Void
    ) {
        let isListening = DispatchSemaphore(value: 0)
        sources = numbers.map { number in
            // Before the registration, which on Linux replaces the handler.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { handle(number) }
            source.setRegistrationHandler { isListening.signal() }
            source.resume()
            return source
        }
        for _ in sources { isListening.wait() }
    }
}
