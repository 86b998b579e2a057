import WorkflowKit
public import WorkflowLua

/// Why a test failed: what is wrong and where, what is different, and what was done before.
public struct FlowTestFailure: Error, Sendable {
    /// What is wrong, with its place and what to do; an error of the flow itself is as the flow's host would see it.
    public var error: FlowError
    /// Where what is there differs from what is expected.
    public var mismatches: [ValueMismatch]
    /// What the test did to the flow before, in order, in words.
    public var steps: [String]
    /// The recordings of the sessions of the test that were written.
    public var recordings: [String]

    /// A failure that nothing is known about but what is wrong.
    init(_ error: FlowError, mismatches: [ValueMismatch] = []) {
        self.error = error
        self.mismatches = mismatches
        steps = []
        recordings = []
    }

    /// A failure from a sentence.
    init(
        _ message: String, _ mismatches: [ValueMismatch] = [], help: String? = nil,
        code: FlowError.Code = .expectation
    ) {
        self.init(FlowError(code, message, help: help), mismatches: mismatches)
    }
}
