import CLuaBridge

extension LuaVM {
    /// Makes a Lua function that runs host code.
    ///
    /// `body` runs on the thread of the call, may call into this VM, and sees `name` as
    /// ``LuaCall/functionName``. It returns the result of the call, or `nil` for none. An error of
    /// it is raised in the script at the caller's location. The script can catch it; if it does
    /// not, the call throws the same ``LuaError``.
    ///
    /// - Important: `body` is retained as long as a script can reach the function.
    /// - Throws: A ``LuaError`` of code `memoryLimit` or `processEnded`.
    public func makeFunction(
        _ name: String = "function",
        _ body: @escaping (borrowing LuaCall) throws(LuaError) -> LuaArgument?
    ) throws(LuaError) -> LuaReference {
        try makeFunction(name, remembering: false, body)
    }

    /// Makes a function in whose calls ``LuaCall/remember(_:_:)`` may be used.
    package func makeFunction(
        _ name: String, remembering: Bool,
        _ body: @escaping (borrowing LuaCall) throws(LuaError) -> LuaArgument?
    ) throws(LuaError) -> LuaReference {
        // Numbers that no script can reach any more are used again, so the table stays small.
        forgetDeadFunctions()
        let number = freeFunctions.popLast() ?? Int32(clamping: functions.count)
        if Int(number) == functions.count { functions.append(nil) }
        assert(functions[Int(number)] == nil)
        functions[Int(number)] = HostFunction(name: name, body: body)
        do throws(LuaError) {
            return try makeReference { slot in lb_make_function(bridge, number, remembering, slot) }
        } catch {
            functions[Int(number)] = nil
            freeFunctions.append(number)
            throw error
        }
    }

    func forgetDeadFunctions() {
        var number: Int32 = 0
        while lb_take_dead_function(bridge, &number) {
            assert(functions[Int(number)] != nil)
            functions[Int(number)] = nil
            freeFunctions.append(number)
        }
    }

    /// Runs a host function for the bridge. Returns false to have ``raisedError`` raised.
    func run(_ number: Int32, _ call: OpaquePointer) -> Bool {
        guard let function = functions[Int(number)] else { return true }
        do throws(LuaError) {
            let call = LuaCall(vm: self, functionName: function.name, call: call)
            if let result = try function.body(call) { try call.reply(result) }
            return true
        } catch {
            raise(error, in: call)
            return false
        }
    }

    private func raise(_ error: LuaError, in call: OpaquePointer) {
        var error = error
        if error.location == nil {
            var location = lb_location()
            if lb_call_location(call, &location) { error.location = LuaLocation(location) }
        }
        raisedError = error
        error.description.withBytes { bytes, count in lb_reply_error(call, bytes, count) }
    }
}

struct HostFunction {
    let name: String
    let body: (borrowing LuaCall) throws(LuaError) -> LuaArgument?
}
