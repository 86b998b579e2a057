import LibC

/// Paths as grants compare them: absolute, with all links followed.
package enum FilePath {
    /// The current folder of the process, `/` if it has none.
    static var currentFolder: String {
        realPath(of: ".") ?? "/"
    }

    /// The absolute path without links of something that exists, or would in a folder that does.
    ///
    /// What does not exist yet may stand at the end of the path, several names of it, but none of
    /// them may be `..`. Nil for what is no such path, and for one that ends in a link to nowhere.
    package static func resolve(_ path: String, from folder: String) -> String? {
        guard !path.isEmpty, !path.utf8.contains(0) else { return nil }
        var head = path.hasPrefix("/") ? path : folder + "/" + path
        var tail: [Substring] = []
        while true {
            if let real = realPath(of: head) {
                // Below something that is no folder nothing can exist.
                guard !tail.isEmpty else { return real }
                guard isFolder(real) else { return nil }
                return (real == "/" ? "" : real) + "/" + tail.reversed().joined(separator: "/")
            }
            // A link that leads nowhere yet might lead anywhere by the time it is used.
            guard !isLink(head) else { return nil }
            let parts = head.split(separator: "/")
            guard let last = parts.last, last != ".." else { return nil }
            if last != "." { tail.append(last) }
            head = "/" + parts.dropLast().joined(separator: "/")
        }
    }

    /// The path without links of something that exists.
    package static func realPath(of path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(validatingCString: real)
    }

    /// Whether a folder is there, or a link to one.
    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether the path itself is a link.
    package static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
}
