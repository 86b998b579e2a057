package import LuaVM
package import PlainValue
package import WorkflowLua

/// What is so at a moment: all of it copies, so that nothing is held.
package struct MomentContent: Sendable {
    /// A call of a function that is under way.
    package struct Frame: Sendable {
        /// The name of the function, or what it is for.
        package var name: String
        package var location: FlowError.Location
        package var locals: [LuaVariable]
        package var upvalues: [LuaVariable]
    }

    /// The functions that are under way in the innermost call of a node, innermost first.
    package var frames: [Frame] = []
    /// The path of the node; empty if a file is being run.
    package var node = ""
    package var phase = FlowPhase.load
    /// The props of the node.
    package var props = Value.null
    /// Its state, with what the call has changed by now; `nil` if the call has none.
    package var state: Value?
    /// Its state when the call began.
    package var stateBefore: Value?
    /// The action that is being applied.
    package var action: Value?
    /// The rendering of the root before the step.
    package var rendering = Value.null

    /// The values that an expression of a frame sees under names.
    package func variables(of frame: Int) -> [String: Value] {
        var values: [String: Value] = ["props": props]
        if let state { values["state"] = state }
        if let action { values["action"] = action }
        guard frames.indices.contains(frame) else { return values }
        for variable in frames[frame].upvalues + frames[frame].locals {
            values[variable.name] = variable.value
        }
        return values
    }
}
