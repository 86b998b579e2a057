import LibC
package import PlainValue
import Synchronization
public import WorkflowLua

/// A recording that is being written: the events of a session, one JSON object a line, each with a sum by which damage
/// is found.
///
/// Each line is handed to the system as it happens, so it survives the end of the process, also by `kill -9`; a line
/// that was cut is left out when the recording is read. When a line cannot be written, on a full disk say, the recording
/// ends there and the session tells so with an event. Belongs to one session.
public final class FlowJournal: Sendable {
    /// The path of the file.
    public let path: String
    private let file: Int32
    let secrets: Set<String>
    private let isSynced: Bool
    private let hasEnded = Atomic(false)

    /// Makes a new file.
    ///
    /// - Parameters:
    ///   - path: Where; there must be no such file yet.
    ///   - secrets: The names of fields whose values are recorded as `"[secret]"`, wherever they stand; the locals of errors
    ///     are then left out. What a flow writes into a text, such as a message, is recorded as it is.
    ///   - isSynced: Whether each line is brought to the disk itself, so that it survives a power cut; that takes
    ///     milliseconds a line.
    /// - Throws: A `FlowError` with the code `recording`.
    public init(
        path: String, secrets: Set<String> = [], isSynced: Bool = false
    ) throws(FlowError) {
        self.path = path
        self.secrets = secrets
        self.isSynced = isSynced
        file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            let reason = errno
            throw FlowError(
                .recording,
                reason == EEXIST
                    ? "there is a file \(path) already"
                    : "\(path) cannot be made: \(String(cString: strerror(reason)))",
                help: reason == EEXIST ? "record into a new file, or remove this one first" : nil)
        }
    }

    deinit { close(file) }

    /// Writes an event, unless the recording has ended.
    ///
    /// - Returns: Why it cannot be written, the first time that it is so.
    package func write(_ event: FlowEvent) -> FlowError? {
        guard !hasEnded.load(ordering: .relaxed) else { return nil }
        let line = TextSum.line(of: event.record(hiding: secrets))
        var written = 0
        while written < line.count {
            let count = line.withUnsafeBytes { bytes in
                bytes.baseAddress.map { LibC.write(file, $0 + written, line.count - written) } ?? 0
            }
            if count < 0, errno != EINTR { return ended(by: errno) }
            written += max(count, 0)
        }
        if isSynced, fsync(file) != 0 { return ended(by: errno) }
        return nil
    }

    private func ended(by reason: Int32) -> FlowError {
        hasEnded.store(true, ordering: .relaxed)
        return FlowError(
            .recording,
            "the recording \(path) ends here: \(String(cString: strerror(reason)))",
            help:
                "what was recorded before can be replayed; the session goes on without a recording")
    }
}

extension FlowEvent {
    /// The event as a plain value, without what stands under some names.
    package func record(hiding secrets: Set<String>) -> Value { record.event(hiding: secrets) }
}

extension Value {
    /// The record of an event, without what stands under some names.
    package func event(hiding secrets: Set<String>) -> Value {
        guard !secrets.isEmpty, case .record(var fields) = self else { return self }
        // The locals of an error are texts, in which no fields can be told apart.
        fields["locals"] = nil
        return Value.record(fields).redacting(secrets)
    }

    /// The same value with what stands under some names made unreadable.
    package func redacting(_ names: Set<String>) -> Value {
        if names.isEmpty { return self }
        switch self {
        case .record(let record):
            var copy: Value.Record = [:]
            for (name, value) in record {
                copy[name] = names.contains(name) ? "[secret]" : value.redacting(names)
            }
            return .record(copy)
        case .list(let list): return .list(Value.List(list.map { $0.redacting(names) }))
        default: return self
        }
    }
}
