extension Double {
    /// The maximum number of seconds of a timer or a time limit: a hundred years, practically for
    /// ever. Numbers far above it do not fit a `Duration`.
    package static let mostSeconds = 3_155_760_000.0

    package var plainText: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }

    package var secondsText: String { "\(plainText) second\(self == 1 ? "" : "s")" }
}
