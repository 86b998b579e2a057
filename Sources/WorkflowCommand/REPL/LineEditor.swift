import CLineEditor
import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads lines from a terminal, and shows text above the line that is being typed.
///
/// The line is edited by libedit; without it, or on a terminal that cannot move its cursor, the terminal's own way of
/// typing a line has to do.
///
/// `@unchecked Sendable` because the editor and what hangs on it are used by the reading thread only; what others ask of
/// it goes through `state`.
final class LineEditor: @unchecked Sendable {
    enum Result {
        case line(String)
        case interrupted(isEmpty: Bool)
        case end
    }

    /// What others want of the thread that reads.
    private struct State {
        var isReading = false
        var isInterrupted = false
        /// Whether nothing more will be read.
        var isClosed = false
        var isResized = false
        var isSuspended = false
        /// What is to be shown above the line.
        var text = ""
        /// How often a call was interrupted that was not over.
        var impatience = 0
    }

    private let state = Mutex(State())
    private let hasStopped = DispatchSemaphore(value: 0)
    /// A pipe that wakes the reading thread.
    private var wake: (read: Int32, write: Int32) = (-1, -1)
    private var editor: OpaquePointer?
    private var complete: (String) -> Completer.Completion = { Completer.Completion(typed: $0) }
    private var prompt = ""
    /// What was typed without libedit.
    private var plain: [UInt8] = []

