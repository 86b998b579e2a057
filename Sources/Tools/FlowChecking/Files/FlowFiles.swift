import WorkerKit
package import WorkflowLua

/// Finds the flows in files and folders.
package enum FlowFiles {
    package struct File: Sendable, Hashable {
        package let path: String
        /// True if it was found in a folder rather than named.
        package let isFound: Bool
    }

    /// The flows at `paths`: named files, and those in folders with a definition or a syntax error.
    ///
    /// - Throws: A `FlowError` for a path that does not exist, or a folder without a flow.
    package static func find(at paths: [String]) throws(FlowError) -> [File] {
        var found: [File] = []
        for path in paths {
            let files = try SourceFiles([path]).files
            guard FilePath.isFolder(path) else {
                found.append(File(path: path, isFound: false))
                continue
            }
            // A file that cannot be parsed may be a flow, so its error must not go unnoticed.
            let flows = files.filter { $0.kind == .flow || $0.kind == .module && $0.source == nil }
            guard !flows.isEmpty else { throw FlowError(.noFlows, path) }
            found += flows.map { File(path: $0.path, isFound: true) }
        }
        var known: Set<String> = []
        return found.filter { known.insert(resolvedPath($0.path) ?? $0.path).inserted }
    }
}
