import LibC
import WorkerKit
import WorkflowLua

/// The Lua files that tests depend on, as they were at one moment.
struct WatchedFiles {
    private struct Stamp: Equatable {
        let seconds: Int
        let nanoseconds: Int
        let size: Int
    }

    private let folders: [String]
    private let stamps: [String: Stamp]

    /// The files in these paths; beside a file, those in its folder.
    init(_ paths: [String]) {
        folders = paths.map { path in
            if FilePath.isFolder(path) { return path }
            return path.contains("/") ? path.folderOfPath : "."
        }
        stamps = Self.stamps(in: folders)
    }

    /// Waits until a file is changed, made or removed.
    func untilChanged() async {
        // Looking is simple and the same everywhere; these are few files.
        while Self.stamps(in: folders) == stamps { try? await Task.sleep(for: .milliseconds(200)) }
    }

    private static func stamps(in folders: [String]) -> [String: Stamp] {
        var stamps: [String: Stamp] = [:]
        for folder in folders {
            for path in TestFiles.files(below: folder, { $0.hasSuffix(".lua") }) {
                var status = stat()
                guard stat(path, &status) == 0 else { continue }
                #if canImport(Darwin)
                    let time = status.st_mtimespec
                #else
                    let time = status.st_mtim
                #endif
                stamps[path] = Stamp(
                    seconds: time.tv_sec, nanoseconds: time.tv_nsec, size: Int(status.st_size))
            }
        }
        return stamps
    }
}
