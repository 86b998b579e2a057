/// The files with which a stored session continues after the files of its flow have changed.
public enum CodePolicy: String, Sendable, CaseIterable {
    /// The files that it started with, to its end.
    case pinned
    /// The current files, if the state fits: they differ only in comments and white space, or the
    /// flow has a greater `version`. Otherwise the session is refused and nothing is lost.
    case migrate
    /// The current files if all inputs give the same results with them, or else its own.
    case replay
}
