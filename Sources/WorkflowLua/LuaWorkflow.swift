public import PlainValue
public import Workflow

/// A node whose behaviour is a definition table in Lua.
///
/// Use it like any workflow: as the root of a ``WorkflowHost`` or as a child of native workflows. Made by
/// ``LuaFlow/workflow(props:)``. Its children may be scripted or native in turn.
///
/// Its actions are plain values, see ``LuaAction``, and so are its outputs and its rendering.
public struct LuaWorkflow: Workflow {
    /// What the node emits: what its `apply` returned.
    public typealias Output = Value

    /// The inputs of the node, as its functions see them in `props`.
    public let props: Value

    let definition: WorkflowDefinition
    let runtime: FlowRuntime

    /// The name of the node's definition.
    public var nodeName: String { definition.name }

    /// One type a name: a definition that is reloaded goes on with the nodes of the old one.
    public var nodeType: ObjectIdentifier { ObjectIdentifier(definition.nodeType) }

    /// Calls the definition's `state`.
    public func makeInitialState() -> LuaState {
        runtime.makeInitialState(of: self)
    }

    /// Calls the definition's `changed`, if it has one and the props differ.
    public func workflowDidChange(
        from previousWorkflow: LuaWorkflow, state: inout LuaState
    ) throws {
        try runtime.change(from: previousWorkflow, to: self, state: &state)
    }

    /// Calls the definition's `render`.
    ///
    /// A failure fails the pass; the rendering is then the node's last good one, or `null`.
    public func render(state: LuaState, context: RenderContext<LuaWorkflow>) -> LuaRendering {
        runtime.render(self, state: state, context: context)
    }
}

extension LuaWorkflow: Equatable {
    /// Whether both would render alike: the same definition and equal props.
    public static func == (a: LuaWorkflow, b: LuaWorkflow) -> Bool {
        a.definition === b.definition && a.props == b.props
    }
}

/// The state of a scripted node: a plain value.
public struct LuaState: Equatable {
    /// The state itself; `null` for a stateless node.
    public internal(set) var value: Value

    /// The Lua table that stands for ``value`` while calls go well, and what else is made once a node.
    let instance: LuaInstance
    /// Why there is no state: the definition's `state` failed.
    var failure: FlowError?

    /// Whether both hold equal values.
    public static func == (a: LuaState, b: LuaState) -> Bool {
        a.value == b.value && (a.failure == nil) == (b.failure == nil)
    }
}

/// What a scripted node shows.
public struct LuaRendering {
    /// The rendering as a plain value, read lazily.
    public let value: Value

    /// The node, whose Lua table of the rendering a scripted parent receives.
    let instance: LuaInstance
    /// Why the node could not render in this pass.
    let failure: FlowError?
}
