import Dispatch
import FlowPrinting
import FlowREPL
import LibC
import Terminal

/// The inputs of a run, in one order.
final class RunInputs: Sendable {
    let stream: AsyncStream<RunInput>
    private let continuation: AsyncStream<RunInput>.Continuation
    private let signals: SignalListener
    private let end: EndRequest
    /// The keyboard on which lines are typed; `nil` if they come from a pipe or a file.
    private let keyboard: Keyboard?
    /// The means to interrupt a flow that is busy when the run is to end.
    let interrupt: SessionInterrupt
    /// Counts the lines that were asked for. No line is read before, so that a long input waits in
    /// its pipe and a signal never waits behind it.
    private let wanted = DispatchSemaphore(value: 0)

    /// Listens from now on to SIGINT, SIGTERM and a `timeout` in seconds.
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

    /// Asks for the first line, and begins to read on a thread of its own.
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

    /// Tells of changes to the files in the folder of a flow that come after this call.
    func watch(_ flow: String) {
        let continuation = continuation
        let files = WatchedFiles([flow])
        Task {
            var seen = files
            while true {
                seen = await seen.changed()
                continuation.yield(.change)
            }
        }
    }

    /// The end that a signal or the time-out has asked for, if one has.
    var requestedEnd: RunEnd? { end.input.flatMap(RunEnd.init) }

    /// Waits for a signal; gives what it asks for.
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

    /// Notes that the run is about to end as it was asked to.
    func serveEnd() { end.serve() }

    /// Adds an input of another kind behind those that are there.
    func post(_ input: RunInput) { continuation.yield(input) }

    /// Asks for one more line.
    func askForLine() {
        if let keyboard { keyboard.ask("› ") } else { wanted.signal() }
    }
}
