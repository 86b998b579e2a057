import PlainValue

extension LuaVM {
    /// Makes a Lua function of a function in Swift.
    ///
    /// ```swift
    /// let add = try vm.makeFunction("add") { (a: Int, b: Int) in a + b }
    /// // add(1) throws argument 2 of 'add' does not fit: expected an integer, found nil
    /// ```
    ///
    /// Arguments are decoded from plain values and the result is encoded to one. An argument is
    /// optional if its type is, and further ones are ignored. A result of `nil` is nil in Lua.
    ///
    /// An argument that does not fit, and any error of `body`, is raised in the script as
    /// ``LuaError/init(describing:)`` makes it, at the caller's location.
    ///
    /// - Important: `body` is retained as long as a script can reach the function.
    /// - Throws: A ``LuaError`` of code `memoryLimit` or `processEnded`.
    public func makeFunction<each Argument: Decodable, Result: Encodable>(
        _ name: String, _ body: @escaping (repeat each Argument) throws -> Result
    ) throws(LuaError) -> LuaReference {
        try makeFunction(name) { call throws(LuaError) in
            var index = 0
            do {
                let result = try body(repeat call.decode((each Argument).self, after: &index))
                let value = try ValueEncoder().encode(result)
                return value.isNull ? .nil : .value(value)
            } catch {
                throw LuaError(describing: error)
            }
        }
    }

    /// Makes a Lua function of a function in Swift that has no result.
    ///
    /// - Throws: A ``LuaError`` of code `memoryLimit` or `processEnded`.
    public func makeFunction<each Argument: Decodable>(
        _ name: String, _ body: @escaping (repeat each Argument) throws -> Void
    ) throws(LuaError) -> LuaReference {
        try makeFunction(name) { call throws(LuaError) in
            var index = 0
            do {
                try body(repeat call.decode((each Argument).self, after: &index))
                return nil
            } catch {
                throw LuaError(describing: error)
            }
        }
    }
}

extension LuaCall {
    fileprivate func decode<Argument: Decodable>(
        _: Argument.Type, after index: inout Int
    ) throws -> Argument {
        index += 1
        let place = "argument \(index) of '\(functionName)'"
        let value = try self.value(at: index, root: place)
        do {
            return try ValueDecoder().decode(Argument.self, from: value)
        } catch {
            var reason = codingReason(error)
            // Nil is decoded as null, which a script can tell from it.
            if type(at: index) == .nil { reason.replace("found null", with: "found nil") }
            throw LuaError(.host, "\(place) does not fit: \(reason)", underlying: error)
        }
    }
}
