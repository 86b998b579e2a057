/// Some of the sessions of a store.
public struct SessionPage: Sendable, Hashable {
    /// The sessions in short, the newest first.
    public var sessions: [SessionSummary]
    /// What the next page is asked for with; `nil` on the last page.
    public var next: String?

    /// A page from its parts.
    public init(sessions: [SessionSummary], next: String? = nil) {
        self.sessions = sessions
        self.next = next
    }
}