    init() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        wake = (ends[0], ends[1])
    }

    /// The width of the terminal.
    static var columns: Int {
        let columns = Int(cle_columns())
        return columns > 0 ? columns : 80
    }

    /// Whether the terminal's cursor can be moved.
    private static var canEdit: Bool {
        guard let terminal = getenv("TERM").map({ String(cString: $0) }) else { return false }
        return !terminal.isEmpty && terminal != "dumb"
    }

    // MARK: On the thread that reads

    /// Prepares for reading on this thread.
    func open(
        remembering lines: [String], completing complete: @escaping (String) -> Completer.Completion
    ) {
        self.complete = complete
        guard Self.canEdit else { return }
        let callbacks = cle_callbacks(
            context: Unmanaged.passUnretained(self).toOpaque(),
            read: { context, byte in
                guard let context, let byte else { return 0 }
                return Unmanaged<LineEditor>.fromOpaque(context).takeUnretainedValue()
                    .readByte(into: byte)
            },
            complete: { context in
                guard let context else { return }
                Unmanaged<LineEditor>.fromOpaque(context).takeUnretainedValue().completeLine()
            })
        editor = cle_open("workflow-run", callbacks, Int32(LineHistory.most))
        for line in lines { remember(line) }
    }

    func remember(_ line: String) {
        if let editor { cle_remember(editor, line) }
    }

    /// Asks for a line and waits for it.
    func read(_ prompt: String) -> Result {
        self.prompt = prompt
        plain = []
        state.withLock { state in
            state.isReading = true
            state.impatience = 0
        }
        let line = editor.map(readEdited) ?? readPlain()
        let end = state.withLock { state in
            defer {
                state.isReading = false
                state.isInterrupted = false
                state.text = ""
            }
            return state
        }
        let result: Result
        if end.isInterrupted {
            result = .interrupted(isEmpty: plain.isEmpty)
            // Without libedit the terminal shows it.
            OutputStream.standardOutput.write(editor == nil ? "\n" : "^C\n")
        } else if let line, !end.isClosed {
            result = .line(line)
        } else {
            result = .end
            OutputStream.standardOutput.write("\n")
        }
        if !end.text.isEmpty { OutputStream.standardOutput.write(end.text) }
        hasStopped.signal()
        return result
    }

    private func readEdited(_ editor: OpaquePointer) -> String? {
        guard let line = cle_read_line(editor, prompt) else { return nil }
        defer { free(line) }
        return String(cString: line)
    }

    private func readPlain() -> String? {
        OutputStream.standardOutput.write(prompt)
        while true {
            var byte: UInt8 = 0
            guard readByte(into: &byte) > 0 else { return nil }
            if byte == UInt8(ascii: "\n") { return String(decoding: plain, as: UTF8.self) }
            plain.append(byte)
        }
    }

    /// Waits for a byte, and does meanwhile what others ask for: 1, 0 at the end of the input, -1 to give the line up.
    private func readByte(into byte: UnsafeMutablePointer<UInt8>) -> Int32 {
        while true {
            var waits = [
                pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&waits, nfds_t(waits.count), -1) >= 0 else {
                if errno == EINTR { continue }
                return 0
            }
            if waits[1].revents != 0, !serve() { return -1 }
            guard waits[0].revents != 0 else { continue }
            let count = systemRead(STDIN_FILENO, byte, 1)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            return count > 0 ? 1 : 0
        }
    }

    /// Does what others have asked for; whether the line is read on.
    private func serve() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 64)
        while systemRead(wake.read, &bytes, bytes.count) > 0 {}
        let wishes = state.withLock { state in
            defer {
                state.text = ""
                state.isResized = false
                state.isSuspended = false
            }
            return state
        }
        if wishes.isSuspended { stopProcess() }
        if wishes.isResized || !wishes.text.isEmpty { erase() }
        if wishes.isResized, let editor { cle_resize(editor) }
        OutputStream.standardOutput.write(wishes.text)
        if wishes.isClosed { return false }
        if wishes.isInterrupted {
            if let line = typed { plain = Array(line.text.utf8) }
            return false
        }
        if wishes.isResized || wishes.isSuspended || !wishes.text.isEmpty { redraw() }
        return true
    }

    private func stopProcess() {
        if let editor { cle_hold_terminal(editor, false) }
        kill(getpid(), SIGSTOP)
        if let editor { cle_hold_terminal(editor, true) }
    }

    // MARK: The line on the screen

    /// What is typed, as text, and what of it stands before the cursor.
    private var typed: (text: String, before: String)? {
        guard let editor else { return nil }
        var (length, cursor) = (0, 0)
        guard let bytes = cle_line(editor, &length, &cursor) else { return nil }
        let line = UnsafeRawBufferPointer(start: bytes, count: length)
        return (
            String(decoding: line, as: UTF8.self),
            String(decoding: line.prefix(cursor), as: UTF8.self)
        )
    }

    /// Clears the prompt and the line from the screen, with the cursor where they began.
    private func erase() {
        guard let typed else {
            OutputStream.standardOutput.write("\n")
            return
        }
        let row = (displayWidth(prompt) + displayWidth(typed.before)) / Self.columns
        OutputStream.standardOutput.write("\r" + (row > 0 ? "\u{1B}[\(row)A" : "") + "\u{1B}[J")
    }

    private func redraw() {
        if let editor {
            cle_redraw(editor)
        } else {
            OutputStream.standardOutput.write(prompt)
        }
    }

    /// Tab: inserts what is certain, or shows what is possible.
    private func completeLine() {
        guard let editor, let typed else { return }
        let completion = complete(typed.before)
        guard let first = completion.candidates.first else { return }
        let common = completion.candidates.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        if common != completion.typed {
            cle_delete(editor, Int32(completion.typed.unicodeScalars.count))
            cle_insert(editor, common)
        } else if completion.candidates.count > 1 {
            erase()
            OutputStream.standardOutput.write(prompt + typed.text + "\n")
            OutputStream.standardOutput.write(
                completion.candidates.inColumns(width: Self.columns))
            redraw()
        }
    }

    // MARK: From anywhere

    /// Shows whole lines, above the one that is being typed.
    func show(_ text: String) {
        state.withLock { state in
            guard state.isReading else {
                // Within the lock, so that texts stay in order.
                OutputStream.standardOutput.write(text)
                return
            }
            state.text += text
        }
        signalReader()
    }

    func clear() {
        if Self.canEdit { show("\u{1B}[H\u{1B}[2J") }
    }

    /// Gives up the line that is being typed. Where none is, says what will happen; the second time, ends the process.
    func interrupt() {
        let impatience = state.withLock { state in
            if state.isReading {
                state.isInterrupted = true
                return 0
            }
            state.impatience += 1
            return state.impatience
        }
        switch impatience {
        case 0: signalReader()
        case 1: show("\nThe call ends by itself when its time is up. Ctrl-C again leaves.\n")
        default: _exit(ExitStatus.interrupted.rawValue)
        }
    }

    /// Takes note of a new size of the terminal.
    func noteResize() {
        state.withLock { $0.isResized = true }
        signalReader()
    }

    /// Stops the process until its user lets it go on.
    func suspend() {
        let isReading = state.withLock { state in
            if state.isReading { state.isSuspended = true }
            return state.isReading
        }
        if isReading { signalReader() } else { kill(getpid(), SIGSTOP) }
    }

    /// Gives the terminal back as it was, and reads no more.
    func close() {
        let isReading = state.withLock { state in
            state.isClosed = true
            return state.isReading
        }
        guard isReading else { return }
        signalReader()
        _ = hasStopped.wait(timeout: .now() + 1)
    }

    private func signalReader() {
        var byte: UInt8 = 0
        _ = systemWrite(wake.write, &byte, 1)
    }
}

extension [String] {
    /// The texts side by side, as many as fit a width.
    fileprivate func inColumns(width: Int) -> String {
        /// More would push away what was said before.
        let most = 100
        let shown = prefix(most).map(printable)
        let column = (shown.map(displayWidth).max() ?? 0) + 2
        let count = Swift.max(1, width / column)
        var text = ""
        for start in stride(from: 0, to: shown.count, by: count) {
            text +=
                shown[start..<Swift.min(start + count, shown.count)]
                .map { $0.padded(to: column) }.joined().trimmedEnd + "\n"
        }
        return self.count > most ? text + "… \(self.count - most) more\n" : text
    }
}

extension String {
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map(\.0))
    }
}

/// The system's functions, which the editor's own would hide.
private func systemRead(_ file: Int32, _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
    read(file, bytes, count)
}

private func systemWrite(_ file: Int32, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
    write(file, bytes, count)
}
