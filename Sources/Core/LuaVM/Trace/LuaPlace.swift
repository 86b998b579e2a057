import CLuaBridge

/// A table in which a value of the path lies that a ``LuaTrace`` follows.
package struct LuaPlace: Hashable {
    /// The table; `nil` if the variable is none, but a view.
    package let table: UnsafeRawPointer?
    /// The step of the path that leads from the table to the value, from 0.
    package let step: Int
    /// Tells the value from others: 0 is nil, and an even number is the address of what is like a table.
    package let token: UInt64
    /// The value, if it is a view.
    package let view: UnsafeRawPointer?
    /// The register or upvalue that leads there, from 1.
    package let variable: Int
    /// Whether the variable holds the table itself.
    package let isVariable: Bool

    /// Where such tables are looked for.
    package enum Source {
        /// In all registers of a call, those without a name too, from each step of the path on.
        case registers
        /// In the upvalues of a function, in the same way.
        case upvalues
        /// Every table that the registers of a call lead to, whatever the path.
        case reachable
        /// In a table, whatever runs.
        case table(LuaReference)
        /// In what a function is about to return, from a step of the path on.
        case returned(from: Int)
    }
}

extension LuaMoment {
    /// Tells the Lua thread from others.
    package var thread: UnsafeRawPointer? { lb_moment_thread(pointer).map { UnsafeRawPointer($0) } }

    /// The tables in which values of the path lie.
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
            // More than so many are not looked at.
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

    /// Tells the value of a register without a name from others, as the token of a place does; 0 if the register has a
    /// name.
    package func token(ofTemporary index: Int, at level: Int = 0) -> UInt64 {
        lb_moment_token(pointer, Int32(clamping: level), Int32(clamping: index))
    }
}
