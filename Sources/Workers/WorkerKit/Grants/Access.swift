/// An access to the outside world that a worker requests: a kind and a target.
public struct Access: Sendable, Hashable {
    /// The kind, such as `http`, `file.read` or `process`.
    public var kind: String
    /// The target: a host with or without a port, a path, the name of a program; nil for any.
    public var target: String?

    /// Makes an access from its parts.
    public init(_ kind: String, _ target: String?) {
        self.kind = kind
        self.target = target
    }

    /// A request to the host of a URL, with its port.
    ///
    /// ```swift
    /// print(try Access.http(url: "https://api.example.com/v1"))  // http=api.example.com:443
    /// ```
    ///
    /// - Throws: A ``WorkerError`` with the code `bad_input` unless it is a URL of http or https.
    public static func http(url: String) throws(WorkerError) -> Access {
        Access("http", try HostName(url: url).description)
    }

    /// Reading a file or folder.
    public static func fileRead(_ path: String) -> Access { Access("file.read", path) }

    /// Writing a file, or to a folder.
    public static func fileWrite(_ path: String) -> Access { Access("file.write", path) }

    /// Starting a program.
    ///
    /// ```swift
    /// let git = try context.require(.process("git"))
    /// ```
    public static func process(_ program: String) -> Access { Access("process", program) }

    /// The kinds of access of this package's plugins; `file` stands for both of its kinds.
    package static let standardKinds = [
        "file", "file.read", "file.write", "http", "process", "process.env", "session",
    ]

    var isOfFile: Bool { kind == "file" || kind.hasPrefix("file.") }
}

extension Access: CustomStringConvertible {
    /// The grant of exactly this access, such as `http=api.example.com`.
    public var description: String { target.map { "\(kind)=\($0)" } ?? kind }
}
