import PlainValue
public import WorkflowLua

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A recording that is being written: the events of a session, one JSON object a line.
///
/// Each line is handed to the system as it happens, so it survives the end of the process, also by `kill -9`; a line
/// that was cut is left out when the recording is read. Belongs to one session.
public final class FlowJournal: Sendable {
    /// The path of the file.
    public let path: String
    private let file: Int32
    private let secrets: Set<String>
    private let isSynced: Bool

    /// Makes a new file.
    ///
    /// - Parameters:
    ///   - path: Where; there must be no such file yet.
    ///   - secrets: The names of fields whose values are recorded as `"[secret]"`, wherever they stand.
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

    func write(_ event: FlowEvent) {
        var record = event.record
        if !secrets.isEmpty { record = record.redacting(secrets) }
        var line = Array(record.json.utf8)
        line.append(UInt8(ascii: "\n"))
        var written = 0
        while written < line.count {
            let count = line.withUnsafeBytes { bytes in
                bytes.baseAddress.map { systemWrite(file, $0 + written, line.count - written) } ?? 0
            }
            // A full disk ends the recording at a whole or a cut line, which readers know how to deal with.
            if count < 0, errno != EINTR { return }
            written += max(count, 0)
        }
        if isSynced { fsync(file) }
    }
}

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    #if canImport(Glibc)
        Glibc.write(file, bytes, count)
    #elseif canImport(Musl)
        Musl.write(file, bytes, count)
    #else
        Darwin.write(file, bytes, count)
    #endif
}

extension Value {
    /// The same value with what stands under some names made unreadable.
    fileprivate func redacting(_ names: Set<String>) -> Value {
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
