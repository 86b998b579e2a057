import LibC
import LuaVM
import WorkerKit
import WorkflowLua

struct SourceFiles {
    private(set) var files: [CheckedFile] = []
    private(set) var problems: [Problem] = []
    private var seen: Set<String> = []
    private let excluded: [String]
    /// The folders of libraries, with links resolved and a slash at the end.
    private let libraries: [String]

    /// The files at `paths`, without excluded ones. Hidden files and links in folders are skipped.
    ///
    /// - Throws: A ``FlowError`` for a path that does not exist or contains no Lua files.
    init(
        _ paths: [String], excluding excluded: [String] = [], libraries: [String] = []
    ) throws(FlowError) {
        self.excluded = excluded.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
        self.libraries = libraries.compactMap { resolvedPath($0).map { $0 + "/" } }
        for path in paths {
            guard resolvedPath(path) != nil else { throw FlowError(.noSource, path) }
            let count = seen.count
            if FilePath.isFolder(path) {
                walk(path == "." ? "" : path)
                guard seen.count > count || paths.count > 1 else {
                    throw FlowError(.noLuaFiles, path)
                }
            } else if !isExcluded(path) {
                add(path)
            }
        }
    }

    /// True if the name or a beginning of the path is excluded.
    private func isExcluded(_ path: String) -> Bool {
        excluded.contains { pattern in
            if !pattern.contains("/") { return fnmatch(pattern, path.nameOfPath, 0) == 0 }
            let wanted = pattern.hasPrefix("./") ? String(pattern.dropFirst(2)) : pattern
            let path = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
            return fnmatch(wanted, path, FNM_PATHNAME) == 0
        }
    }

    private mutating func walk(_ folder: String) {
        let names: [String]
        switch fileNames(in: folder.isEmpty ? "." : folder) {
        case .success(let found): names = found
        case .failure(let failure):
            problems.append(
                Problem(.load, folder, line: nil, "the folder cannot be read: \(failure.reason)"))
            return
        }
        for name in names where !name.hasPrefix(".") {
            let path = folder.isEmpty ? name : folder == "/" ? "/\(name)" : "\(folder)/\(name)"
            if FilePath.isLink(path) || isExcluded(path) { continue }
            if FilePath.isFolder(path) { walk(path) } else if path.hasSuffix(".lua") { add(path) }
        }
    }

    private mutating func add(_ path: String) {
        guard let resolved = resolvedPath(path), seen.insert(resolved).inserted else { return }
        let isLibrary =
            resolved.contains("/lua_modules/") || libraries.contains { resolved.hasPrefix($0) }
        let limit = isLibrary ? LuaVM.librarySourceLimit : LuaVM.Options().sourceLimit
        switch readFile(resolved, takingUpTo: limit, isRegular: true) {
        case .success(let bytes):
            if CheckedFile.isMeta(bytes) { return }
            let shown = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
            guard bytes.count <= limit else {
                problems.append(
                    Problem(
                        .syntax, shown, line: nil, "the source text has more than \(limit) bytes"))
                return
            }
            files.append(
                CheckedFile(path: shown, resolved: resolved, bytes: bytes, isLibrary: isLibrary))
        case .failure(let failure):
            problems.append(
                Problem(.load, path, line: nil, "the file cannot be read: \(failure.reason)"))
        }
    }
}
