package import LuaVM
package import PlainValue
import WorkflowLua

extension SecretTexts {
    /// The values of variables at a moment with secrets masked. If they contain texts, the secrets
    /// of all variables at the moment are learned first.
    package func values(
        of names: [String], at moment: borrowing LuaMoment, level: Int = 0
    ) -> [String: Value] {
        let values = moment.values(of: names, at: level)
        for level in 0..<(values.values.contains(where: \.mayHaveTexts) ? moment.depth : 0) {
            for variable in moment.locals(at: level) + moment.upvalues(at: level) {
                add(from: [variable.name: variable.value])
            }
        }
        return Dictionary(
            uniqueKeysWithValues: values.map { ($0, hiding($1, at: ValuePath([.key($0)]))) })
    }
}

extension FrameExpressions {
    /// The plain value of an expression at a moment, over values with secrets masked.
    func value(
        of expression: FrameExpression, at moment: borrowing LuaMoment, callsFunctions: Bool,
        hiding secrets: SecretTexts
    ) throws(FlowError) -> Value {
        guard !secrets.names.isEmpty else {
            return try value(of: expression, at: moment, callsFunctions: callsFunctions)
        }
        return try value(of: expression, where: secrets.values(of: expression.names, at: moment))
    }
}

extension Value {
    /// True if the value can contain a secret.
    fileprivate var mayHaveTexts: Bool {
        switch self {
        case .null, .bool: false
        case .string, .list, .record, .int, .double: true
        }
    }
}
