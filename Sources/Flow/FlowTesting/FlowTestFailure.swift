public import WorkflowLua

/// The failure of a test: the error, the differences, and the steps before it.
///
/// ```swift
/// for result in results {
///     guard let failure = result.failure else { continue }
///     print(result.fullName, failure.error.message)
///     for mismatch in failure.mismatches { print(mismatch.lines.joined(separator: "\n")) }
/// }
/// ```
public struct FlowTestFailure: Error, Sendable {
    /// The error, with location and advice. One of the flow itself is what the flow's host gets.
    public var error: FlowError
    /// The differences between the expected and the actual value.
    public var mismatches: [ValueMismatch]
    /// The earlier steps of the test, in order, in words.
    public var steps: [String]
    /// The recordings that were written for the test's sessions.
    public var recordings: [String]

    init(_ error: FlowError, mismatches: [ValueMismatch] = []) {
        self.error = error
        self.mismatches = mismatches
        steps = []
        recordings = []
    }

    /// Makes a failure from its cause, and the values of its sentence.
    init(
        _ reason: FlowError.Reason, _ values: any CustomStringConvertible...,
        mismatches: [ValueMismatch] = []
    ) {
        self.init(FlowError(reason, values: values.map(\.description)), mismatches: mismatches)
    }
}
