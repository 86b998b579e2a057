import CLuaBridge

/// Owns the Lua state. Shared by the VM and all references, so that it is closed after the last.
final class LuaState {
    let bridge: OpaquePointer

    init(_ bridge: OpaquePointer) {
        self.bridge = bridge
    }

    deinit {
        lb_close(bridge)
    }
}
