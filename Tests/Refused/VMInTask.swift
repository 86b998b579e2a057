import LuaVM

// A VM is used by one thread at a time.
func later(_ vm: LuaVM) {
    Task.detached { vm.collectGarbage() }  // error: risks causing data races
}
