import PlainValue

/// A page of sessions.
public struct SessionPage: Sendable, Hashable {
    /// The summaries, newest first.
    public var sessions: [SessionSummary]
    /// The value of `after` for the next page; `nil` on the last page.
    public var next: String?

    /// Makes a page from its parts.
    public init(sessions: [SessionSummary], next: String? = nil) {
        self.sessions = sessions
        self.next = next
    }

    /// Makes a page of the found summaries: one more than it takes if there are further ones.
    package init(_ found: [SessionSummary], most: Int) {
        sessions = Array(found.prefix(most))
        next = found.count > most ? sessions.last.map { "\($0.number)" } : nil
    }

    /// The number above those of the sessions on the page after another one. Throws `bad_page`.
    package static func end(_ after: String?) throws(StoreError) -> Int {
        guard let after else { return .max }
        guard let number = Int(natural: after) else { throw .badPage(after.prefix(40)) }
        return number
    }
}
