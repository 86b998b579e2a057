import FlowPrinting
import FlowREPL
import LibC
import PlainValue
import Synchronization
import Terminal
import WorkerKit
import WorkflowKit
import WorkflowLua
import WorkflowPlugins

/// The file of `--audit`: a line of JSON for each granted or refused access of a worker.
final class AccessAudit: Sendable {
    private let path: String
    private let output: OutputStream
    private let hasFailed = Mutex(false)

    /// Opens the file to append lines, or throws a ``Refusal``.
    init(path: String) throws(Refusal) {
        try ReplacedFile.audit.require(path, for: "--audit")
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw Refusal(FlowError(.unwritable, "--audit: \(path)", SystemFailure()), .io)
        }
        self.path = path
        output = OutputStream(file: file)
    }

    /// Writes a line before the access takes place. A failure to write is reported once.
    func record(_ access: WorkerAccess, at now: Int) {
        let line: Value = [
            "at": .string(rfc3339(milliseconds: now)), "worker": .string(access.worker),
            "access": .string(access.access.description), "granted": .bool(access.isGranted),
        ]
        guard output.write(line.json + "\n") != nil else { return }
        let isFirst = hasFailed.withLock { hasFailed in
            defer { hasFailed = true }
            return !hasFailed
        }
        if isFirst {
            OutputStream.standardError.write("error: --audit: \(path) cannot be written any more\n")
        }
    }
}
