import CLineEditor
import Dispatch
import LibC
import Synchronization

/// Reads lines from a terminal, and shows text above the line that is being typed.
///
/// The line is edited by libedit; without it, or on a terminal that cannot move its cursor, the
/// terminal's own way of typing a line has to do.
///
/// `@unchecked Sendable` because the editor and what hangs on it are used by the reading thread
/// only; what others ask of it goes through `state`.
package final class LineEditor: @unchecked Sendable {
    enum Result {
        case line(String)
        case interrupted(isEmpty: Bool)
        case end
    }

    /// Requests to the thread that reads.
    struct State {
        var isReading = false
        var isInterrupted = false
        /// True if nothing more will be read.
        var isClosed = false
        var isResized = false
        var isSuspended = false
        /// Text to show above the line.
        var text = ""
        /// True if the line is taken off the screen when nothing more is read.
        var isErased = false
        /// A line about what is at work, which is kept at the bottom.
        var status = ""
        /// True if it stands there by itself, since no line is being typed.
        var hasStatus = false
        /// The number of interrupts of a call that is not over yet.
        var impatience = 0
    }

    let state = Mutex(State())
    let hasStopped = DispatchSemaphore(value: 0)
    /// A pipe that wakes the reading thread.
    var wake: (read: Int32, write: Int32) = (-1, -1)
    var editor: OpaquePointer?
    var complete: (String) -> Completion = { Completion(typed: $0) }
    /// Called when a call is interrupted that is not over, with how often it was.
    var onBusy: @Sendable (Int) -> Void = { _ in }
    var prompt = ""
    /// True if the line about what is at work stands above the prompt.
    var hasStatus = false
    /// The bytes of a line that is typed without libedit.
    var plain: [UInt8] = []

    package init() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        wake = (ends[0], ends[1])
    }

    /// The width of the terminal.
    package static var columns: Int {
        let columns = Int(cle_columns())
        return columns > 0 ? columns : 80
    }

    /// True if the terminal's cursor can be moved.
    package static var canEdit: Bool {
        environmentVariable("TERM").map { $0 != "dumb" } ?? false
    }

    // MARK: From anywhere

    /// Shows whole lines, above the one that is being typed.
    package func show(_ text: String) {
        state.withLock { state in
            guard state.isReading else {
                // Within the lock, so that texts stay in order.
                let status = state.hasStatus ? state.status : ""
                state.eraseStatus()
                OutputStream.standardOutput.write(text)
                state.drawStatus(status)
                return
            }
            state.text += text
        }
        signalReader()
    }

    /// Keeps a line at the bottom, above the one that is being typed; an empty one is taken away.
    ///
    /// - Parameter text: It takes less than the width of the terminal.
    package func showStatus(_ text: String) {
        let isReading = state.withLock { state in
            let isNew = state.status != text
            state.status = text
            if !state.isReading, isNew {
                state.eraseStatus()
                state.drawStatus(text)
            }
            return state.isReading && isNew
        }
        if isReading { signalReader() }
    }

    func clear() {
        if Self.canEdit { show("\u{1B}[H\u{1B}[2J") }
    }

    /// Gives up the line that is being typed. Where none is, says so, and how often.
    func interrupt() {
        let impatience = state.withLock { state in
            if state.isReading {
                state.isInterrupted = true
                return 0
            }
            state.impatience += 1
            return state.impatience
        }
        if impatience == 0 { signalReader() } else { onBusy(impatience) }
    }

    /// True if what was interrupted is still not over: no line was asked for since.
    var isInterrupting: Bool { state.withLock { $0.impatience > 0 } }

    /// True if a line is being typed.
    var isReading: Bool { state.withLock(\.isReading) }

    /// Gives up the typed line. Without one, what is shown next begins on a new row.
    func dropLine() {
        let isReading = state.withLock { state in
            if state.isReading { state.isInterrupted = true }
            return state.isReading
        }
        if isReading { signalReader() } else { show("\n") }
    }

    /// Takes note of a new size of the terminal.
    func resize() {
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
    ///
    /// Waits for the thread that reads, however busy the machine is: what the process shows last must not get lost. Whoever
    /// ends a process that cannot wait has a limit of its own.
    ///
    /// - Parameter erasing: Whether the line that is being typed is taken off the screen.
    func close(erasing: Bool = false) {
        let isReading = state.withLock { state in
            state.isClosed = true
            state.isErased = erasing
            return state.isReading
        }
        guard isReading else { return }
        signalReader()
        hasStopped.wait()
    }

    func signalReader() {
        var byte: UInt8 = 0
        _ = systemWrite(wake.write, &byte, 1)
    }
}

extension LineEditor.State {
    /// Draws a status where no line is being typed.
    mutating func drawStatus(_ text: String) {
        hasStatus = !text.isEmpty
        if hasStatus { OutputStream.standardOutput.write(text) }
    }

    mutating func eraseStatus() {
        if hasStatus { OutputStream.standardOutput.write("\r\u{1B}[2K") }
        hasStatus = false
    }
}

/// The system's function, which the editor's own would hide.
private func systemWrite(_ file: Int32, _ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int {
    write(file, bytes, count)
}
