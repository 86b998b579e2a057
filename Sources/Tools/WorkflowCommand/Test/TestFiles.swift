import Terminal
import WorkerKit
import WorkflowLua

enum TestFiles {
    static let suffix = "_test.lua"

    /// The test files in these paths, in order. A path of a file counts whatever its name.
    ///
    /// - Throws: A ``FlowError`` for a path that does not exist, or if no file was found at all.
    static func find(in paths: [String]) throws(FlowError) -> [String] {
        var found: [String] = []
        for path in paths {
            guard resolvedPath(path) != nil else { throw FlowError(.noTestFile, printable(path)) }
            found += FilePath.isFolder(path) ? files(below: path) { $0.hasSuffix(suffix) } : [path]
        }
        var known: Set<String> = []
        found = found.filter { known.insert($0).inserted }
        guard !found.isEmpty else {
            throw FlowError(.noTests, printable(paths.joined(separator: ", ")), suffix)
        }
        return found
    }

    /// The files below a folder in order, without hidden files and links to folders.
    static func files(below folder: String, _ isWanted: (String) -> Bool) -> [String] {
        let names = (try? fileNames(in: folder).get()) ?? []
        return names.filter { !$0.hasPrefix(".") }.flatMap { name in
            // Paths below `.` are shown without it.
            let path =
                folder == "." ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            guard FilePath.isFolder(path) else { return isWanted(name) ? [path] : [] }
            return FilePath.isLink(path) ? [] : files(below: path, isWanted)
        }
    }
}
