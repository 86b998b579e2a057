import LibC

/// Paths in the form in which grants are compared: absolute, with all links followed.
package enum FilePath {
    static var currentFolder: String {
        realPath(of: ".") ?? "/"
    }

    /// The path as it is if it is absolute, and otherwise from a folder on.
    static func absolute(_ path: String, from folder: String) -> String {
        path.hasPrefix("/") ? path : folder + (folder.hasSuffix("/") ? "" : "/") + path
    }

    /// The absolute path without links of a file or folder that exists or could be created. Several
    /// names at the end may not exist yet, but none of them may be `..`. `nil` for any other path,
    /// and for one that ends in a link to nowhere.
    package static func resolve(_ path: String, from folder: String) -> String? {
        guard !path.isEmpty, !path.utf8.contains(0) else { return nil }
        var head = absolute(path, from: folder)
        var tail: [Substring] = []
        while true {
            if let real = realPath(of: head) {
                // Nothing can exist below a file.
                guard !tail.isEmpty else { return real }
                guard isFolder(real) else { return nil }
                return absolute(tail.reversed().joined(separator: "/"), from: real)
            }
            // A link that leads nowhere yet might lead anywhere by the time of its use.
            guard !isLink(head) else { return nil }
            let parts = head.split(separator: "/")
            guard let last = parts.last, last != ".." else { return nil }
            if last != "." { tail.append(last) }
            head = "/" + parts.dropLast().joined(separator: "/")
        }
    }

    package static func realPath(of path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(validatingCString: real)
    }

    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    package static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
}
