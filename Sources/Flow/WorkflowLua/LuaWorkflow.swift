public import PlainValue
public import Workflow

/// A workflow that is defined by a Lua table.
///
/// Use it like any workflow: as the root of a `WorkflowHost` or as a child of native workflows.
/// Made by ``LuaFlow/workflow(props:)``. Its children may be scripted or native in turn.
///
/// Its actions are plain values, see ``LuaAction``, and so are its outputs and its rendering.
public struct LuaWorkflow: Workflow {
    /// The outputs of the node: the results of its `apply`.
    public typealias Output = Value

    /// The inputs of the node, as its functions see them in `props`.
    public var props: Value { inputs.props }

    var definition: WorkflowDefinition { inputs.definition }
    var runtime: FlowRuntime { inputs.runtime }

    /// The shared parts: one reference, since workflows are passed through many functions.
    let inputs: Inputs

    final class Inputs {
        let props: Value
        let definition: WorkflowDefinition
        let runtime: FlowRuntime

        init(_ props: Value, _ definition: WorkflowDefinition, _ runtime: FlowRuntime) {
            self.props = props
            self.definition = definition
            self.runtime = runtime
        }
    }

    init(props: Value, definition: WorkflowDefinition, runtime: FlowRuntime) {
        inputs = Inputs(props, definition, runtime)
    }

    /// The name of the node's definition.
    public var nodeName: String { definition.name }

    /// The type of the node, which a reloaded definition has too, so that nodes keep their states.
    public var nodeType: ObjectIdentifier { ObjectIdentifier(definition.nodeType) }

    /// Calls the definition's `state`.
    public func makeInitialState() -> ScriptedState {
        ScriptedNode(self).makeInitialState()
    }

    /// Calls the definition's `changed`, if it has one and the props differ.
    public func workflowDidChange(
        from previousWorkflow: LuaWorkflow, state: inout ScriptedState
    ) throws {
        try state.node.change(from: previousWorkflow, to: self, state: &state)
    }

    /// Calls the definition's `render`.
    ///
    /// An error fails the pass. The rendering is then the node's last good one, or `null`.
    public func render(state: ScriptedState, context: RenderContext<LuaWorkflow>) -> LuaRendering {
        state.node.use(self)
        return state.node.render(state, context: context)
    }
}

extension LuaWorkflow: Equatable {
    /// True if both have the same definition and equal props.
    public static func == (a: LuaWorkflow, b: LuaWorkflow) -> Bool {
        a.inputs === b.inputs || (a.definition === b.definition && a.props == b.props)
    }
}

/// The rendering of a scripted node.
public struct LuaRendering {
    /// The rendering as a plain value, read lazily.
    public let value: Value

    /// The node, whose Lua table of the rendering a scripted parent receives.
    let node: ScriptedNode
}
