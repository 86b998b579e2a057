import LuaVM
public import PlainValue
public import Workflow

/// A node whose behaviour is a definition table in Lua.
///
/// Use it like any workflow: as the root of a `WorkflowHost` or as a child of native workflows. Made by
/// ``LuaFlow/workflow(props:)``. Its children may be scripted or native in turn.
///
/// Its actions are plain values, see ``LuaAction``, and so are its outputs and its rendering.
public struct LuaWorkflow: Workflow {
    /// What the node emits: what its `apply` returned.
    public typealias Output = Value

    /// The inputs of the node, as its functions see them in `props`.
    public var props: Value { inputs.props }

    var definition: WorkflowDefinition { inputs.definition }
    var runtime: FlowRuntime { inputs.runtime }

    /// What this value and its copies share; one reference, as they are handed on through many functions.
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
        state.instance.use(self)
        return runtime.render(state, context: context)
    }
}

extension LuaWorkflow: Equatable {
    /// Whether both would render alike: the same definition and equal props.
    public static func == (a: LuaWorkflow, b: LuaWorkflow) -> Bool {
        a.inputs === b.inputs || (a.definition === b.definition && a.props == b.props)
    }
}

/// The state of a scripted node: a plain value.
public struct LuaState: Equatable {
    /// The state itself; `null` for a stateless node.
    ///
    /// A state with large lists or records is encoded when this is first read.
    public var value: Value {
        guard let late else { return early }
        guard let value = late.read() else {
            // As when Swift itself gets no memory.
            preconditionFailure("there is no memory for the value of a state")
        }
        return value
    }

    /// The value as the runtime reads it, which can do without.
    func readValue() throws(LuaError) -> Value {
        guard let late else { return early }
        guard let value = late.read() else {
            throw LuaError(.memoryLimit, "there is not enough memory for the value of a state")
        }
        return value
    }

    /// The bytes of the value, if it has any yet, as long as the state is not changed.
    var borrowedEncoding: UnsafeRawBufferPointer? { early.borrowedEncoding }

    /// The value, unless it is that of ``late``.
    private var early: Value
    private var late: StateVersion?

    /// The number of the value among those that the node has had, by which its table is known.
    private(set) var version = 0
    /// That of the value before it, which was another one.
    private var previousVersion = -1
    /// The Lua table that stands for ``value`` while calls go well, and what else is made once a node.
    let instance: LuaInstance

    init(value: Value, instance: LuaInstance) {
        early = value
        self.instance = instance
    }

    var isNull: Bool { late == nil && early.isNull }

    /// Takes another value, which the node's table stands for already.
    mutating func advance(to new: consuming Value) {
        early = new
        if late != nil { late = nil }
        previousVersion = version
        version = instance.nextVersion()
    }

    /// Takes another value that is not known yet.
    mutating func advance(to new: StateVersion) {
        early = .null
        late = new
        previousVersion = version
        version = instance.nextVersion()
    }

    /// Whether both hold equal values.
    public static func == (a: LuaState, b: LuaState) -> Bool {
        if a.instance === b.instance {
            if a.version == b.version { return true }
            if a.version == b.previousVersion || b.version == a.previousVersion { return false }
        }
        return a.value == b.value
    }
}

/// What a scripted node shows.
public struct LuaRendering {
    /// The rendering as a plain value, read lazily.
    public let value: Value

    /// The node, whose Lua table of the rendering a scripted parent receives.
    let instance: LuaInstance
}
