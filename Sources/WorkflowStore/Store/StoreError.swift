/// Why a store did not do what it was asked; nothing was changed then, unless the code is `unknown`.
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
        /// Something that cannot be the key of a request.
        case badKey = "bad_key"
        /// A key under which another request was sent before.
        case keyReused = "key_reused"
        /// A request that was dealt with, and whose step was given up since.
        case givenUp = "given_up"
        /// Something that no page of sessions has ended in.
        case badPage = "bad_page"
        /// The session has no such step, or not any more.
        case noSuchStep = "no_such_step"
        /// The session stands at another step than was expected.
        case otherStep = "other_step"
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
        /// It cannot be said whether a change was kept.
        case unknown
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
    package static func notFound(_ id: String) -> StoreError {
        StoreError(.notFound, "there is no session '\(id)'")
    }

    static func exists(_ id: String) -> StoreError {
        StoreError(.exists, "there is a session '\(id)' already")
    }

    static func noSuchStep(_ step: Int, of id: String, kept: ClosedRange<Int>) -> StoreError {
        StoreError(
            .noSuchStep, "the session '\(id)' has no step \(step)",
            help: "steps from \(kept.lowerBound) to \(kept.upperBound) are kept")
    }

    static func badPage(_ text: String) -> StoreError {
        StoreError(
            .badPage, "no page of sessions ends in '\(text.prefix(40))'",
            help: "give the next of the page before, or begin with the first page")
    }

    static func unknown(_ id: String, after error: StoreError? = nil) -> StoreError {
        var unknown = StoreError(
            .unknown, "what was asked of the session '\(id)' may be kept or not",
            help: "ask the session, or send a request that has a key again")
        if let error { unknown.notes = ["\(error.message)"] + error.notes }
        return unknown
    }

    /// Whether it says that nothing was changed.
    var isRefusal: Bool {
        switch code {
        case .conflict, .notFound, .exists, .badID, .badKey, .keyReused, .givenUp, .badPage,
            .noSuchStep, .otherStep, .notStorable, .closed:
            true
        case .newer, .foreign, .corrupted, .busy, .full, .io, .unknown: false
        }
    }

    /// Whether the same may go well later, though nobody asked for anything else.
    package var mayPass: Bool {
        switch code {
        case .busy, .full, .io, .unknown: true
        default: false
        }
    }

    static func conflict(_ id: String) -> StoreError {
        StoreError(
            .conflict, "the session '\(id)' was changed elsewhere meanwhile",
            help: "load it again, and do again what is still wanted")
    }
}
