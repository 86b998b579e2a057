extension Double {
    /// The most seconds that a timer or a limit of time takes: a hundred years, practically for
    /// ever. What is far above does not fit a `Duration`.
    package static let mostSeconds = 3_155_760_000.0
}
