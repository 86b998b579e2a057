/// The files that a session of before goes on with when those of its flow have changed.
public enum CodePolicy: String, Sendable, CaseIterable {
    /// Those that it began with, to its end.
    case pinned
    /// The present ones, if its state fits them: they are as before but for comments and blanks, or the flow has a greater
    /// `version`. Otherwise the session is refused, and nothing of it is lost.
    case migrate
    /// The present ones, if all its inputs give the same with them; otherwise those that it has.
    case replay
}
