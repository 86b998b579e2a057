package import PlainValue

/// A line that a test is about to run.
package struct TestLine: Hashable, Sendable {
    /// Its place; the file is relative to the folder of the test.
    package var location: FlowError.Location
    /// The number of functions of the test that the host has called, each within the one before.
    package var nesting: Int
    /// The number of calls within the innermost of these.
    package var depth: Int
    /// The number of flows that the test has made so far.
    package var flows: Int
    /// The number of inputs that the last of these was given.
    package var inputs: Int
    /// The step that the last of these shows, and its rendering.
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
