import WorkflowKit
public import WorkflowLua

/// What became of one test.
public struct FlowTestResult: Sendable {
    /// The names of the groups around the test, outermost first, and its own.
    public var path: [String]
    /// Where the test begins.
    public var location: FlowError.Location?
    /// What became of it.
    public var outcome: Outcome
    /// How long it took, with what runs before and after it.
    public var duration: Duration

    /// What can become of a test.
    public enum Outcome: Sendable {
        /// All that it expects was there, and nothing else.
        case passed
        /// It is not written yet, or was put off.
        case pending
        /// Something is not as it expects.
        case failed(FlowTestFailure)
    }

    /// The name of the test itself.
    public var name: String { path.last ?? "" }
    /// The names joined by spaces.
    public var fullName: String { path.joined(separator: " ") }
    /// The failure, if it failed.
    public var failure: FlowTestFailure? {
        if case .failed(let failure) = outcome { failure } else { nil }
    }
}
