import LuaVM
public import PlainValue

/// The state of a scripted node: a plain value.
public struct ScriptedState: Equatable {
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
    let node: ScriptedNode

    init(value: Value, node: ScriptedNode) {
        early = value
        self.node = node
    }

    var isNull: Bool { late == nil && early.isNull }

    /// Replaces the value by one which the node's table stands for already.
    mutating func advance(to new: consuming Value) {
        early = new
        if late != nil { late = nil }
        previousVersion = version
        version = node.table.nextVersion()
    }

    /// Replaces the value by one that is not known yet.
    mutating func advance(to new: StateVersion) {
        early = .null
        late = new
        previousVersion = version
        version = node.table.nextVersion()
    }

    /// Replaces the value by one for which the node's table does not stand.
    mutating func replace(by new: Value) {
        advance(to: new)
        node.table.forget()
    }

    /// Whether both hold equal values.
    public static func == (a: ScriptedState, b: ScriptedState) -> Bool {
        if a.node === b.node {
            if a.version == b.version { return true }
            if a.version == b.previousVersion || b.version == a.previousVersion { return false }
        }
        return a.value == b.value
    }
}
