/// Why a store did not do what it was asked; nothing was changed then.
public struct StoreError: Error, Sendable, Hashable {
    /// What kind of thing went wrong.
    public enum Code: String, Sendable, CaseIterable {
        /// Somebody else changed the session since it was loaded.
        case conflict
        /// There is no such session.
        case notFound = "not_found"
        /// There is a session of this id already.
        case exists
        /// Something that cannot be the id of a session.
        case badID = "bad_id"
        /// The session has no such step, or not any more.
        case noSuchStep = "no_such_step"
        /// An input or a snapshot that is nested too deep to be kept.
        case notStorable = "not_storable"
        /// The store was made by a newer version of this library.
        case newer
        /// The file is no store of sessions.
        case foreign
        /// The store is damaged.
        case corrupted
        /// Somebody else keeps the store busy.
        case busy
        /// There is no space left.
        case full
        /// The store cannot be read or written.
        case io
        /// The session was closed.
        case closed
    }

    /// What kind of thing went wrong.
    public var code: Code
    /// One sentence, without a full stop.
    public var message: String
    /// The next step to take.
    public var help: String?
    /// Further facts, a sentence each.
    public var notes: [String] = []

    /// An error from its parts.
    public init(_ code: Code, _ message: String, help: String? = nil) {
        self.code = code
        self.message = message
        self.help = help
    }
}

extension StoreError: CustomStringConvertible {
    /// The message and what else is known, in one line.
    public var description: String {
        ([message] + notes + (help.map { [$0] } ?? [])).joined(separator: "; ")
    }
}

extension StoreError {
    static func notFound(_ id: String) -> StoreError {
        StoreError(.notFound, "there is no session '\(id)'")
    }

    static func conflict(_ id: String) -> StoreError {
        StoreError(
            .conflict, "the session '\(id)' was changed elsewhere meanwhile",
            help: "load it again, and do again what is still wanted")
    }
}
