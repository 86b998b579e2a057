import CTerminal
import Dispatch
import LibC
import Synchronization

// Methods that run on the reading thread.
extension LineEditor {
    /// Prepares this thread for reading.
    func open(remembering lines: [String], completing complete: @escaping (String) -> Completion) {
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

    func read(_ prompt: String) -> Result {
        self.prompt = prompt
        plain = []
        let isClosed = state.withLock { state in
            if state.isClosed { return true }
            state.eraseStatus()
            state.isReading = true
            state.impatience = 0
            if editor != nil { drawStatus(state.status) }
            return false
        }
        if isClosed { return .end }
        let line = editor.map(readEdited) ?? readPlain()
        let (result, isLate) = state.withLock { state in
            // The lock keeps the texts in order.
            let result = end(with: line, &state)
            OutputStream.standardOutput.write(state.text)
            state.text = ""
            return result
        }
        // This Ctrl-C came after the line was complete, so it interrupts what the line started.
        if isLate { interrupt() }
        return result
    }

    /// Ends a line. `isLate` is true if Ctrl-C came after the line was complete.
    private func end(with line: String?, _ state: inout State) -> (Result, isLate: Bool) {
        state.isReading = false
        // The signal lets the process end, so it comes last.
        defer { if state.isClosed { hasStopped.signal() } }
        if let line { removeStatus(above: line) }
        let isInterrupted = state.isInterrupted
        state.isInterrupted = false
        if let line, !state.isClosed { return (.line(line), isInterrupted) }
        // Without libedit the terminal echoes `^C`.
        let mark = isInterrupted && editor != nil ? "^C\n" : "\n"
        if !state.isErased || isInterrupted || editor == nil {
            OutputStream.standardOutput.write(mark)
        }
        return (isInterrupted ? .interrupted(isEmpty: plain.isEmpty) : .end, false)
    }

    private func readEdited(_ editor: OpaquePointer) -> String? {
        marksPastes(true)
        defer { marksPastes(false) }
        guard let line = cle_read_line(editor, prompt) else { return nil }
        defer { free(line) }
        return String(cString: line)
    }

    /// Has the terminal mark the beginning and the end of a text that is pasted.
    private func marksPastes(_ isOn: Bool) {
        OutputStream.standardOutput.write("\u{1B}[?2004\(isOn ? "h" : "l")")
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

    /// Serves requests until there is a byte. Returns 1, 0 at the end, or -1 to give up the line.
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
            let count = LibC.read(STDIN_FILENO, byte, 1)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            return count > 0 ? 1 : 0
        }
    }

    /// Serves the requests of other threads. Returns false to give up the line.
    private func serve() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 64)
        while LibC.read(wake.read, &bytes, bytes.count) > 0 {}
        let wishes = state.withLock { state in
            defer {
                state.text = ""
                state.isResized = false
                state.isSuspended = false
            }
            return state
        }
        if wishes.isSuspended { stopProcess() }
        let isErased = (wishes.isResized && editor != nil) || !wishes.text.isEmpty
        if isErased { erase() }
        if wishes.isResized, let editor { cle_resize(editor) }
        OutputStream.standardOutput.write(wishes.text)
        if wishes.isClosed || wishes.isInterrupted {
            let vanishes = wishes.isClosed && wishes.isErased && !wishes.isInterrupted
            if editor != nil, !isErased, hasStatus || vanishes {
                erase()
                if !vanishes { redraw() }
            }
            if let line = typed { plain = Array(line.text.utf8) }
            return false
        }
        if isErased || wishes.isSuspended {
            drawStatus(wishes.status)
            redraw()
        } else {
            redrawStatus(wishes.status)
        }
        return true
    }

    private func stopProcess() {
        if let editor {
            marksPastes(false)
            cle_hold_terminal(editor, false)
        }
        kill(getpid(), SIGSTOP)
        if let editor {
            cle_hold_terminal(editor, true)
            marksPastes(true)
        }
    }
}
