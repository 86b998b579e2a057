import LuaVM

// A call of a host function is valid until the function returns, so nobody can keep it.
func keep(_ vm: LuaVM) throws {
    _ = try vm.makeFunction { call throws(LuaError) in  // error: 'call' is borrowed and cannot be
        let kept = call
        _ = kept.string(at: 1)
        return nil
    }
}
