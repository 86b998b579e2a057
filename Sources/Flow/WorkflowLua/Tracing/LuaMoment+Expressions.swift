package import LuaVM
package import PlainValue

extension LuaMoment {
    /// The value of an expression, which may call functions of the flow, as a nameless variable.
    /// It is evaluated over copies of the variables at a level, and changes nothing of the flow.
    ///
    /// - Parameter others: The values of names that are not variables there.
    package func value(
        of expression: FrameExpression, level: Int, where others: [String: Value]
    ) throws(FlowError) -> LuaVariable {
        let known = try lua { () throws(LuaError) in
            try copies(of: expression.names.filter { $0 != "_ENV" }, at: level)
        }
        var names: [String] = []
        do throws(LuaError) {
            var arguments: [LuaArgument] = []
            for name in expression.names {
                if let copy = known[name] {
                    arguments.append(copy)
                } else if let value = others[name] {
                    arguments.append(try vm.argument(value, name))
                } else {
                    continue
                }
                names.append(name)
            }
            let head = names.isEmpty ? "" : "local \(names.joined(separator: ", ")) = ...; "
            let function = try vm.load(head + "return " + expression.text, chunkName: "expression")
            let value = try call(
                function, arguments, instructionLimit: FrameExpressions.instructionLimit)
            if value.isNil, let name = try unknown(in: expression, names) {
                throw LuaError(raising: FlowError(.unknownVariable, name))
            }
            return value
        } catch {
            if error.code == .runtime, let name = try? unknown(in: expression, names) {
                throw FlowError(.unknownVariable, name)
            }
            throw FlowError(error)
        }
    }

    /// The first unknown name in an expression.
    private func unknown(
        in expression: FrameExpression, _ known: [String]
    ) throws(LuaError) -> String? {
        // The parameters of a function in the expression are variables too.
        guard !expression.hasFunctions else { return nil }
        for name in expression.names where !known.contains(name) && name != "_ENV" {
            let asks = try vm.load("return \(LuaText.global(name)) ~= nil", chunkName: "expression")
            guard
                try call(asks, [], instructionLimit: FrameExpressions.instructionLimit).value
                    == .bool(true)
            else { return name }
        }
        return nil
    }
}
