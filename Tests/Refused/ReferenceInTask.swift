import LuaVM

// The last copy of a reference releases its value in the VM, so it stays where the VM is.
func later(_ reference: LuaReference) {
    Task.detached { print(reference) }  // error: risks causing data races
}
