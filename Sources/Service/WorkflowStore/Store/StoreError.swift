package import WorkflowLua

/// An error of a store, or of a session in it.
///
/// ``isRefusal`` says if a call of a ``SessionStore`` may have changed something all the same. A
/// ``StoredSession`` finds that out itself: unless its error has the code `unknown`, the call
/// changed nothing in the store.
public struct StoreError: Error, Sendable, Hashable {
    /// The kind of error.
    public enum Code: String, Sendable, CaseIterable {
        /// Another process changed the session since it was loaded.
        case conflict
        /// There is no such session.
        case notFound = "not_found"
        /// A session with this id exists already.
        case exists
        /// An invalid session id.
        case badID = "bad_id"
        /// An invalid request key.
        case badKey = "bad_key"
        /// A key that another request used before.
        case keyReused = "key_reused"
        /// A completed request whose step was dropped since.
        case givenUp = "given_up"
        /// An invalid page.
        case badPage = "bad_page"
        /// The session has no such step, or no longer has it.
        case noSuchStep = "no_such_step"
        /// The session is at another step than expected.
        case otherStep = "other_step"
        /// An input or a snapshot that is nested too deep.
        case notStorable = "not_storable"
        /// The store was made by a newer version of this library.
        case newer
        /// The file is not a store.
        case foreign
        /// The store is damaged.
        case corrupted
        /// Another process keeps the store busy.
        case busy
        /// There is no space left.
        case full
        /// The store cannot be read or written.
        case io
        /// It is unknown whether the change was stored.
        case unknown
        /// The session was closed.
        case closed
        /// A call into the session's flow does not end. Nothing was changed.
        case stuck
    }

    /// The kind of error.
    public var code: Code
    /// One sentence, without a full stop.
    public var message: String
    /// A way to fix it.
    public var help: String?
    /// Further facts, one sentence each.
    public var notes: [String] = []

    /// Makes an error, for a store of your own.
    ///
    /// ```swift
    /// let error = StoreError(.full, "the disk is full", help: "delete old sessions")
    /// print(error)  // the disk is full; delete old sessions
    /// ```
    ///
    /// - Parameters:
    ///   - code: The kind of error, by which callers decide.
    ///   - message: One sentence, without a full stop.
    ///   - help: The next step for the reader.
    public init(_ code: Code, _ message: String, help: String? = nil) {
        self.code = code
        self.message = message
        self.help = help
    }
}

extension StoreError: CustomStringConvertible {
    /// The message, notes and help on one line.
    public var description: String {
        ([message] + notes + (help.map { [$0] } ?? [])).joined(separator: "; ")
    }
}

extension StoreError {
    /// True if the call changed nothing. After any other error of a ``SessionStore`` the change may
    /// be stored: the session's ``SessionSummary/change`` says if it is.
    ///
    /// ```swift
    /// do {
    ///     try await store.delete("groceries")
    /// } catch where !error.isRefusal {
    ///     print("it may be deleted: \(error)")
    /// }
    /// ```
    public var isRefusal: Bool {
        switch code {
        case .conflict, .notFound, .exists, .badID, .badKey, .keyReused, .givenUp, .badPage,
            .noSuchStep, .otherStep, .notStorable, .closed, .stuck:
            true
        case .newer, .foreign, .corrupted, .busy, .full, .io, .unknown: false
        }
    }

    /// True if the same call may succeed later.
    package var mayPass: Bool {
        switch code {
        case .busy, .full, .io, .unknown, .stuck: true
        default: false
        }
    }
}

extension FlowError {
    package init(_ error: StoreError) {
        self.init(.file, error.message, help: error.help)
        notes = error.notes
        cause = error
    }
}
