import LuaVM
import PlainValue
import Workflow

/// What a scripted node keeps in Lua beside its state, and what is known of the call of its functions that is under
/// way.
///
/// Made with the node's state and shared by its copies: all of it is either the same for the node's whole life or a
/// cache of the state's value. A state that the cache does not belong to makes a new table: after a
/// rollback, say, or a restore.
final class ScriptedNode {
    let runtime: FlowRuntime
    var vm: LuaVM { runtime.vm }
    /// The process of the scripts in which all below is; see ``FlowRuntime/generation``.
    @exclusivity(unchecked)
    private(set) var generation: UInt32
    /// Where ``props`` and ``definition`` are from.
    @exclusivity(unchecked)
    private var inputs: LuaWorkflow.Inputs
    /// The inputs of the node, as of its last render.
    @exclusivity(unchecked)
    private(set) var props: Value
    /// Its definition, as of its last render.
    @exclusivity(unchecked)
    private(set) var definition: WorkflowDefinition
    /// Its `render`.
    @exclusivity(unchecked)
    private(set) var renderSlot: LuaSlot
    /// The type of the last action, and the function that applied it.
    @exclusivity(unchecked)
    private(set) var lastType = Name("")
    @exclusivity(unchecked)
    private(set) var lastFunction: LuaSlot?
    /// The last function that used the context.
    @exclusivity(unchecked)
    var receiver: LuaSlot?

    /// The table of the state, and the version of the state that it stands for.
    @exclusivity(unchecked)
    private(set) var stateTable: LuaReference?
    @exclusivity(unchecked)
    private var tableSlot: LuaSlot?
    @exclusivity(unchecked)
    private var tableVersion = 0
    @exclusivity(unchecked)
    private var lastVersion = 0

    /// The table if it has large ones in it, with the versions of the state since it was made.
    @exclusivity(unchecked)
    var drafts: LuaDrafts?
    @exclusivity(unchecked)
    var history: StateHistory?

    /// The object that the node's functions receive, and whether it holds the props.
    @exclusivity(unchecked)
    private(set) var context: LuaObject?
    @exclusivity(unchecked)
    private(set) var contextSlot: LuaSlot
    @exclusivity(unchecked)
    var contextHasProps = false
    /// Why there is no state: the definition's `state` failed.
    @exclusivity(unchecked)
    var stateFailure: FlowError?
    /// Why the node's last render failed, if it did.
    @exclusivity(unchecked)
    var renderFailure: FlowError?
    /// The view of the last good rendering that a scripted parent receives.
    @exclusivity(unchecked)
    var renderingView: LuaReference?
    /// The context's fields of an input.
    @exclusivity(unchecked)
    var contextInput: ContextInput?
    /// The sinks without fields that the node has made.
    @exclusivity(unchecked)
    var sinks = MadeSinks()
    /// The workers that the last render declared, with inputs that were checked.
    @exclusivity(unchecked)
    var works: [Name: ScriptedWorker] = [:]
    // What is unchecked in this class is read or written whole, on the one isolation of its runtime.

    /// The path of the node: its place never changes while it lives. `nil` until it has one.
    @exclusivity(unchecked)
    private(set) var nodePath: NodePath?
    /// The same as a text, for sinks and messages.
    @exclusivity(unchecked)
    private(set) var path: String?
    /// What stands for the path until then.
    @exclusivity(unchecked)
    var provisionalPath = ""

    /// What the render composes with; only in `render`.
    @exclusivity(unchecked)
    var renderContext: RenderContext<LuaWorkflow>?
    /// The native children rendered so far in this render, with the lines that did it.
    @exclusivity(unchecked)
    var natives: [Name: LuaLocation?] = [:]
    /// The workers declared so far in this render, with the lines that did it.
    @exclusivity(unchecked)
    var workers: [Name: FlowError.Location?] = [:]
    /// Whether the context remembers children.
    @exclusivity(unchecked)
    var hasRemembered = false
    /// Whether somebody takes the node's outputs: a scripted parent need not.
    @exclusivity(unchecked)
    var isHeard = true
    /// The failure of a child, which fails this render too, whatever Lua code makes of it.
    @exclusivity(unchecked)
    var childFailure: FlowError?

    init(_ workflow: LuaWorkflow) {
        runtime = workflow.runtime
        generation = workflow.runtime.generation
        props = workflow.props
        definition = workflow.definition
        inputs = workflow.inputs
        renderSlot = workflow.definition.render.borrowed
        contextSlot = renderSlot
    }

    /// Gives the node its place.
    @inline(never)
    func settle(at path: NodePath) {
        nodePath = path
        self.path = path.description
    }

    /// Takes the node's inputs.
    @inline(__always)
    func use(_ workflow: LuaWorkflow) {
        if inputs !== workflow.inputs { replaceInputs(workflow) }
    }

    private func replaceInputs(_ workflow: LuaWorkflow) {
        inputs = workflow.inputs
        // Another one may not know their types.
        if definition !== workflow.definition { sinks.removeAll() }
        definition = workflow.definition
        renderSlot = definition.render.borrowed
        lastFunction = nil
        if props.isIdentical(to: workflow.props) { return }
        props = workflow.props
        contextHasProps = false
    }

    /// The function that applies actions of this type; `nil` if there is none.
    @inline(__always)
    func function(for type: Name) -> LuaSlot? {
        if let lastFunction, lastType == type { return lastFunction }
        return find(type)
    }

    // The same action often comes again.
    private func find(_ type: Name) -> LuaSlot? {
        guard let found = definition.function(for: type)?.borrowed else { return nil }
        lastType = type
        lastFunction = found
        return found
    }

    /// Lets go of what was in a process of the scripts that has ended.
    @inline(never)
    func forgetLua() {
        generation = runtime.generation
        forgetTable()
        lastFunction = nil
        context = nil
        contextSlot = renderSlot
        contextHasProps = false
        contextInput = nil
        renderingView = nil
        hasRemembered = false
        sinks.removeAll()
    }

    // MARK: The table of the state

    /// A number that no state of the node has had; the table then stands for the state that gets it.
    @inline(__always)
    func nextVersion() -> Int {
        lastVersion += 1
        tableVersion = lastVersion
        return lastVersion
    }

    /// The table that stands for this version of the state, if there is one.
    @inline(__always)
    func tableSlot(of version: Int) -> LuaSlot? {
        tableVersion == version ? tableSlot : nil
    }

    func keep(_ made: LuaDrafts, of version: Int) {
        keep(made.table, of: version)
        drafts = made
        history = StateHistory()
    }

    func keep(_ table: LuaReference, of version: Int) {
        if drafts != nil { drafts = nil }
        stateTable = table
        tableSlot = table.borrowed
        tableVersion = version
    }

    func forgetTable() {
        stateTable = nil
        tableSlot = nil
        drafts = nil
    }

    /// Takes what is left of the drafts after a call.
    func use(_ left: LuaDrafts?) {
        guard let left else { return forgetTable() }
        drafts = left
        stateTable = left.table
        tableSlot = left.table.borrowed
    }

    func keep(_ made: LuaObject) {
        context = made
        contextSlot = made.reference.borrowed
    }

    /// Lets go of what only a render has.
    @inline(__always)
    func endRender() {
        renderContext = nil
        sinks.endRender()
        if works.count > workers.count { works = works.filter { workers[$0.key] != nil } }
        if !natives.isEmpty { natives.removeAll(keepingCapacity: true) }
        if !workers.isEmpty { workers.removeAll(keepingCapacity: true) }
        if childFailure != nil { childFailure = nil }
    }
}
