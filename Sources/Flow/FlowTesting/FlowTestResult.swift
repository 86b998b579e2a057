public import WorkflowLua

/// The result of a test.
public struct FlowTestResult: Sendable {
    /// The names of the groups around the test, outermost first, and its own.
    public var path: [String]
    /// The location of the test.
    public var location: FlowError.Location?
    /// The outcome.
    public var outcome: Outcome
    /// The duration, including the functions before and after it.
    public var duration: Duration
    /// The recordings that were written for the sessions of a test that passed.
    package var recordings: [String] = []

    /// The outcome of a test.
    public enum Outcome: Sendable {
        /// Every expectation was met.
        case passed
        /// The test is not written yet, or was deferred.
        case pending
        /// An expectation was not met.
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
