/// A missing requirement of a test.
public struct Missing: Error, CustomStringConvertible {
    /// The missing thing.
    public let what: String

    /// Creates the error for a missing thing.
    public init(what: String) { self.what = what }

    /// A sentence for the test's report.
    public var description: String { "there is no \(what)" }
}
