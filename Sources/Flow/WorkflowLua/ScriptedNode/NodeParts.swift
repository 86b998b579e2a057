import LuaVM
import PlainValue
import Workflow

// The parts of a scripted node, one life time each. All are read and written on the one isolation
// of the runtime, and no code of others runs while one of them is being changed.

/// The functions of a node's definition that are called most, as they are found in Lua.
struct NodeFunctions {
    let render: LuaSlot
    /// The last action's type and function: the same action often comes again.
    private(set) var lastType = Name("")
    private(set) var last: LuaSlot?

    init(_ definition: WorkflowDefinition) { render = definition.render.borrowed }

    @inline(__always)
    mutating func function(for type: Name, of definition: WorkflowDefinition) -> LuaSlot? {
        if let last, lastType == type { return last }
        return find(type, of: definition)
    }

    private mutating func find(_ type: Name, of definition: WorkflowDefinition) -> LuaSlot? {
        guard let found = definition.function(for: type)?.borrowed else { return nil }
        lastType = type
        last = found
        return found
    }

    mutating func forgetLast() { last = nil }
}

/// The Lua table that stands for one version of a node's state.
struct StateTable {
    private(set) var reference: LuaReference?
    private var slot: LuaSlot?
    private var version = 0
    private var lastVersion = 0
    /// The table if it has large ones in it, with the versions of the state since it was made.
    private(set) var drafts: LuaDrafts?
    var history: StateHistory?

    /// A number that no state of the node has had, of the state that the table stands for next.
    @inline(__always)
    mutating func nextVersion() -> Int {
        lastVersion += 1
        version = lastVersion
        return lastVersion
    }

    @inline(__always)
    func slot(of version: Int) -> LuaSlot? { self.version == version ? slot : nil }

    mutating func keep(_ made: LuaDrafts, of version: Int) {
        keep(made.table, of: version)
        drafts = made
        history = StateHistory()
    }

    mutating func keep(_ table: LuaReference, of version: Int) {
        assert(version <= lastVersion)
        if drafts != nil { drafts = nil }
        reference = table
        slot = table.borrowed
        self.version = version
    }

    /// Takes the drafts that a call has left; `nil` if they no longer stand for the state.
    mutating func use(_ left: LuaDrafts?) {
        guard let left else { return forget() }
        drafts = left
        reference = left.table
        slot = left.table.borrowed
    }

    mutating func forget() {
        reference = nil
        slot = nil
        drafts = nil
    }
}

/// The object that a node's functions receive as their context, and what it holds.
struct NodeContext {
    private(set) var object: LuaObject?
    /// The object; something else of the node until there is one.
    private(set) var slot: LuaSlot
    var hasProps = false
    /// The fields of an input that it has.
    var input: ContextInput?
    var remembersChildren = false
    /// The last function that used it.
    var receiver: LuaSlot?

    init(before slot: LuaSlot) { self.slot = slot }

    mutating func keep(_ made: LuaObject) {
        object = made
        slot = made.reference.borrowed
    }
}

/// A node's place in its tree, which never changes while the node lives.
struct NodePlace {
    /// `nil` until the node is rendered first.
    private(set) var settled: NodePath?
    /// The settled path as a text, for sinks.
    private(set) var text = ""
    /// The path until then.
    var provisional = NodePath([])

    var path: NodePath { settled ?? provisional }

    @inline(never)
    mutating func settle(at path: NodePath) {
        assert(settled == nil || settled == path)
        settled = path
        text = path.description
    }
}

/// The part of a node that only its render needs.
struct NodeRender {
    /// The context of the typed runtime with which the render composes.
    var context: RenderContext<LuaWorkflow>?
    /// The native children so far, with the lines that rendered them.
    var natives: [Name: LuaLocation?] = [:]
    /// The workers so far, with the lines that declared them.
    var workers: [Name: FlowError.Location?] = [:]
    /// The failure of a child, which fails this render too, whatever Lua code makes of it.
    var childFailure: FlowError?

    @inline(__always)
    mutating func end() {
        context = nil
        if !natives.isEmpty { natives.removeAll(keepingCapacity: true) }
        if !workers.isEmpty { workers.removeAll(keepingCapacity: true) }
        if childFailure != nil { childFailure = nil }
    }
}

/// Objects that a node's renders have made and the next one is likely to want again.
struct RenderCache {
    var sinks = MadeSinks()
    /// The workers that the last render declared, with inputs that were checked.
    var works: [Name: ScriptedWorker] = [:]
    /// The view of the last good rendering that a scripted parent receives.
    var view: LuaReference?
}
