import LibC
import Terminal
import WorkflowLua

/// Finds files of tests.
enum TestFiles {
    static let suffix = "_test.lua"

    /// The test files in these paths, in order; a path that is a file is one whatever its name.
    ///
    /// - Throws: A ``FlowError`` for a path that is not there, or if no file was found at all.
    static func find(in paths: [String]) throws(FlowError) -> [String] {
        var found: [String] = []
        for path in paths {
            guard let kind = FileKind(path) else {
                throw FlowError(
                    .file, "there is no file or folder \(printable(path))",
                    help: "give the path of a test file, or of a folder to look in")
            }
            switch kind {
            case .folder: found += files(below: path) { $0.hasSuffix(suffix) }
            case .file: found.append(path)
            }
        }
        var known: Set<String> = []
        found = found.filter { known.insert($0).inserted }
        guard !found.isEmpty else {
            throw FlowError(
                .file,
                "there are no tests: no file in \(printable(paths.joined(separator: ", "))) "
                    + "ends in \(suffix)",
                help: "write counter_test.lua beside counter.lua, or give another folder")
        }
        return found
    }

    /// The files below a folder in order, without hidden ones and links to folders.
    static func files(below folder: String, _ isWanted: (String) -> Bool) -> [String] {
        var files: [String] = []
        for name in (try? fileNames(in: folder).get()) ?? [] where !name.hasPrefix(".") {
            // What is below `.` is named without it.
            let path =
                folder == "." ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            switch FileKind(path, followsLinks: false) ?? FileKind(path) {
            case .folder?: files += Self.files(below: path, isWanted)
            case .file? where isWanted(name): files.append(path)
            default: break
            }
        }
        return files
    }
}

/// The kind of file at a path.
enum FileKind {
    case file, folder

    /// - Parameter followsLinks: False if a link to a folder is nothing.
    init?(_ path: String, followsLinks: Bool = true) {
        var status = stat()
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: self = .folder
        case S_IFREG: self = .file
        default: return nil
        }
    }
}
