import LuaVM
import PlainValue
import Workflow

/// The Lua side of a scripted node: its objects in Lua beside the state, and the call that runs.
///
/// Made with the node's state and shared by the copies of the state. Each part is constant for the
/// node's life or a cache of the state's value. A state to which the cache does not belong, such as
/// one after a rollback or a restore, makes a new table.
final class ScriptedNode {
    let runtime: FlowRuntime
    var vm: LuaVM { runtime.vm }

    // Accesses to what is unchecked never overlap. They happen on the isolation of the runtime, and
    // no script code, which could lead back to the node, runs while a part is changed.

    /// The process of the scripts in which all below is; see ``FlowRuntime/generation``.
    @exclusivity(unchecked)
    private(set) var generation: UInt32
    /// The props and the definition, as of the last render.
    @exclusivity(unchecked)
    private var inputs: LuaWorkflow.Inputs
    @exclusivity(unchecked)
    private(set) var functions: NodeFunctions
    @exclusivity(unchecked)
    var table = StateTable()
    @exclusivity(unchecked)
    var context: NodeContext
    @exclusivity(unchecked)
    var place = NodePlace()
    @exclusivity(unchecked)
    var current = NodeRender()
    @exclusivity(unchecked)
    var cache = RenderCache()
    /// The failure of the definition's `state`: there is no state.
    @exclusivity(unchecked)
    var stateFailure: FlowError?
    @exclusivity(unchecked)
    var renderFailure: FlowError?
    /// False if nobody takes the node's outputs: a scripted parent need not.
    @exclusivity(unchecked)
    var isHeard = true

    var props: Value { inputs.props }
    var definition: WorkflowDefinition { inputs.definition }

    init(_ workflow: LuaWorkflow) {
        runtime = workflow.runtime
        generation = workflow.runtime.generation
        inputs = workflow.inputs
        functions = NodeFunctions(workflow.definition)
        context = NodeContext(before: functions.render)
    }

    @inline(__always)
    func use(_ workflow: LuaWorkflow) {
        if inputs !== workflow.inputs { replace(inputs, by: workflow.inputs) }
    }

    private func replace(_ old: LuaWorkflow.Inputs, by new: LuaWorkflow.Inputs) {
        inputs = new
        // Another one may not know their types.
        if old.definition !== new.definition { cache.sinks.removeAll() }
        functions = NodeFunctions(new.definition)
        if !old.props.isIdentical(to: new.props) { context.hasProps = false }
    }

    @inline(__always)
    func function(for type: Name) -> LuaSlot? { functions.function(for: type, of: definition) }

    @inline(never)
    func forgetLua() {
        assert(generation != runtime.generation)
        generation = runtime.generation
        table.forget()
        functions.forgetLast()
        context = NodeContext(before: functions.render)
        cache.view = nil
        cache.sinks.removeAll()
    }

    @inline(__always)
    func endRender() {
        cache.sinks.endRender()
        if cache.works.count > current.workers.count {
            cache.works = cache.works.filter { current.workers[$0.key] != nil }
        }
        current.end()
    }
}
