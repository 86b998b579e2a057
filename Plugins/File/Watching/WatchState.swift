import WorkerKit

/// The last look of a watch: a whole folder, or one file in it. It keeps no folder open, since the
/// system does not report the removal of an open folder.
struct WatchState {
    /// True if the folder is no longer in its place.
    private(set) var isGone = false

    private let path: String
    private let folderPath: String
    /// The name of the single file; nil for all.
    private let only: String?
    private let identity: FileStatus
    /// The absolute path without links, and the folder for relative paths.
    private let (granted, base): (String, String)
    /// By name. The single file has none: a link may lead to one of another name.
    private var seen: [String: FileStatus] = [:]

    /// A watch that has not looked yet.
    init(_ path: String, at granted: String, from base: String) throws(WorkerError) {
        self.path = path
        self.granted = granted
        self.base = base
        let folder: OpenFolder
        if let whole = try? OpenFolder(at: granted) {
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

    /// True if the path now leads to another file or folder, because a link was replaced.
    var leadsElsewhere: Bool {
        FilePath.resolve(path, from: base).map { $0 != granted } ?? false
    }

    func folder() throws(WorkerError) -> OpenFolder {
        let folder = try OpenFolder(path, at: folderPath)
        guard let status = try? folder.descriptor.status(), status.isSameFile(as: identity) else {
            throw WorkerError(Failure.changed, at: path)
        }
        return folder
    }

    mutating func look() throws(WorkerError) { seen = try contents(of: try folder()) }

    /// The changes since the last look, sorted by name, after an overflow if there was one.
    mutating func changes(after folder: FolderChanges) throws(WorkerError) -> [FileWatch.Output] {
        let before = seen
        guard !folder.isGone, try lookAgain() else {
            isGone = true
            return only == nil || !before.isEmpty ? [.init(path: path, event: .removed)] : []
        }
        let written = only.map { folder.written.contains($0) ? [""] : [] } ?? folder.written
        return (folder.hasOverflowed ? [.init(path: path, event: .overflow)] : [])
            + outputs(ListingDifference(before: before, after: seen, written: written))
    }

    /// The differences from the last look, when the path led elsewhere.
    func changes(since before: WatchState) -> [FileWatch.Output] {
        outputs(ListingDifference(before: before.seen, after: seen, written: []))
    }

    private func outputs(_ difference: ListingDifference) -> [FileWatch.Output] {
        difference.changes.map { change in
            FileWatch.Output(
                path: path(of: change.name), event: change.event,
                from: change.from.map { path(of: $0) })
        }
    }

    /// Looks again if the folder is still in its place. Returns true if it is.
    private mutating func lookAgain() throws(WorkerError) -> Bool {
        do {
            try look()
            return true
        } catch  where ["not_found", "not_a_folder", "changed"].contains(error.code) {
            return false
        }
    }

    private func contents(of folder: OpenFolder) throws(WorkerError) -> [String: FileStatus] {
        guard let only else {
            return Dictionary(
                try folder.entries(of: path).map { ($0.name, $0.status) },
                uniquingKeysWith: { first, _ in first })
        }
        let status = try at(path) { () throws(Failure) in try folder.status(of: only) }
        return status.map { ["": $0] } ?? [:]
    }

    /// The path of a name in the flow's spelling.
    private func path(of name: String) -> String {
        guard only == nil, !name.isEmpty else { return path }
        return path.hasSuffix("/") ? path + name : "\(path)/\(name)"
    }
}
