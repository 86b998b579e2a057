import LuaSyntax

/// The function parameters of a file that hold a node's context.
struct ContextParameters {
    /// Parameters that certainly hold a context: those of `render`, `apply` and `state`, and those
    /// they are passed on to.
    private var certain: Set<ObjectIdentifier> = []
    /// Parameters that have the name of a context.
    private var likely: Set<ObjectIdentifier> = []

    init(_ source: LuaSource, _ shape: FlowShape?) {
        if let shape, shape.isFlow {
            add(shape.function("render"), 1)
            add(shape.function("state"), 1)
            add(shape.function("apply"), 2)
            for function in shape.applyFunctions { add(function, 2) }
        }
        var excluded: Set<ObjectIdentifier> = []
        follow(source, &excluded)
        for variable in source.variables where variable.name == "context" {
            let id = ObjectIdentifier(variable)
            let isParameter = variable.owner.parameters.contains { $0 === variable }
            guard isParameter, variable.assignments.isEmpty else { continue }
            if !certain.contains(id), !excluded.contains(id) { likely.insert(id) }
        }
    }

    func isCertain(_ expression: LuaExpression) -> Bool { contains(expression, certain) }

    func isLikely(_ expression: LuaExpression) -> Bool { contains(expression, likely) }

    private func contains(_ expression: LuaExpression, _ set: Set<ObjectIdentifier>) -> Bool {
        expression.variable.map { set.contains(ObjectIdentifier($0)) } ?? false
    }

    private mutating func add(_ function: LuaFunction?, _ index: Int) {
        guard let function, function.parameters.indices.contains(index) else { return }
        let parameter = function.parameters[index]
        if parameter.assignments.isEmpty { certain.insert(ObjectIdentifier(parameter)) }
    }

    /// Follows contexts into local functions that are called with nothing else.
    private mutating func follow(_ source: LuaSource, _ excluded: inout Set<ObjectIdentifier>) {
        var calls: [ObjectIdentifier: (function: LuaFunction, calls: [LuaCallExpression])] = [:]
        for call in source.calls where call.method == nil {
            guard let variable = call.callee.variable,
                case .function(let function)? = variable.onlyValue
            else { continue }
            calls[ObjectIdentifier(variable), default: (function, [])].calls.append(call)
        }
        // Each round follows one call further. Longer chains stay unknown.
        for _ in 0..<8 {
            for (function, calls) in calls.values {
                for (index, parameter) in function.parameters.enumerated() {
                    let id = ObjectIdentifier(parameter)
                    let handed = calls.map { call in
                        index < call.arguments.count && isCertain(call.arguments[index])
                    }
                    if handed.allSatisfy({ $0 }) { add(function, index) }
                    if handed.allSatisfy({ !$0 }) {
                        excluded.insert(id)
                    } else {
                        excluded.remove(id)
                    }
                }
            }
        }
    }
}
