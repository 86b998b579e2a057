package import PlainValue

extension LuaVM {
    private static let mostValues = 250

    /// Evaluates an expression and returns all its values as plain values. Throws like `load` and
    /// `call`. The error calls a value that is not plain `value`, or `value 2` if it is the second
    /// of several.
    ///
    /// - Parameter preparation: Statements that run first.
    package func values(
        of expression: String, _ names: [String], _ arguments: [LuaArgument],
        after preparation: String = "", chunkName: String
    ) throws(LuaError) -> [Value] {
        func locals(_ names: [String]) -> String {
            names.isEmpty ? "" : "local \(names.joined(separator: ", ")) = ...; \(preparation)"
        }
        // Loaded alone first: inside a call, a text such as `1) + f(2` would pass as an expression.
        _ = try load(locals(names) + "return " + expression, chunkName: chunkName)
        let opening = locals(["__values"] + names) + "return __values(" + expression
        // A text that ends in a comment needs another line for the parenthesis, which errors name.
        let chunk: LuaReference
        if let loaded = try? load(opening + ")", chunkName: chunkName) {
            chunk = loaded
        } else {
            chunk = try load(opening + "\n)", chunkName: chunkName)
        }
        let packer = try call(
            load(
                "return function(...) return { n = select('#', ...), ... } end", chunkName: "values"
            ),
            returning: .reference)
        guard let packer = packer.reference else { return [] }
        let packed = try call(chunk, [.reference(packer)] + arguments, returning: .reference)
        guard let table = packed.reference, let count = try field("n", of: table).scalar?.int else {
            return []
        }
        guard count <= Self.mostValues else {
            throw LuaError(
                .invalidUse, "the expression has \(count) values, more than \(Self.mostValues)")
        }
        let getter = try load("local values, index = ... return values[index]", chunkName: "values")
        var values: [Value] = []
        for index in 0..<count {
            let result = try call(
                getter, .reference(table), .value(.int(index + 1)), returning: .value,
                root: count == 1 ? "value" : "value \(index + 1)")
            values.append(result.value ?? .null)
        }
        return values
    }
}
