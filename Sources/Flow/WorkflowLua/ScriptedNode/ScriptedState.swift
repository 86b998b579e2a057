import LuaVM
public import PlainValue

/// The state of a scripted node: a plain value.
public struct ScriptedState: Equatable {
    /// The state itself; `null` for a stateless node.
    ///
    /// A state with large lists or records is encoded when this is first read.
    ///
    /// - Precondition: There is memory for the value.
    public var value: Value {
        // As Swift itself does without memory.
        guard let value = try? readValue() else {
            preconditionFailure("there is no memory for the value of a state")
        }
        return value
    }

    /// The value for the runtime, which can handle the lack of memory.
    func readValue() throws(LuaError) -> Value {
        guard let late else { return early }
        guard let value = late.read() else {
            throw LuaError(.memoryLimit, "there is not enough memory for the value of a state")
        }
        return value
    }

    /// The bytes of the value if it is encoded, valid until the state changes.
    var borrowedEncoding: UnsafeRawBufferPointer? { early.borrowedEncoding }

    /// The value, unless ``late`` has it.
    private var early: Value
    private var late: StateVersion?

    /// The number of the value among the node's values, by which its table is found.
    private(set) var version = 0
    /// The version of the value before it, which was not equal.
    private var previousVersion = -1
    /// The node, with the Lua table for ``value`` and other caches.
    let node: ScriptedNode

    init(value: Value, node: ScriptedNode) {
        early = value
        self.node = node
    }

    var isNull: Bool { late == nil && early.isNull }

    /// Replaces the value by one that the node's table has already.
    mutating func advance(to new: consuming Value) {
        early = new
        if late != nil { late = nil }
        previousVersion = version
        version = node.table.nextVersion()
    }

    /// Replaces the value by one that is not encoded yet.
    mutating func advance(to new: StateVersion) {
        early = .null
        late = new
        previousVersion = version
        version = node.table.nextVersion()
    }

    /// Replaces the value by one that the node's table does not have.
    mutating func replace(by new: Value) {
        advance(to: new)
        node.table.forget()
    }

    /// True if both have equal values.
    public static func == (a: ScriptedState, b: ScriptedState) -> Bool {
        if a.node === b.node {
            if a.version == b.version { return true }
            if a.version == b.previousVersion || b.version == a.previousVersion { return false }
        }
        return a.value == b.value
    }
}
