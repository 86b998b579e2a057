import LibC
import Synchronization
public import WorkflowLua

/// Writes a recording: the events of one session, a JSON object per line, each with a checksum.
///
/// ```swift
/// options.journal = try FlowJournal(path: file, secrets: ["password"])
/// let session = try await FlowSession.open(.file(tea), options: options)
/// try await session.send(["type": "brew"])
/// await session.close()
/// ```
///
/// Each line is written to the file at once, so it survives the end of the process, also by `kill
/// -9`. A truncated line is ignored when the recording is read.
///
/// - Important: If a line cannot be written, for example on a full disk, the recording ends there
///   and the session emits an error event.
public final class FlowJournal: Sendable {
    /// The path of the file.
    public let path: String
    private let file: Int32
    let secrets: Set<String>
    private let isSynced: Bool
    private let hasEnded = Atomic(false)

    /// Creates a new file.
    ///
    /// ```swift
    /// do throws(FlowError) { options.journal = try FlowJournal(path: file) } catch {
    ///     print(error.message)  // there is a file tea.jsonl already
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path of the file, which must not exist.
    ///   - secrets: The names of fields whose values are recorded as `"[secret]"` everywhere; the
    ///     locals of errors are then left out. A value of four characters or more that appeared
    ///     under such a name is hidden in other texts too.
    ///   - isSynced: True if each line is synced to disk, in milliseconds, to survive a power cut.
    /// - Throws: A `FlowError` with the code `recording`.
    /// - Warning: A value that the flow derives from a secret, such as its upper case, is not
    ///   hidden.
    public init(path: String, secrets: Set<String> = [], isSynced: Bool = false) throws(FlowError) {
        self.path = path
        self.secrets = secrets
        self.isSynced = isSynced
        file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            let failure = SystemFailure()
            throw failure.number == EEXIST
                ? FlowError(.existingRecording, path)
                : FlowError(.unmakeable.with(.recording), path, failure)
        }
    }

    deinit { close(file) }

    /// Writes an event without what is secret, unless the recording has ended. Returns the error of
    /// the first event that cannot be written.
    package func write(_ event: FlowEvent, hiding secrets: SecretTexts = .none) -> FlowError? {
        guard !hasEnded.load(ordering: .relaxed) else { return nil }
        let line = TextSum.line(of: event.record(hiding: secrets))
        var written = 0
        // A disk that is almost full takes a part of the line.
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

    /// Removes the file of a session that did not begin: there is nothing to replay.
    func discard() {
        if !hasEnded.exchange(true, ordering: .relaxed) { unlink(path) }
    }

    private func ended(by reason: Int32) -> FlowError {
        hasEnded.store(true, ordering: .relaxed)
        return FlowError(.endedRecording, path, SystemFailure(number: reason))
    }
}
