/// A missing requirement of a test.
public struct Missing: Error, CustomStringConvertible {
    /// The missing thing.
    public let what: String

    /// Creates the error for a missing thing.
    public init(what: String) { self.what = what }

    /// A sentence for the test's report.
    public var description: String { "there is no \(what)" }
}

/// A broken promise of what a test uses.
public struct Unexpected: Error, CustomStringConvertible {
    /// A sentence for the test's report.
    public let description: String

    /// Creates the error with a sentence.
    public init(what: String) { description = what }
}
