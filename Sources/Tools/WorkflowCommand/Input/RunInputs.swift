import Dispatch
import FlowPrinting
import FlowREPL
import LibC
import Terminal

/// The inputs of a run in a single order.
final class RunInputs: Sendable {
    let stream: AsyncStream<RunInput>
    private let continuation: AsyncStream<RunInput>.Continuation
    private let signals: SignalListener
    private let end: EndRequest
    /// The keyboard; `nil` if lines come from a pipe or a file.
    private let keyboard: Keyboard?
    /// Interrupts a busy flow when the run must end.
    let interrupt: SessionInterrupt
    /// Counts the requested lines. A long input waits in its pipe, and never delays a signal.
    private let wanted = DispatchSemaphore(value: 0)

    /// Listens to SIGINT, SIGTERM and a `timeout` in seconds.
    init(
        timeout: Double?, interrupt: SessionInterrupt = SessionInterrupt(),
        keyboard: Keyboard? = nil
    ) {
        let (stream, continuation) = AsyncStream<RunInput>.makeStream()
        self.stream = stream
        self.continuation = continuation
        let queue = DispatchQueue(label: "signals")
        let end = EndRequest(continuation, queue: queue, interrupt: interrupt)
        self.interrupt = interrupt
        self.end = end
        self.keyboard = keyboard
        signals = SignalListener(to: [SIGINT, SIGTERM], on: queue) { number in
            if number == SIGINT { keyboard?.dropLine() }
            end.make(.signal(number), RunEnd(signal: number).status)
        }
        if let timeout {
            queue.asyncAfter(deadline: .now() + timeout) { end.make(.timeout, .timedOut) }
        }
    }

    /// Requests the first line, and starts to read on a separate thread.
    func readLines() {
        if let keyboard { readLines(from: keyboard) } else { readStandardInput() }
        askForLine()
    }

    private func readLines(from keyboard: Keyboard) {
        keyboard.start(handling: [SIGWINCH, SIGTSTP])
        let continuation = continuation
        Task {
            for await input in keyboard.inputs {
                switch input {
                case .line(let line): continuation.yield(.line(line))
                case .end: continuation.yield(.end)
                // The signal itself is an input.
                case .interrupted, .terminated, .news: break
                }
            }
        }
    }

    private func readStandardInput() {
        let (continuation, wanted) = (continuation, wanted)
        DispatchQueue(label: "standard input").async {
            var reader = LineReader()
            wanted.wait()
            while let line = reader.next() {
                let text = String(validating: line, as: UTF8.self)
                continuation.yield(text.map(RunInput.line) ?? .garbledLine)
                wanted.wait()
            }
            continuation.yield(.end)
        }
    }

    /// Reports changes to files in these folders, and in the folders of these files, from now on.
    func watch(_ paths: [String]) {
        let continuation = continuation
        let files = WatchedFiles(paths)
        Task {
            var seen = files
            while true {
                seen = await seen.changed()
                continuation.yield(.change)
            }
        }
    }

    /// The end that a signal or the timeout has requested, if any.
    var requestedEnd: RunEnd? { end.input.flatMap(RunEnd.init) }

    /// Waits for a signal and returns the end that it requests.
    func untilEnd() async -> RunEnd {
        for await input in stream {
            switch input {
            case .signal, .timeout:
                serveEnd()
                return requestedEnd ?? .terminated
            case .end: return .finished
            default: break
            }
        }
        return .finished
    }

    /// True if a person types the lines.
    var isTyped: Bool { keyboard != nil }

    /// Records that the run is about to end as requested.
    func serveEnd() { end.serve() }

    func post(_ input: RunInput) { continuation.yield(input) }

    func askForLine() {
        if let keyboard { keyboard.ask("› ") } else { wanted.signal() }
    }
}
