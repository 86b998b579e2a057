import WorkerKit
import WorkflowLua

/// The Lua files that tests depend on, at one moment.
struct WatchedFiles {
    private let paths: [String]
    private let stamps: [String: FileStamp]

    /// The files in these paths. For a file, those in its folder and in that of a file it links to.
    init(_ paths: [String]) {
        self.paths = paths
        // Anew each time, since a link may lead elsewhere by now.
        let folders = paths.flatMap { path -> [String] in
            if FilePath.isFolder(path) { return [path] }
            let file = FilePath.realPath(of: path) ?? path
            return Set([path, file].map { $0.contains("/") ? $0.folderOfPath : "." }).sorted()
        }
        stamps = Self.stamps(in: folders)
    }

    /// Waits until a file is changed, created or removed. Returns the files at that time: waiting
    /// with these next misses no change.
    func changed() async -> WatchedFiles {
        while true {
            // Polling is simple and works everywhere; these are few files.
            let seen = WatchedFiles(paths)
            if seen.stamps != stamps { return seen }
            try? await Task.sleep(for: .milliseconds(200))
        }
    }

    private static func stamps(in folders: [String]) -> [String: FileStamp] {
        var stamps: [String: FileStamp] = [:]
        for folder in folders {
            for path in TestFiles.files(below: folder, { $0.hasSuffix(".lua") }) {
                stamps[path] = FileStamp(path)
            }
        }
        return stamps
    }
}
