/// A permission that the user gives, such as `http=api.example.com`.
public struct Grant: Sendable, Hashable {
    /// The kind of ``Access`` that is allowed.
    public let kind: String
    /// The host, path or name that is allowed; nil for all of this kind.
    public let target: String?

    /// Makes a grant from its parts.
    public init(_ kind: String, _ target: String? = nil) {
        self.kind = kind
        self.target = target
    }

    /// Parses a grant as users write it: a kind, and after `=` a target unless all are granted.
    ///
    /// ```swift
    /// let grant = try Grant(parsing: "http=api.example.com")
    /// ```
    ///
    /// - Throws: A ``WorkerError`` with the code `bad_grant`.
    public init(parsing text: String) throws(WorkerError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let kind = parts.first.map(String.init) ?? ""
        let allowed = "abcdefghijklmnopqrstuvwxyz0123456789._-".utf8
        guard !kind.isEmpty, kind.utf8.allSatisfy(allowed.contains) else {
            throw WorkerError(
                "bad_grant", "'\(text)' is not a grant",
                help: "write a kind and a target, such as http=api.example.com")
        }
        guard parts.count == 2 else {
            self.init(kind)
            return
        }
        guard !parts[1].isEmpty else {
            throw WorkerError(
                "bad_grant", "the grant '\(text)' has no target after '='",
                help: "write \(kind) alone to grant all of it")
        }
        if kind == "http", HostName(String(parts[1])) == nil {
            throw WorkerError(
                "bad_grant", "'\(parts[1])' is not the name of a host",
                help: "write it as in http=api.example.com or http=localhost:8080")
        }
        self.init(kind, String(parts[1]))
    }

    /// Returns this grant with an absolute path, if it has a path, which may start at `folder`.
    ///
    /// ```swift
    /// let grant = try Grant("file.read", "notes").placed(in: "/srv")  // file.read=/srv/notes
    /// ```
    ///
    /// - Throws: A ``WorkerError`` with the code `bad_grant` for a path that does not exist. For a
    ///   file that may be written, only its folder must exist.
    public func placed(in folder: String) throws(WorkerError) -> Grant {
        guard let target, Access(kind, target).isOfFile || isProgramPath else { return self }
        if target == "~" || target.hasPrefix("~/") {
            throw WorkerError(
                "bad_grant", "in '\(self)' the shell leaves '~' as it is",
                help: "write \(kind)=\"$HOME\(target.dropFirst())\"")
        }
        guard let real = FilePath.resolve(target, from: folder) else {
            throw WorkerError(
                "bad_grant", "the path of the grant '\(self)' leads nowhere",
                help: "give a path below a folder that exists; it starts at \(folder)")
        }
        let isWritten = kind == "file" || kind == "file.write"
        let above = String(real[...(real.lastIndex(of: "/") ?? real.startIndex)])
        guard FilePath.realPath(of: real) != nil || isWritten && FilePath.isFolder(above) else {
            throw WorkerError(
                "bad_grant", "the path of the grant '\(self)' does not exist",
                help: isWritten
                    ? "make the folder that the file is to be in; the path starts at \(folder)"
                    : "give the path of what is there; it starts at \(folder)")
        }
        return Grant(kind, FilePath.absolute(target, from: folder))
    }

    private var isProgramPath: Bool { kind == "process" && target.map(ProgramPath.isPath) == true }
}

extension Grant: CustomStringConvertible {
    /// The grant in the form in which users write it, such as `http=api.example.com`.
    public var description: String { Access(kind, target).description }
}
