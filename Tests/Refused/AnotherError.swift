import LuaVM

// Whatever a call into Lua throws is a `LuaError`, so that is all that a host function throws.
func stop(_ vm: LuaVM) throws {
    _ = try vm.makeFunction { call throws(LuaError) in
        throw CancellationError()  // error: cannot be converted to error type 'LuaError'
    }
}
