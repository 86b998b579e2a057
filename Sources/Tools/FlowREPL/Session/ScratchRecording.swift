import LibC
import PlainValue
import Synchronization
import Terminal
import WorkerKit
import WorkflowKit
import WorkflowLua

/// A recording of a session from its start, in an unnamed temporary file, which the system removes
/// when the process ends.
final class ScratchRecording: Sendable {
    private struct State {
        var length = 0
        /// The `errno` of a failed write.
        var failure: Int32?
    }

    private let file: Int32
    private let state = Mutex(State())

    init?() {
        file = TemporaryFile.openUnnamed()
        guard file >= 0 else { return nil }
    }

    deinit { close(file) }

    /// Appends an event as a line. Returns the line's place without its line feed.
    func append(_ event: FlowEvent) -> Range<Int>? {
        let line = event.record.json + "\n"
        return state.withLock { state in
            guard state.failure == nil else { return nil }
            guard OutputStream(file: file).write(line) == nil else {
                state.failure = errno
                return nil
            }
            let start = state.length
            state.length += line.utf8.count
            return start..<state.length - 1
        }
    }

    func event(at place: Range<Int>) -> Value? {
        (try? text(in: place)).flatMap { try? Value(json: $0) }
    }

    func text(hiding secrets: SecretTexts) throws(FlowError) -> String {
        let text = try text(in: 0..<state.withLock(\.length))
        guard !secrets.names.isEmpty else { return text }
        var shown = ""
        for line in text.split(separator: "\n") {
            guard let event = try? Value(json: String(line)) else {
                throw FlowError(.unreadableRecording)
            }
            secrets.add(from: event)
            shown += secrets.hiding(event: event).json + "\n"
        }
        return shown
    }

    private func text(in place: Range<Int>) throws(FlowError) -> String {
        if let failure = state.withLock(\.failure) {
            throw FlowError(.fullDisk, SystemFailure(number: failure))
        }
        var bytes = [UInt8](repeating: 0, count: place.count)
        var read = 0
        while read < bytes.count {
            let count = bytes.withUnsafeMutableBytes { bytes in
                let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[read...])
                return pread(file, rest.baseAddress, rest.count, off_t(place.lowerBound + read))
            }
            if count == 0 || (count < 0 && errno != EINTR) {
                throw FlowError(.unreadableRecording)
            }
            read += max(count, 0)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
