import LibC
import PlainValue
import Terminal
import WorkerKit
import WorkflowKit
import WorkflowLua

/// The permanent grants of a user for the present files of a flow.
///
/// They are in `workflow-run/grants` below `$XDG_STATE_HOME`, in a file for each flow, which only
/// its owner can read. The file contains the text of every Lua file in the flow's folder and below.
/// When one of them is changed or added, the grants are void.
struct RememberedGrants {
    private static let mostBytes = 8 << 20
    private static let mostFiles = 1000

    /// The absolute path of the flow's file.
    private let flow: String
    /// The file of the grants.
    private let path: String

    /// Nil if the flow does not exist, or there is no folder for state files.
    init?(flow: String, folder: String? = LineHistory.stateFolder) {
        guard let resolved = resolvedPath(flow), let folder else { return nil }
        self.flow = resolved
        let hash = StableHash(resolved.utf8).value
        path = "\(folder)/grants/\(String(hash, radix: 16)).json"
    }

    /// The grants, if the flow is unchanged; otherwise none.
    var grants: [Grant] {
        guard case .success(let bytes) = readFile(path, limit: 2 * Self.mostBytes, isRegular: true),
            let kept = try? Value(json: bytes), kept["flow"] == .string(flow),
            let files = kept["files"]?.record, files == self.files,
            let grants = kept["grants"]?.list
        else { return [] }
        return grants.compactMap { $0.string.flatMap { try? Grant(parsing: $0) } }
    }

    /// Stores grants for the flow's present files; false if its folder is too large, or the file
    /// cannot be written.
    func keep(_ grants: [Grant]) -> Bool {
        guard let files else { return false }
        let kept: Value = [
            "flow": .string(flow), "files": .record(files),
            "grants": .list(.init(grants.map { .string("\($0)") })),
        ]
        LineHistory.makeFolder(path.folderOfPath)
        do throws(FlowError) { try writeFile(kept.json + "\n", to: path) } catch { return false }
        return chmod(path, 0o600) == 0
    }

    /// The texts of the Lua files that the flow can load, by path relative to its folder.
    private var files: Value.Record? {
        var files: Value.Record = [:]
        var bytes = 0
        var waiting = [""]
        while let inner = waiting.popLast() {
            let folder = flow.folderOfPath + "/" + inner
            guard case .success(let names) = fileNames(in: folder) else { return nil }
            for name in names {
                let path = inner + name
                let place = folder + name
                if FilePath.isFolder(place) {
                    // A link could lead back.
                    if !FilePath.isLink(place) { waiting.append(path + "/") }
                } else if name.hasSuffix(".lua") {
                    guard
                        case .success(let read) = readFile(
                            place, limit: Self.mostBytes, isRegular: true),
                        let text = String(validating: read, as: UTF8.self)
                    else { return nil }
                    bytes += read.count
                    guard bytes <= Self.mostBytes, files.count < Self.mostFiles else { return nil }
                    files[path] = .string(text)
                }
            }
        }
        return files
    }
}
