import WorkerKit

/// What a watch has seen last: all of a folder, or one file of it.
///
/// It keeps no folder open: the system tells the end of a folder only when nobody has it open.
struct WatchState {
    /// Whether the folder is no more where it was.
    private(set) var isGone = false

    /// The path as the flow wrote it.
    private let path: String
    /// The absolute path of the folder, without links.
    private let folderPath: String
    /// The name of the one file, nil for all.
    private let only: String?
    private let identity: FileStatus
    private var seen: [String: FileStatus] = [:]

    /// A watch that has seen nothing yet.
    ///
    /// - Parameters:
    ///   - path: The path as the flow wrote it.
    ///   - granted: The absolute path without links.
    init(_ path: String, at granted: String) throws(WorkerError) {
        self.path = path
        let folder: Folder
        if let whole = try? Folder(at: granted) {
            folder = whole
            folderPath = granted
            only = nil
        } else {
            let file = try FileLocation(path, at: granted)
            folder = file.folder
            folderPath = String(granted.dropLast(file.name.count))
            only = file.name
        }
        identity = try at(path) { () throws(Failure) in try folder.descriptor.status() }
    }

    /// The folder in which changes are looked for.
    func folder() throws(WorkerError) -> Folder {
        let folder = try Folder(path, at: folderPath)
        guard let status = try? folder.descriptor.status(), status.isSameFile(as: identity) else {
            throw WorkerError(Failure.changed, at: path)
        }
        return folder
    }

    /// Takes what is there now as what was seen last.
    mutating func look() throws(WorkerError) { seen = try contents(of: try folder()) }

    /// What differs from what was seen last, in the order of the names; an overflow goes before.
    mutating func changes(after folder: FolderChanges) throws(WorkerError) -> [FileWatch.Output] {
        let before = seen
        guard !folder.isGone, try lookAgain() else {
            isGone = true
            return only == nil || !before.isEmpty ? [.init(path: path, event: .removed)] : []
        }
        let changes = ListingDifference(before: before, after: seen, written: folder.written)
            .changes
        return (folder.hasOverflowed ? [.init(path: path, event: .overflow)] : [])
            + changes.map { change in
                FileWatch.Output(
                    path: path(of: change.name), event: change.event,
                    from: change.from.map { path(of: $0) })
            }
    }

    /// Looks at the folder if it is still where it was; whether it is.
    private mutating func lookAgain() throws(WorkerError) -> Bool {
        do {
            try look()
            return true
        } catch  where ["not_found", "not_a_folder", "changed"].contains(error.code) {
            return false
        }
    }

    private func contents(of folder: Folder) throws(WorkerError) -> [String: FileStatus] {
        guard let only else {
            return Dictionary(
                try folder.entries(of: path).map { ($0.name, $0.status) },
                uniquingKeysWith: { first, _ in first })
        }
        let status = try at(path) { () throws(Failure) in try folder.status(of: only) }
        return status.map { [only: $0] } ?? [:]
    }

    /// The path of a name, as the flow would write it.
    private func path(of name: String) -> String {
        guard only == nil else { return path }
        return path.hasSuffix("/") ? path + name : "\(path)/\(name)"
    }
}
