import CLuaBridge
public import PlainValue

extension LuaVM {
    /// The plain value of a Lua value, without running any of the script's code.
    ///
    /// A table whose keys are exactly 1…n is a list, one whose keys are all strings is a record, and
    /// an empty one is a list unless ``makeRecord()`` made it. Nil and the sentinel null are null.
    /// Throws a ``LuaError`` of code `conversion`, whose path begins with `root`.
    public func encode(_ reference: LuaReference, root: String = "value") throws(LuaError) -> Value
    {
        var result = lb_value()
        let status = lb_encode(bridge, reference.slot, &result)
        guard status == LB_OK else { throw error(status, root: root) }
        return value(result)
    }

    /// Makes the Lua value of a plain value: a table for a list or a record.
    ///
    /// Null becomes the sentinel null. An empty record stays one when it is encoded again.
    public func makeTable(_ value: Value) throws(LuaError) -> LuaReference {
        try makeReference(.value(value))
    }

    /// Makes a reference to whatever can be an argument.
    public func makeReference(_ argument: LuaArgument) throws(LuaError) -> LuaReference {
        try argument.withBridged { argument throws(LuaError) in
            try makeReference { slot in
                withUnsafePointer(to: argument) { lb_make_reference(bridge, $0, slot) }
            }
        }
    }

    /// Makes the sentinel that stands for null in tables.
    public func makeNull() throws(LuaError) -> LuaReference {
        try makeReference(.value(.null))
    }

    /// Makes an empty table that is encoded as a record as long as it stays empty.
    public func makeRecord() throws(LuaError) -> LuaReference {
        try makeReference { slot in lb_make_record(bridge, slot) }
    }

    /// The type of a Lua value.
    public func type(of reference: LuaReference) -> LuaType {
        LuaType(lb_reference_type(bridge, reference.slot))
    }

    /// What tells a table, a function or an object from every other one while it is alive.
    public func identity(of reference: LuaReference) -> UnsafeRawPointer? {
        lb_reference_identity(bridge, reference.slot)
    }
}
