package import LuaVM
package import PlainValue
package import WorkflowLua

extension SecretTexts {
    /// The values of variables at a moment, without what is secret. Where they have texts in them,
    /// all that can be seen there is known from then on.
    package func values(
        of names: [String], at moment: borrowing LuaMoment, level: Int = 0
    ) -> [String: Value] {
        let values = moment.values(of: names, at: level)
        for level in 0..<(values.values.contains(where: \.mayHaveTexts) ? moment.depth : 0) {
            for variable in moment.locals(at: level) + moment.upvalues(at: level) {
                add(variable.value, of: variable.name)
            }
        }
        return Dictionary(
            uniqueKeysWithValues: values.map { ($0, hiding($1, of: $0)) })
    }

    /// What is to be seen of variables.
    package func hide(in variables: inout [LuaVariable]) {
        for index in variables.indices {
            variables[index].value = hiding(variables[index].value, of: variables[index].name)
        }
    }

    /// What is to be seen of a variable.
    private func hiding(_ value: Value, of name: String) -> Value {
        names.contains(name) ? .string(Self.mask) : hiding(value)
    }
}

extension FrameExpressions {
    /// The plain value of an expression at a moment, which sees nothing that is secret.
    package func value(
        of expression: FrameExpression, at moment: borrowing LuaMoment, callsFunctions: Bool,
        hiding secrets: SecretTexts
    ) throws(FlowError) -> Value {
        guard !secrets.isEmpty else {
            return try value(of: expression, at: moment, callsFunctions: callsFunctions)
        }
        return try value(of: expression, where: secrets.values(of: expression.names, at: moment))
    }
}

extension Value {
    /// Whether something secret can be in it.
    fileprivate var mayHaveTexts: Bool {
        switch self {
        case .null, .bool: false
        case .string, .list, .record, .int, .double: true
        }
    }
}
