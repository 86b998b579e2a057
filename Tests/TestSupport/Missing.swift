/// Something that a test needs and that is not there.
public struct Missing: Error, CustomStringConvertible {
    /// What it is.
    public let what: String

    /// Says what is not there.
    public init(what: String) { self.what = what }

    /// A sentence for whoever reads the test's failure.
    public var description: String { "there is no \(what)" }
}
