import CLuaBridge

/// Keeps a Lua value alive for the host.
///
/// The value is let go when the last copy of the reference is gone, which cannot fail. A reference
/// keeps the Lua state open, so it may outlive the ``LuaVM`` that made it, but then it is of no use.
/// Like the VM it belongs to one isolation domain.
public final class LuaReference {
    let state: LuaState
    let slot: Int32

    init(state: LuaState, slot: Int32) {
        self.state = state
        self.slot = slot
    }

    deinit {
        lb_release(state.bridge, slot)
    }
}
