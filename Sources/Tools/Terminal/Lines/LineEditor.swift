import CTerminal
import Dispatch
import LibC
import Synchronization

/// Reads lines from a terminal, and shows text above the line that is being typed.
///
/// libedit edits the line. Without libedit, or on a terminal that cannot move its cursor, the
/// terminal's own line editing is used.
///
/// `@unchecked Sendable` because only the reading thread uses its variables. Others use `state`.
package final class LineEditor: @unchecked Sendable {
    enum Result {
        case line(String)
        case interrupted(isEmpty: Bool)
        case end
    }

    /// Requests to the reading thread.
    struct State {
        var isReading = false
        var isInterrupted = false
        var isClosed = false
        var isResized = false
        var isSuspended = false
        /// Text to show above the line.
        var text = ""
        /// True if the line is erased when reading stops.
        var isErased = false
        /// The status line, shown at the bottom.
        var status = ""
        /// True if the status is on the screen without a line being typed.
        var hasStatus = false
        /// The number of times that the running call was interrupted.
        var impatience = 0
    }

    let state = Mutex(State())
    let hasStopped = DispatchSemaphore(value: 0)
    /// A pipe that wakes the reading thread.
    var wake: (read: Int32, write: Int32) = (-1, -1)
    var editor: OpaquePointer?
    var complete: (String) -> Completion = { Completion(typed: $0) }
    /// Called when a running call is interrupted, with the number of interrupts so far.
    var onBusy: @Sendable (Int) -> Void = { _ in }
    var prompt = ""
    /// True if the status is on the screen above the prompt.
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

    package static var columns: Int {
        let columns = Int(cle_columns())
        return columns > 0 ? columns : 80
    }

    package static var rows: Int {
        let rows = Int(cle_rows())
        return rows > 0 ? rows : 24
    }

    /// True if the terminal can move its cursor.
    package static var canEdit: Bool {
        environmentVariable("TERM").map { $0 != "dumb" } ?? false
    }

    // MARK: From any thread

    /// Shows whole lines above the line that is being typed.
    package func show(_ text: String) {
        state.withLock { state in
            guard state.isReading else {
                // The lock keeps the texts in order.
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

    /// Shows a status, shorter than the terminal is wide, above the typed line or at the bottom. An
    /// empty text removes it.
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

    /// Gives up the line that is being typed. If there is none, calls `onBusy`.
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

    /// True while the interrupted call runs: no line has been requested since.
    var isInterrupting: Bool { state.withLock { $0.impatience > 0 } }

    var isReading: Bool { state.withLock(\.isReading) }

    /// Discards the line that is being typed. If there is none, starts a new row.
    func dropLine() {
        let isReading = state.withLock { state in
            if state.isReading { state.isInterrupted = true }
            return state.isReading
        }
        if isReading { signalReader() } else { show("\n") }
    }

    /// Tells the reading thread that the terminal's size has changed.
    func resize() {
        state.withLock { $0.isResized = true }
        signalReader()
    }

    /// Stops the process until the user continues it.
    func suspend() {
        let isReading = state.withLock { state in
            if state.isReading { state.isSuspended = true }
            return state.isReading
        }
        if isReading { signalReader() } else { kill(getpid(), SIGSTOP) }
    }

    /// Restores the terminal and stops reading; `erasing` removes the line that is being typed.
    /// Waits for the reading thread, without a limit, so that the last output is not lost.
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
        _ = write(wake.write, &byte, 1)
    }
}

extension LineEditor.State {
    /// Draws a status while no line is being typed.
    mutating func drawStatus(_ text: String) {
        hasStatus = !text.isEmpty
        if hasStatus { OutputStream.standardOutput.write(text) }
    }

    mutating func eraseStatus() {
        if hasStatus { OutputStream.standardOutput.write("\r\u{1B}[2K") }
        hasStatus = false
    }
}

/// The candidates for completing the text at the cursor.
package struct Completion: Equatable, Sendable {
    /// The end of the typed text, which a candidate replaces.
    package var typed: String
    package var candidates: [String]

    package init(typed: String, candidates: [String] = []) {
        self.typed = typed
        self.candidates = candidates
    }
}
