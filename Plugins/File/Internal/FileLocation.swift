import WorkerKit

/// The name of a file, which may not exist, in an open folder.
struct FileLocation: Sendable {
    /// The path in the flow, for errors.
    let path: String
    let folder: OpenFolder
    let name: String

    /// - Parameter granted: The absolute path without links.
    init(_ path: String, at granted: String) throws(WorkerError) {
        guard let slash = granted.lastIndex(of: "/"), granted != "/" else {
            throw .noFile(path, .folder)
        }
        self.path = path
        name = String(granted[granted.index(after: slash)...])
        folder = try OpenFolder(path, at: String(granted[...slash]))
    }
}
