import LibC
import WorkerKit

/// Does something at a path, which is as the flow wrote it; a failure of the system gets words.
func at<Result>(
    _ path: String, _ body: () throws(Failure) -> Result
) throws(WorkerError) -> Result {
    do {
        return try body()
    } catch {
        throw WorkerError(error, at: path)
    }
}

extension WorkerError {
    /// The error of the system at a path, which is as the flow wrote it.
    init(_ failure: Failure, at path: String) {
        switch failure.number {
        case ENOENT:
            self.init("not_found", "there is no '\(path)'")
        case ENOTDIR, ELOOP:
            // Links were followed before; one that is there now was put there since.
            self.init("changed", "the path '\(path)' was changed while it was used")
        case EACCES, EPERM, EROFS:
            self.init(
                "no_permission", "'\(path)': \(Self.text(of: failure))",
                help: "the user who runs the host may not do this")
        default:
            self.init("failed", "'\(path)': \(Self.text(of: failure))")
        }
    }

    /// The error for what is there, but is no file.
    static func noFile(_ path: String, _ kind: FileKind) -> WorkerError {
        switch kind {
        case .folder:
            WorkerError("not_a_file", "'\(path)' is a folder", help: "list it with file.list")
        case .link, .file: WorkerError(Failure.changed, at: path)
        case .other:
            WorkerError("not_a_file", "'\(path)' is no regular file", help: "name a regular file")
        }
    }

    private static func text(of failure: Failure) -> String {
        String(cString: strerror(failure.number))
    }
}
