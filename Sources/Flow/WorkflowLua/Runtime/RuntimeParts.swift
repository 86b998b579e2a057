import LuaVM
import PlainValue

// The parts of a runtime, on the isolation of the runtime.

/// The calls of nodes' functions that are under way, each within the one before.
struct NodeCalls {
    /// One of them; without a node if none is.
    struct Innermost {
        let node: ScriptedNode?
        let kind: NodeCall.Kind
        /// Its number among all calls.
        let number: Int
    }

    private(set) var innermost = Innermost(node: nil, kind: .state, number: 0)
    private(set) var depth = 0
    /// The number of calls so far, those included that have returned.
    private(set) var count = 0
    /// Other threads read there which node runs.
    private let place: CallPlace?

    init(notedAt place: CallPlace?) { self.place = place }

    /// Begins a call, and returns the one around it.
    @inline(__always)
    mutating func enter(_ node: ScriptedNode, _ kind: NodeCall.Kind) -> Innermost {
        let outer = innermost
        depth += 1
        count &+= 1
        innermost = Innermost(node: node, kind: kind, number: count)
        if let place { place.enter(node) }
        return outer
    }

    @inline(__always)
    mutating func leave(to outer: Innermost) {
        assert(outer.number < innermost.number)
        innermost = outer
        depth -= 1
        assert((innermost.node == nil) == (depth == 0))
        if let place { place.enter(outer.node) }
    }
}

/// The one context that scripts may use: that of the innermost call, until another call begins.
struct UsableContext {
    /// The type of all contexts, once there is one.
    var type: LuaObjectType?
    private var object: LuaObject?
    private(set) var slot: LuaSlot?
    private(set) var access = LuaObject.Access.none

    /// Takes the use of the context before away, and allows this use of another one.
    mutating func use(_ context: LuaObject?, _ access: LuaObject.Access) {
        if object === context {
            if self.access == access { return }
        } else {
            object?.access = .none
            object = context
            slot = context?.reference.borrowed
        }
        context?.access = access
        self.access = access
    }

    /// Lets go of what was in a process of the scripts that has ended.
    mutating func forgetLua() {
        type = nil
        object = nil
        slot = nil
    }
}

/// The inputs of a call that a trace may ask for.
struct TracedInputs {
    /// The table that was last given to a child as its props.
    var props: UnsafeRawPointer?
    /// The action that was last applied.
    var action: Value?
}

/// Findings that are told or looked for once.
struct NotedOnce {
    var texts: Set<Name> = []
    /// Functions that have used a context.
    var receivers: Set<LuaSlot> = []
    var idleFunctions: Set<LuaSlot> = []
}
