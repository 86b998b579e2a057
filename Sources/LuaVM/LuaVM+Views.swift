import CLuaBridge
public import PlainValue

extension LuaVM {
    /// Makes a read-only view of a table.
    ///
    /// To a script it is a table whose contents can be read and iterated, with tables inside
    /// coming out as views, and whose writes raise `props is read-only`, where `label` is `props`.
    /// The view shows the table as it is when it is read. With `encoding`, that value stands for the
    /// table whenever the view is encoded. Throws a ``LuaError`` of code `invalidUse` if it is no table.
    public func makeView(
        of table: LuaReference, label: String, encoding: Value? = nil
    ) throws(LuaError) -> LuaReference {
        guard let encoding else { return try makeView(table.slot, label, nil) }
        return try encoding.withEncoding { bytes throws(LuaError) in
            try makeView(table.slot, label, bytes)
        }
    }

    /// Makes a read-only view of a plain value.
    ///
    /// No table is made before a script looks inside, and encoding the view copies the value's
    /// bytes. A scalar is given as itself.
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
