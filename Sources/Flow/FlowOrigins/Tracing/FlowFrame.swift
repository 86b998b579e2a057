package import Workflow
package import WorkflowLua

/// A function call where a debugger has stopped: a place where expressions have values.
package struct FlowFrame: Sendable, Hashable {
    /// The step that the input leads to; 0 is the beginning.
    package var step: Int
    /// The path of the node whose function is called.
    package var node: NodePath
    package var phase: FlowPhase
    /// The number of its call in the step.
    package var call: Int
    /// The line where the innermost function has stopped.
    package var location: FlowError.Location
    /// The number of times that the call has come to that line, this one included.
    package var hits: Int
    /// The index of the frame among the Lua functions under way, from the innermost one on.
    package var level: Int
    package var names: Set<String>

    package init(
        step: Int, node: NodePath, phase: FlowPhase, call: Int, location: FlowError.Location,
        hits: Int, level: Int, names: Set<String>
    ) {
        self.step = step
        self.node = node
        self.phase = phase
        self.call = call
        self.location = location
        self.hits = hits
        self.level = level
        self.names = names
    }
}
