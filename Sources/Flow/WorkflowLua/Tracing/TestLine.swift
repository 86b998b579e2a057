package import PlainValue

/// A line that a test is about to run.
package struct TestLine: Hashable, Sendable {
    /// The place; its file is relative to the folder of the test.
    package var location: FlowError.Location
    /// The number of nested functions of the test that the host has called.
    package var nesting: Int
    /// The number of nested calls in the innermost of these functions.
    package var depth: Int
    /// The number of flows that the test has made so far.
    package var flows: Int
    /// The number of inputs of the last flow.
    package var inputs: Int
    /// The step and the rendering of the last flow.
    package var step: Int
    package var rendering: Value

    package init(
        location: FlowError.Location, nesting: Int, depth: Int, flows: Int, inputs: Int, step: Int,
        rendering: Value
    ) {
        self.location = location
        self.nesting = nesting
        self.depth = depth
        self.flows = flows
        self.inputs = inputs
        self.step = step
        self.rendering = rendering
    }
}
