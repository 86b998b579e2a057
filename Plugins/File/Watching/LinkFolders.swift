import LibC
import WorkerKit

/// The folders of the links on the way to a file. The path leads elsewhere if one is replaced.
enum LinkFolders {
    /// The maximum number of links that are followed, the same as that of Linux.
    private static let mostLinks = 40

    /// - Parameter folder: The absolute path of the folder for relative paths.
    static func of(_ path: String, from folder: String) -> Set<String> {
        var folders: Set<String> = []
        var names = names(of: path.hasPrefix("/") ? path : "\(folder)/\(path)")
        var reached = ""
        var links = 0
        while let name = names.popLast() {
            if name == ".." {
                reached = reached.lastIndex(of: "/").map { String(reached[..<$0]) } ?? ""
                continue
            }
            guard let target = target(ofLink: "\(reached)/\(name)") else {
                reached += "/\(name)"
                continue
            }
            links += 1
            guard links <= mostLinks else { break }
            folders.insert(reached.isEmpty ? "/" : reached)
            if target.hasPrefix("/") { reached = "" }
            names += Self.names(of: target)
        }
        return folders
    }

    /// The names of a path, the first one last.
    private static func names(of path: String) -> [Substring] {
        path.split(separator: "/").reversed().filter { $0 != "." }
    }

    private static func target(ofLink path: String) -> String? {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &text, text.count)
        guard count >= 0 else { return nil }
        return String(validating: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
