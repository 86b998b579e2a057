import CLuaBridge
package import PlainValue

// States with large tables. A call of a function of theirs costs time only for the parts that it
// touches, and their values are made on demand.

extension LuaVM {
    /// True if ``makeDrafts(of:)`` makes a state with this value.
    package func isLarge(_ state: Value) -> Bool {
        guard let bytes = state.borrowedEncoding, let base = bytes.baseAddress,
            // An entry takes five bytes or more.
            bytes.count / 5 >= options.largeCount
        else { return false }
        return withExtendedLifetime(state) { lb_has_large(bridge, base) }
    }

    package func makeDrafts(of state: Value) throws(LuaError) -> LuaDrafts {
        var made = lb_drafts()
        try state.withEncoding { bytes throws(LuaError) in
            try check(lb_make_drafts(bridge, bytes.baseAddress, &made))
        }
        return LuaDrafts(
            table: reference(made.table), shared: reference(made.shared),
            plain: Array(UnsafeRawBufferPointer(start: made.plain, count: made.plain_length)))
    }

    /// Calls a function that gets the state's table among its arguments.
    ///
    /// - Parameter writes: True if it may change the state, and draw new random numbers.
    /// - Returns: The plain value of the result, unless that is nil, and the change of the state.
    ///   If the call fails, the state is as before, or lost: then `drafts` is `nil`.
    package func call(
        _ function: LuaSlot, _ arguments: [LuaArgument], drafts: inout LuaDrafts?, writes: Bool,
        returning wanted: LuaReturn, root: String, tableRoot: String
    ) throws(LuaError) -> (result: Value?, change: LuaDraftsChange) {
        guard let known = drafts else { return (.none, .none) }
        var result = lb_value()
        var change = lb_drafts_change()
        let status = try withBridged(arguments) { raw in
            known.plain.withUnsafeBytes { plain in
                var state = lb_drafts(known, plain)
                return lb_call_drafting(
                    bridge, function.number, raw.baseAddress, Int32(clamping: raw.count),
                    Int32((wanted == .value ? LB_WANT_VALUE : 0) | (writes ? 0 : LB_CALL_READS)),
                    &state, writes, &result, &change)
            }
        }
        guard status == LB_OK else {
            let error = failed(status, root, tableRoot)
            if change.kind == LB_DRAFTS_WHOLE { drafts = nil } else { remakeTable(&drafts) }
            throw error
        }
        var values: (result: Value?, change: LuaDraftsChange) = (.none, .none)
        if result.type != LB_TYPE_NIL { values.result = .some(value(result)) }
        // The table holds parts that scripts may hold elsewhere, so the next call gets another one.
        defer { if change.has_strangers { remakeTable(&drafts) } }
        let journal = change.journal == 0 ? nil : reference(change.journal)
        switch change.kind {
        case LB_DRAFTS_UNCHANGED: break
        case LB_DRAFTS_CHANGED:
            known.take(
                plain: UnsafeRawBufferPointer(start: change.plain, count: change.plain_length))
            values.change = .some(journal: journal, entries: Int(clamping: change.entries))
        default:
            drafts = nil
            values.change = .whole(value(change.value), journal: journal)
        }
        if lb_depth(bridge) == 0 { endOutermostCall() }
        return values
    }

    /// Makes the table anew, without a call's changes outside of the large tables.
    func remakeTable(_ drafts: inout LuaDrafts?) {
        guard let known = drafts else { return }
        var slot: Int32 = 0
        let status = known.plain.withUnsafeBytes { plain in
            var state = lb_drafts(known, plain)
            return lb_remake_table(bridge, &state, &slot)
        }
        if status == LB_OK { known.take(table: reference(slot)) } else { drafts = nil }
    }

    /// The value of a state when this was its plain part, before the changes in these journals;
    /// `nil` if there is not enough memory.
    package func value(
        ofPlainPart plain: [UInt8], shared: LuaReference, before journals: [LuaReference]
    ) -> Value? {
        var result = lb_value()
        let status = plain.withUnsafeBytes { plain in
            var state = lb_drafts(
                table: 0, shared: shared.slot, plain: plain.baseAddress, plain_length: plain.count)
            return journals.map(\.slot).withUnsafeBufferPointer { slots in
                lb_encode_version(
                    bridge, &state, slots.baseAddress, Int32(clamping: slots.count), &result)
            }
        }
        withExtendedLifetime((shared, journals)) {}
        return status == LB_OK ? .some(value(result)) : .none
    }
}

extension lb_drafts {
    fileprivate init(_ drafts: LuaDrafts, _ plain: UnsafeRawBufferPointer) {
        self.init(
            table: drafts.table.slot, shared: drafts.shared.slot, plain: plain.baseAddress,
            plain_length: plain.count)
    }
}

/// The table of a state with large tables, which note each write to them.
package final class LuaDrafts {
    /// The table, or its stand-in, as functions receive it.
    package private(set) var table: LuaReference
    /// The structure that the large tables share.
    package let shared: LuaReference
    /// The parts of the state beside the large tables, encoded.
    package private(set) var plain: [UInt8]

    init(table: LuaReference, shared: LuaReference, plain: [UInt8]) {
        self.table = table
        self.shared = shared
        self.plain = plain
    }

    func take(plain new: UnsafeRawBufferPointer) {
        if !plain.elementsEqual(new) { plain = Array(new) }
    }

    func take(table new: LuaReference) { table = new }
}

package enum LuaDraftsChange {
    case none
    /// Changes in large tables, if any, and the number of changed entries.
    case some(journal: LuaReference?, entries: Int)
    /// The whole new value, which the drafts no longer hold. The journal leads back to the old.
    case whole(Value, journal: LuaReference?)
}
