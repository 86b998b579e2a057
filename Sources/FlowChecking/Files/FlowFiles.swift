import WorkerKit
package import WorkflowLua

/// The flows in files and folders.
package enum FlowFiles {
    /// A file that is a flow.
    package struct File: Sendable, Hashable {
        package let path: String
        /// Whether it was found in a folder, and not named itself.
        package let isFound: Bool
    }

    /// The flows at `paths`: files as they are named, and in folders, which are walked, what returns a definition or is
    /// no Lua.
    ///
    /// - Throws: A `FlowError` for a path where there is nothing, or a folder without a flow.
    package static func find(at paths: [String]) throws(FlowError) -> [File] {
        var found: [File] = []
        for path in paths {
            let files = try SourceFiles([path]).files
            guard FilePath.isFolder(path) else {
                found.append(File(path: path, isFound: false))
                continue
            }
            // What cannot be understood may be a flow: passed over, it would be missed later.
            let flows = files.filter { $0.kind == .flow || $0.kind == .module && $0.source == nil }
            guard !flows.isEmpty else {
                throw FlowError(
                    .file, "there are no flows in \(path)", help: "make one with workflow-run new")
            }
            found += flows.map { File(path: $0.path, isFound: true) }
        }
        var known: Set<String> = []
        return found.filter { known.insert(resolvedPath($0.path) ?? $0.path).inserted }
    }
}
