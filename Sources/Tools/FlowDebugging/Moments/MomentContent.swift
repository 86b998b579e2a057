import LuaVM
import PlainValue
import Workflow
import WorkflowLua

/// The content of the debugger at a moment, as copies.
struct MomentContent: Sendable {
    struct Frame: Sendable {
        /// The name of the function, or its purpose.
        var name: String
        var location: FlowError.Location
        var locals: [LuaVariable]
        var upvalues: [LuaVariable]
    }

    /// The active functions in the innermost call of a node, innermost first.
    var frames: [Frame] = []
    /// The path of the node; empty while a file runs.
    var node = NodePath([])
    var phase = FlowPhase.load
    var props = Value.null
    /// The node's state with the call's changes so far; `nil` if the call has no state.
    var state: Value?
    /// The state when the call began.
    var stateBefore: Value?
    var action: Value?
    /// The rendering of the root before the step.
    var rendering = Value.null

    /// The values that expressions can name in each frame.
    var given: [String: Value] {
        var values: [String: Value] = ["props": props]
        if let state { values["state"] = state }
        if let action { values["action"] = action }
        return values
    }

    /// The named values that expressions in a frame can use.
    func variables(of frame: Int) -> [String: Value] {
        var values = given
        guard frames.indices.contains(frame) else { return values }
        for variable in frames[frame].upvalues + frames[frame].locals {
            values[variable.name] = variable.value
        }
        return values
    }
}

/// A moment in the past: an input, and one of the lines that ran for it.
struct Moment: Hashable, Comparable, Sendable {
    var input: Int
    var line: Int

    static func < (a: Moment, b: Moment) -> Bool { (a.input, a.line) < (b.input, b.line) }
}
