/// A function of the host that scripts can call.
struct HostFunction {
    let name: String
    let body: (borrowing LuaCall) throws(LuaError) -> LuaReply
}
