import CLuaBridge

/// A table that holds a value of the path that a ``LuaTrace`` follows.
package struct LuaPlace: Hashable {
    /// The table; `nil` if the variable holds a view.
    package let table: UnsafeRawPointer?
    /// The step of the path that leads from the table to the value, counted from 0.
    package let step: Int
    /// The identity of the value: 0 for nil; even numbers are addresses, of tables for example.
    package let token: UInt64
    package let view: UnsafeRawPointer?
    /// The register or upvalue that leads there, counted from 1.
    package let variable: Int
    /// True if the variable holds the table itself.
    package let isVariable: Bool

    package enum Source {
        /// All registers of a call, including unnamed ones, from each step of the path on.
        case registers
        /// The upvalues of a function, likewise.
        case upvalues
        /// Every table that the registers of a call lead to, whatever the path.
        case reachable
        /// A table, whatever runs.
        case table(LuaReference)
        /// The values that a function is about to return, from a step of the path on.
        case returned(from: Int)
    }
}

extension LuaMoment {
    package var thread: UnsafeRawPointer? { lb_moment_thread(pointer).map { UnsafeRawPointer($0) } }

    package func places(_ source: LuaPlace.Source, at level: Int = 0) -> [LuaPlace] {
        let (kind, index): (lb_place_source, Int) =
            switch source {
            case .registers: (LB_REGISTERS, 0)
            case .upvalues: (LB_UPVALUES, 0)
            case .reachable: (LB_REACHABLE, 0)
            case .table(let reference): (LB_TABLE, Int(reference.slot))
            case .returned(let step): (LB_RETURNED, step)
            }
        var capacity = 64
        while true {
            var count = 0
            let places = [lb_place](unsafeUninitializedCapacity: capacity) { buffer, filled in
                count = lb_moment_places(
                    pointer, Int32(clamping: level), kind, Int32(clamping: index),
                    buffer.baseAddress, capacity)
                filled = min(count, capacity)
            }
            // Beyond this number the rest is left out.
            guard count > capacity, capacity < 4096 else {
                return places.map {
                    LuaPlace(
                        table: $0.table, step: Int($0.step), token: $0.token, view: $0.view,
                        variable: Int($0.variable), isVariable: $0.is_variable)
                }
            }
            capacity = 4096
        }
    }

    /// The token of the value of an unnamed register, as of a place; 0 if the register has a name.
    package func token(ofTemporary index: Int, at level: Int = 0) -> UInt64 {
        lb_moment_token(pointer, Int32(clamping: level), Int32(clamping: index))
    }
}
