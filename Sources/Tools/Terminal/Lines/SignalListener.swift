import CTerminal
package import Dispatch
import LibC
import Synchronization

/// Handles signals on a queue and disables their default actions, as long as it is kept. A signal
/// that nobody listens to any more is ignored.
package final class SignalListener: Sendable {
    private let number: Int

    package init(
        to numbers: [Int32], on queue: DispatchQueue, handle: @escaping @Sendable (Int32) -> Void
    ) {
        number = Signals.shared.add(numbers) { number in queue.async { handle(number) } }
    }

    deinit { Signals.shared.remove(number) }
}

/// The process's signals. `@unchecked Sendable` because it only keeps its dispatch source alive.
private final class Signals: @unchecked Sendable {
    static let shared = Signals()

    private struct Listener {
        let number: Int
        let signals: [Int32]
        let handle: @Sendable (Int32) -> Void
    }

    private struct Contents {
        var listeners: [Listener] = []
        var lastNumber = 0
    }

    private let contents = Mutex(Contents())
    /// Reads the pipe; `nil` if there is none, and signals have their default actions.
    private let source: (any DispatchSourceRead)?

    private init() {
        let file = workflow_signals_open()
        guard file >= 0 else {
            source = nil
            return
        }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: file, queue: DispatchQueue(label: "signals"))
        self.source = source
        source.setEventHandler { [unowned self] in
            var byte: UInt8 = 0
            while read(file, &byte, 1) == 1 { handle(Int32(byte)) }
        }
        source.resume()
    }

    private func handle(_ signal: Int32) {
        let listeners = contents.withLock { $0.listeners.filter { $0.signals.contains(signal) } }
        for listener in listeners { listener.handle(signal) }
    }

    func add(_ signals: [Int32], _ handle: @escaping @Sendable (Int32) -> Void) -> Int {
        let number = contents.withLock { contents in
            contents.lastNumber += 1
            contents.listeners.append(
                Listener(number: contents.lastNumber, signals: signals, handle: handle))
            return contents.lastNumber
        }
        if source != nil { for signal in signals { _ = workflow_signals_take(signal) } }
        return number
    }

    func remove(_ number: Int) {
        contents.withLock { contents in contents.listeners.removeAll { $0.number == number } }
    }
}
