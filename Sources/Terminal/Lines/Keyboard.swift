import Dispatch
import LibC
import Synchronization

/// A person at the terminal: their lines and signals in one order, and what they are shown.
package final class Keyboard: Sendable {
    package enum Input: Sendable {
        case line(String)
        /// Ctrl-C, with true if nothing had been typed.
        case interrupted(isEmpty: Bool)
        case end
        case terminated
        /// Somebody else has something to tell; see ``post(_:)``.
        case news
    }

    /// The time that a busy session can hold up the end that a signal asks for, in seconds.
    private static let grace = 2.0
    /// The time until the next call is interrupted, in seconds.
    private static let interval = 0.01

    package let inputs: AsyncStream<Input>
    private let continuation: AsyncStream<Input>.Continuation
    package let editor: LineEditor
    private let complete = Mutex<@Sendable (String) -> Completion> { Completion(typed: $0) }
    private let history: LineHistory
    private let prompts = Mutex<[String]>([])
    /// Counts the prompts that wait.
    private let wanted = DispatchSemaphore(value: 0)
    private let queue = DispatchQueue(label: "signals")
    private let signals = Mutex<SignalListener?>(nil)
    private let interrupt: @Sendable () -> Void

    /// - Parameters:
    ///   - history: Where lines are kept.
    ///   - interrupt: Called for Ctrl-C while no line is typed.
    package init(
        history: LineHistory = LineHistory(), interrupting interrupt: @escaping @Sendable () -> Void
    ) {
        (inputs, continuation) = AsyncStream<Input>.makeStream()
        editor = LineEditor()
        self.interrupt = interrupt
        self.history = history
        editor.onBusy = { [unowned self] impatience in interruptCalls(impatience) }
    }

    /// The width of the terminal.
    package static var columns: Int { LineEditor.columns }

    /// Begins to listen.
    ///
    /// - Parameter numbers: The signals to listen to; the others are somebody else's.
    package func start(
        handling numbers: [Int32] = [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP]
    ) {
        signals.withLock {
            $0 = SignalListener(to: numbers, on: queue) { [weak self] in self?.handle($0) }
        }
        // On a thread of its own, since reading blocks.
        DispatchQueue(label: "keyboard").async { self.read() }
    }

    private func read() {
        editor.open(remembering: history.lines) { [unowned self] text in
            complete.withLock { $0 }(text)
        }
        while true {
            wanted.wait()
            let prompt = prompts.withLock { $0.removeFirst() }
            switch editor.read(prompt) {
            case .line(let line):
                if history.add(line) { editor.remember(line) }
                continuation.yield(.line(line))
            case .interrupted(let isEmpty): continuation.yield(.interrupted(isEmpty: isEmpty))
            case .end:
                continuation.yield(.end)
                return
            }
        }
    }

    /// Gives the terminal back.
    ///
    /// - Parameter erasing: Whether the line that is being typed is taken off the screen.
    package func stop(erasing: Bool = false) { editor.close(erasing: erasing) }

    /// Gives up the typed line. Without one, what is shown next begins on a new row.
    package func dropLine() { editor.dropLine() }

    /// Asks for one line.
    package func ask(_ prompt: String) {
        prompts.withLock { $0.append(prompt) }
        wanted.signal()
    }

    /// Adds an input of another kind behind those that are there.
    package func post(_ input: Input) { continuation.yield(input) }

    /// Shows text, above the line that is being typed if one is.
    package func show(_ text: String) { editor.show(text) }

    /// Clears the screen.
    package func clear() { editor.clear() }

    /// Completes from now on what is typed, by this function.
    package func complete(by complete: @escaping @Sendable (String) -> Completion) {
        self.complete.withLock { $0 = complete }
    }

    /// Interrupts what holds up the next prompt; the third time, leaves.
    private func interruptCalls(_ impatience: Int) {
        switch impatience {
        case 1:
            // The terminal has shown what was pressed.
            show("\n")
            queue.async { self.interruptCalls { $0.isInterrupting } }
        case 2: show("\nSomething is busy that cannot be interrupted. Ctrl-C again leaves.\n")
        default: _exit(128 + SIGINT)
        }
    }

    /// Interrupts all calls of an action, which can be several, and none of a later line.
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
