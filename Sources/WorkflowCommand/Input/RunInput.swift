import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a run waits for: a line, the end of the input, a signal, the end of its time.
enum RunInput: Sendable {
    case line(String)
    case end
    case signal(Int32)
    case timeout
}

/// Where a run's inputs come from, in one order.
///
/// `@unchecked Sendable` because a dispatch source, which does not say that it is `Sendable`, may be
/// used from any thread, and here is only kept alive.
final class RunInputs: @unchecked Sendable {
    let stream: AsyncStream<RunInput>
    private let continuation: AsyncStream<RunInput>.Continuation
    private let signals: [any DispatchSourceSignal]

    /// Begins to listen: to standard input from the first call of ``readLines()`` on, to SIGINT and SIGTERM,
    /// and to a timer if `timeout`, in seconds, is given.
    init(timeout: Double?) {
        let (stream, continuation) = AsyncStream<RunInput>.makeStream()
        self.stream = stream
        self.continuation = continuation
        let queue = DispatchQueue(label: "signals")
        signals = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { continuation.yield(.signal(number)) }
            source.resume()
            return source
        }
        if let timeout {
            queue.asyncAfter(deadline: .now() + timeout) { continuation.yield(.timeout) }
        }
    }

    /// Reads standard input line by line, on a thread of its own since reading blocks.
    func readLines() {
        let continuation = continuation
        DispatchQueue(label: "standard input").async {
            while let line = readLine() { continuation.yield(.line(line)) }
            continuation.yield(.end)
        }
    }
}
