import CLuaBridge
package import PlainValue

// Calls with a table that they may change. The caller keeps the slots' and values' memory alive.

extension LuaVM {
    /// Calls a function with a table, which it may change, a value and an object.
    ///
    /// - Parameter old: The table's encoding before; `nil` makes any table count as changed.
    /// - Returns: The plain value of the result, unless that is nil, and the change of the table.
    package func call(
        _ function: LuaSlot, changing table: LuaSlot, from old: UnsafeRawBufferPointer?,
        _ argument: Value, _ object: LuaSlot, root: String, tableRoot: String
    ) throws(LuaError) -> (result: Value?, change: LuaTableChange) {
        let second = try BridgedArgument(argument)
        var result = lb_value()
        var changed = lb_value()
        let status = withUnsafePointer(
            to: (lb_argument(table), second.raw, lb_argument(object))
        ) {
            lb_call_changing(
                bridge, function.number, elements(of: $0), 3, Int32(LB_WANT_VALUE),
                old?.baseAddress, old?.count ?? 0, &result, &changed)
        }
        withExtendedLifetime(second) {}
        withExtendedLifetime(argument) {}
        guard status == LB_OK else { throw failed(status, root, tableRoot) }
        // Written out, because in `?:` `nil` would be a `Value`.
        var values: (result: Value?, change: LuaTableChange) = (.none, .none)
        if result.type != LB_TYPE_NIL { values.result = .some(value(result)) }
        if changed.type != LB_TYPE_NIL {
            values.change = .some(
                value(changed, after: &changes), isOfTable: changed.fitsItsTable)
        } else if !changed.fitsItsTable {
            values.change = .sameOfOthers
        }
        if lb_depth(bridge) == 0 { endOutermostCall() }
        return values
    }

    /// Calls a function with a table, or nil, and an object. `math.random` repeats its numbers.
    ///
    /// - Parameter old: The table's value before, to find changes; `nil`: do not look.
    /// - Returns: The plain value of the result, unless nil, and true if the table has changed.
    package func call(
        _ function: LuaSlot, reading table: LuaSlot?, comparing old: Value?, _ object: LuaSlot,
        root: String, tableRoot: String
    ) throws(LuaError) -> (result: Value?, isChanged: Bool) {
        let first = table.map { lb_argument($0) } ?? .nil
        var result = lb_value()
        var changed = lb_value()
        let status: lb_status
        if let old, table != nil {
            let before = try BridgedArgument(old)
            defer { withExtendedLifetime((before, old)) {} }
            status = withUnsafePointer(to: (first, lb_argument(object))) {
                lb_call_changing(
                    bridge, function.number, elements(of: $0), 2,
                    Int32(LB_WANT_VALUE | LB_CALL_READS), before.raw.bytes, before.raw.length,
                    &result, &changed)
            }
        } else {
            status = withUnsafePointer(to: (first, lb_argument(object))) {
                lb_call_function(
                    bridge, function.number, elements(of: $0), 2,
                    Int32(LB_WANT_VALUE | LB_CALL_READS), &result)
            }
        }
        guard status == LB_OK else { throw failed(status, root, tableRoot) }
        let value: Value? = result.type == LB_TYPE_NIL ? .none : .some(value(result))
        if lb_depth(bridge) == 0 { endOutermostCall() }
        return (value, changed.type != LB_TYPE_NIL)
    }
}

package enum LuaTableChange {
    case none
    /// The table has its old plain value, but can no longer stand for it.
    case sameOfOthers
    /// The table has this plain value now. It can stand for it unless it is large, or holds a part
    /// that cannot be written or may also be elsewhere.
    case some(Value, isOfTable: Bool)
}

extension lb_value {
    /// True if the encoded table can go on standing for the value.
    var fitsItsTable: Bool { !is_large && !has_strangers }
}
