import WorkerKit

/// The name in an open folder under which a file is or may be.
struct FileLocation: Sendable {
    /// The path as the flow wrote it, for errors.
    let path: String
    let folder: Folder
    let name: String

    /// The location of a path.
    ///
    /// - Parameters:
    ///   - path: The path as the flow wrote it.
    ///   - granted: The absolute path without links.
    init(_ path: String, at granted: String) throws(WorkerError) {
        guard let slash = granted.lastIndex(of: "/"), granted != "/" else {
            throw .noFile(path, .folder)
        }
        self.path = path
        name = String(granted[granted.index(after: slash)...])
        folder = try Folder(path, at: String(granted[...slash]))
    }
}
