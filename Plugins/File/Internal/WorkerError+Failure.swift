import LibC
import WorkerKit

/// Runs `body` for a path, and converts an error of the system. `path` is the flow's.
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
    /// Converts an error of the system for a path. `path` is the flow's.
    init(_ failure: Failure, at path: String) {
        switch failure.number {
        case ENOENT:
            self.init("not_found", "there is no '\(path)'")
        case ENOTDIR, ELOOP:
            // The granted path has no links, so this one was added later.
            self.init("changed", "the path '\(path)' was changed while it was used")
        case EACCES, EPERM, EROFS:
            self.init(
                "no_permission", "'\(path)': \(Self.text(of: failure))",
                help: "the user who runs the host may not do this")
        default:
            self.init("failed", "'\(path)': \(Self.text(of: failure))")
        }
    }

    static func noFile(_ path: String, _ kind: FileKind) -> WorkerError {
        switch kind {
        case .folder:
            WorkerError("not_a_file", "'\(path)' is a folder", help: "list it with file.list")
        case .link, .file: WorkerError(Failure.changed, at: path)
        case .other:
            WorkerError(
                "not_a_file", "'\(path)' is not a regular file", help: "name a regular file")
        }
    }

    private static func text(of failure: Failure) -> String {
        String(cString: strerror(failure.number))
    }
}
