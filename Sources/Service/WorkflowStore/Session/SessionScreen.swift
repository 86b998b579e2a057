/// Tells what a session shows at a step from what it shows at that step at any other time.
///
/// A step that comes back is another screen: after an undo, after the session was deleted and
/// created again, and with other files of the flow. Snapshots, opening and closing lead to none.
public struct SessionScreen: Sendable, Hashable, CustomStringConvertible {
    /// The version of the session with which it came to its present step or files.
    public var version: Int
    /// The hash of the flow's files, if the session has not gone on with them yet.
    public var code: String?

    /// Makes a screen from its parts.
    public init(version: Int, code: String? = nil) {
        self.version = version
        self.code = code
    }

    /// The screen as a part of ``SessionMoment/tag``.
    public var description: String { "\(version)" + (code.map { ".\($0.prefix(8))" } ?? "") }
}
