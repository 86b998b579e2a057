public import PlainValue

extension LuaVM {
    /// Runs source text and returns its first result as a plain value, or null if it has none.
    ///
    /// ```swift
    /// print(try vm.run("return { #'tea', #'milk' }"))  // { 3, 4 }
    /// ```
    ///
    /// - Parameter chunkName: The name of the text in errors.
    /// - Throws: A ``LuaError`` as `load` and `call` throw it.
    @discardableResult
    public func run(_ source: String, chunkName: String = "script") throws(LuaError) -> Value {
        try call(load(source, chunkName: chunkName), returning: .value).value ?? .null
    }

    /// Runs source text and returns its first result as a value of `type`.
    ///
    /// ```swift
    /// print(try vm.run("return 40 + 2", as: Int.self))  // 42
    /// ```
    ///
    /// - Throws: Also an error of code `conversion`: `result: expected an integer, found a string`.
    public func run<Result: Decodable>(
        _ source: String, chunkName: String = "script", as type: Result.Type
    ) throws(LuaError) -> Result {
        let value = try run(source, chunkName: chunkName)
        do {
            return try ValueDecoder().decode(type, from: value)
        } catch {
            throw LuaError(.conversion, "result: " + codingReason(error), underlying: error)
        }
    }
}
