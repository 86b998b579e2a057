import CLuaBridge
public import PlainValue

extension LuaVM {
    /// Converts a Lua value to a plain value, without running any of the script's code.
    ///
    /// A table whose keys are exactly 1…n is a list, one whose keys are all strings is a record,
    /// and an empty one is a list unless ``makeRecord()`` made it. Nil and the sentinel null are
    /// null.
    ///
    /// ```swift
    /// _ = try vm.encode(table, root: "row")  // throws row.tap: a function is not a plain value
    /// ```
    ///
    /// - Throws: A ``LuaError`` of code `conversion`, whose path begins with `root`.
    public func encode(_ reference: LuaReference, root: String = "value") throws(LuaError) -> Value
    {
        try encodeTable(reference, root: root).value
    }

    /// The plain value of a table that a script has changed, and true if that may stand for it.
    package func encodeTable(
        _ table: LuaReference, root: String
    ) throws(LuaError) -> (value: Value, isOfTable: Bool) {
        var result = lb_value()
        let status = lb_encode(bridge, slot(of: table), &result)
        guard status == LB_OK else { throw error(status, root: root) }
        return (value(result), result.fitsItsTable)
    }

    /// Converts a plain value to a Lua value: a table for a list or a record.
    ///
    /// Null becomes the sentinel null. An empty record stays one when it is encoded again.
    ///
    /// ```swift
    /// let item = try vm.makeTable(["title": "tea", "due": .null])  // item.due is null, not nil
    /// ```
    ///
    /// - Throws: A ``LuaError``: `conversion` if nested too deep, `memoryLimit` or `processEnded`.
    public func makeTable(_ value: Value) throws(LuaError) -> LuaReference {
        try makeReference(.value(value))
    }

    /// Makes a reference to any value that can be an argument.
    ///
    /// - Throws: A ``LuaError`` of code `conversion`, `memoryLimit` or `processEnded`.
    public func makeReference(_ argument: LuaArgument) throws(LuaError) -> LuaReference {
        try argument.withBridged { argument throws(LuaError) in
            try makeReference { slot in
                withUnsafePointer(to: argument) { lb_make_reference(bridge, $0, slot) }
            }
        }
    }

    /// Makes the sentinel that stands for null in tables.
    ///
    /// ```swift
    /// try vm.setField("due", of: item, to: .reference(vm.makeNull()))  // keeps the key
    /// ```
    ///
    /// - Throws: A ``LuaError`` of code `memoryLimit` or `processEnded`.
    public func makeNull() throws(LuaError) -> LuaReference {
        try makeReference(.value(.null))
    }

    /// Makes an empty table that is encoded as a record as long as it stays empty.
    ///
    /// ```swift
    /// print(try vm.encode(vm.makeRecord()).kind)  // a record
    /// ```
    ///
    /// - Throws: A ``LuaError`` of code `memoryLimit` or `processEnded`.
    public func makeRecord() throws(LuaError) -> LuaReference {
        try makeReference { slot in lb_make_record(bridge, slot) }
    }

    /// The type of a Lua value.
    ///
    /// ```swift
    /// guard vm.type(of: render) == .function else { return }  // render cannot be called
    /// ```
    public func type(of reference: LuaReference) -> LuaType {
        LuaType(lb_reference_type(bridge, slot(of: reference)))
    }

    /// Returns an identity of a table, a function or an object.
    ///
    /// - Important: Unique only while that is alive: a later one may get the same identity.
    public func identity(of reference: LuaReference) -> UnsafeRawPointer? {
        lb_reference_identity(bridge, slot(of: reference))
    }
}

extension LuaVM {
    /// Makes a read-only view of a table.
    ///
    /// A script can read and iterate it like a table; nested tables are views, too. It keeps the
    /// table alive.
    ///
    /// ```swift
    /// let props = try vm.makeView(of: table, label: "props")  // writing: props is read-only
    /// ```
    ///
    /// - Note: The view shows later changes of the table.
    /// - Parameter encoding: The result of encoding the view; by default the table is encoded.
    /// - Throws: A ``LuaError`` of code `invalidUse` if it is not a table.
    public func makeView(
        of table: LuaReference, label: String, encoding: Value? = nil
    ) throws(LuaError) -> LuaReference {
        guard let encoding else { return try makeView(slot(of: table), label, nil) }
        return try encoding.withEncoding { bytes throws(LuaError) in
            try makeView(slot(of: table), label, bytes)
        }
    }

    /// Makes a read-only view of a plain value.
    ///
    /// Its table is created when a script first reads it, and encoding the view copies the value's
    /// bytes. For a scalar the result is the scalar.
    ///
    /// ```swift
    /// let props = try vm.makeView(of: ["title": "tea"], label: "props")
    /// ```
    ///
    /// - Throws: A ``LuaError`` of code `conversion`, `memoryLimit` or `processEnded`.
    public func makeView(of value: Value, label: String) throws(LuaError) -> LuaReference {
        switch value {
        case .list, .record:
            try value.withEncoding { bytes throws(LuaError) in try makeView(0, label, bytes) }
        default: try makeReference(.value(value))
        }
    }

    private func makeView(
        _ table: Int32, _ label: String, _ encoding: UnsafeRawBufferPointer?
    ) throws(LuaError) -> LuaReference {
        try makeReference { slot in
            label.withBytes { bytes, count in
                lb_make_view(
                    bridge, table, bytes, count, encoding?.baseAddress, encoding?.count ?? 0, slot)
            }
        }
    }
}
