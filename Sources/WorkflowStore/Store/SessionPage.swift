/// A page of sessions.
public struct SessionPage: Sendable, Hashable {
    /// The summaries, newest first.
    public var sessions: [SessionSummary]
    /// The value of `after` for the next page; `nil` on the last page.
    public var next: String?

    /// Creates a page.
    public init(sessions: [SessionSummary], next: String? = nil) {
        self.sessions = sessions
        self.next = next
    }
}
