import Dispatch
import LibC
import Synchronization

/// The user at the terminal: delivers lines and signals in one order, and shows text.
package final class Keyboard: Sendable {
    package enum Input: Sendable {
        case line(String)
        /// Ctrl-C; true if nothing was typed.
        case interrupted(isEmpty: Bool)
        case end
        case terminated
        /// Another task has something to report; see ``post(_:)``.
        case news
    }

    /// The part of what is typed that a line is.
    package enum Part: Sendable {
        /// The beginning of an entry.
        case entry
        /// A further line of the same entry.
        case rest
        /// An answer, which is not remembered.
        case answer
    }

    /// The seconds that a busy session can delay the exit that a signal requests.
    private static let grace = 2.0
    /// The seconds between two attempts to interrupt a call.
    private static let interval = 0.01

    package let inputs: AsyncStream<Input>
    private let continuation: AsyncStream<Input>.Continuation
    package let editor: LineEditor
    private let complete = Mutex<@Sendable (String) -> Completion> { Completion(typed: $0) }
    private let history: LineHistory
    private let prompts = Mutex<[(text: String, part: Part)]>([])
    /// The lines of the latest entry, which the history gets when it is complete.
    private let entry = Mutex<[String]>([])
    /// Counts the waiting prompts.
    private let wanted = DispatchSemaphore(value: 0)
    private let queue = DispatchQueue(label: "signals")
    private let signals = Mutex<SignalListener?>(nil)
    private let interrupt: @Sendable () -> Void

    /// - Parameter interrupt: Called for Ctrl-C when no line is being typed.
    package init(
        history: LineHistory = LineHistory(), interrupting interrupt: @escaping @Sendable () -> Void
    ) {
        (inputs, continuation) = AsyncStream<Input>.makeStream()
        editor = LineEditor()
        self.interrupt = interrupt
        self.history = history
        editor.onBusy = { [unowned self] impatience in interruptCalls(impatience) }
    }

    package static var columns: Int { LineEditor.columns }
    package static var rows: Int { LineEditor.rows }

    /// Starts to listen, also to these signals; all others are the caller's.
    package func start(handling numbers: [Int32] = [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP]) {
        signals.withLock {
            $0 = SignalListener(to: numbers, on: queue) { [weak self] in self?.handle($0) }
        }
        // Reading blocks its thread.
        DispatchQueue(label: "keyboard").async { self.read() }
    }

    private func read() {
        editor.open(remembering: history.lines) { [unowned self] text in
            complete.withLock { $0 }(text)
        }
        while true {
            wanted.wait()
            let prompt = prompts.withLock { $0.removeFirst() }
            if prompt.part == .entry { remember { editor.remember($0) } }
            switch editor.read(prompt.text) {
            case .line(let line):
                if prompt.part != .answer { entry.withLock { $0.append(line) } }
                continuation.yield(.line(line))
            case .interrupted(let isEmpty): continuation.yield(.interrupted(isEmpty: isEmpty))
            case .end:
                continuation.yield(.end)
                return
            }
        }
    }

    private func remember(_ isNew: (String) -> Void) {
        let lines = entry.withLock { entry in
            defer { entry = [] }
            return LineHistory.lines(of: entry)
        }
        for line in lines where history.add(line) { isNew(line) }
    }

    /// Restores the terminal; `erasing` removes the line that is being typed.
    package func stop(erasing: Bool = false) {
        editor.close(erasing: erasing)
        remember { _ in }
    }

    /// Discards the line that is being typed. If there is none, starts a new row.
    package func dropLine() { editor.dropLine() }

    package func ask(_ prompt: String, for part: Part = .entry) {
        prompts.withLock { $0.append((prompt, part)) }
        wanted.signal()
    }

    package func post(_ input: Input) { continuation.yield(input) }

    /// Shows text above the line that is being typed.
    package func show(_ text: String) { editor.show(text) }

    package func clear() { editor.clear() }

    package func complete(by complete: @escaping @Sendable (String) -> Completion) {
        self.complete.withLock { $0 = complete }
    }

    /// Interrupts the call that delays the next prompt. The third Ctrl-C ends the process.
    private func interruptCalls(_ impatience: Int) {
        switch impatience {
        case 1:
            // The terminal has echoed `^C`.
            show("\n")
            queue.async { self.interruptCalls { $0.isInterrupting } }
        case 2: show("\nSomething is busy that cannot be interrupted. Ctrl-C again leaves.\n")
        default: _exit(128 + SIGINT)
        }
    }

    /// Interrupts the calls of one action, which may be several. Stops before the next line.
    private func interruptCalls(while goesOn: @escaping @Sendable (LineEditor) -> Bool) {
        guard goesOn(editor) else { return }
        interrupt()
        queue.asyncAfter(deadline: .now() + Self.interval) { self.interruptCalls(while: goesOn) }
    }

    private func handle(_ number: Int32) {
        switch number {
        case SIGINT: editor.interrupt()
        case SIGWINCH: editor.resize()
        case SIGTSTP: editor.suspend()
        default:
            continuation.yield(.terminated)
            interruptCalls { !$0.isReading }
            queue.asyncAfter(deadline: .now() + Self.grace) { _exit(128 + number) }
        }
    }
}
