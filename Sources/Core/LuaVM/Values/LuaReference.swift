import CLuaBridge

/// Keeps a Lua value alive for the host.
///
/// ```swift
/// guard let greeter = try vm.call(chunk, returning: .reference).reference,
///     let greet = try vm.field("greet", of: greeter).reference
/// else { return }  // greeter.lua has no greet
/// let text = try vm.call(greet, .value(["name": "Ada"]), returning: .value)
/// ```
///
/// The value is released with the last copy of the reference, which cannot fail. A reference keeps
/// the Lua state open, so it may outlive its ``LuaVM``, but then it cannot be used.
///
/// - Important: It belongs to its VM, and like that to one isolation domain. Another VM would take
///   it for a value of its own; debug builds trap.
public final class LuaReference {
    let interpreter: LuaInterpreter
    @usableFromInline let slot: Int32

    init(interpreter: LuaInterpreter, slot: Int32) {
        assert(slot > 0)
        self.interpreter = interpreter
        self.slot = slot
    }

    deinit {
        lb_release(interpreter.bridge, slot)
    }
}

/// A reference whose owner the caller keeps alive meanwhile. Handing it on costs nothing.
@usableFromInline
package struct LuaSlot: Hashable {
    @usableFromInline let number: Int32

    @inlinable
    init(_ number: Int32) { self.number = number }
}

extension LuaReference {
    @inlinable
    package var borrowed: LuaSlot { LuaSlot(slot) }
}

extension LuaVM {
    /// The slot of a reference, which another VM would take for a value of its own.
    func slot(of reference: LuaReference) -> Int32 {
        assert(reference.interpreter === interpreter, "the reference belongs to another VM")
        return reference.slot
    }
}

/// Owns the interpreter. The VM and all references share it, so the last one closes it.
final class LuaInterpreter {
    let bridge: OpaquePointer

    init(_ bridge: OpaquePointer) {
        self.bridge = bridge
    }

    deinit {
        lb_close(bridge)
    }
}
