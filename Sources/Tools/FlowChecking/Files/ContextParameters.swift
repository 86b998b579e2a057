import LuaSyntax

/// The function parameters of a file that hold a node's context.
struct ContextParameters {
    /// The function of the definition for whose call a context is made.
    enum Phase {
        case state, render, apply
    }

    /// Parameters that certainly hold a context: those of `render`, `apply` and `state`, and those
    /// they are passed on to, with the calls in which they do.
    private var certain: [ObjectIdentifier: Set<Phase>] = [:]
    /// Parameters that have the name of a context.
    private var likely: Set<ObjectIdentifier> = []

    init(_ source: LuaSource, _ shape: FlowShape?) {
        if let shape, shape.isFlow {
            add(shape.function("render"), 1, [.render])
            add(shape.function("state"), 1, [.state])
            add(shape.function("apply"), 2, [.apply])
            for function in shape.applyFunctions { add(function, 2, [.apply]) }
        }
        var excluded: Set<ObjectIdentifier> = []
        follow(source, &excluded)
        for variable in source.variables where variable.name == "context" {
            let id = ObjectIdentifier(variable)
            let isParameter = variable.owner.parameters.contains { $0 === variable }
            guard isParameter, variable.assignments.isEmpty else { continue }
            if certain[id] == nil, !excluded.contains(id) { likely.insert(id) }
        }
    }

    func isCertain(_ expression: LuaExpression) -> Bool { phases(of: expression) != nil }

    /// The calls in which an expression is a context; `nil` if it is not certain that it is one.
    func phases(of expression: LuaExpression) -> Set<Phase>? {
        expression.variable.flatMap { certain[ObjectIdentifier($0)] }
    }

    func isLikely(_ expression: LuaExpression) -> Bool {
        expression.variable.map { likely.contains(ObjectIdentifier($0)) } ?? false
    }

    func contains(_ expression: LuaExpression) -> Bool {
        isCertain(expression) || isLikely(expression)
    }

    private mutating func add(_ function: LuaFunction?, _ index: Int, _ phases: Set<Phase>) {
        guard let parameter = function?.parameter(index), parameter.assignments.isEmpty else {
            return
        }
        certain[ObjectIdentifier(parameter), default: []].formUnion(phases)
    }

    /// Follows contexts into local functions that are called with nothing else.
    private mutating func follow(_ source: LuaSource, _ excluded: inout Set<ObjectIdentifier>) {
        var calls: [ObjectIdentifier: (function: LuaFunction, calls: [LuaCallExpression])] = [:]
        for call in source.calls where call.method == nil {
            guard let variable = call.callee.variable, let function = variable.onlyValue?.function
            else { continue }
            calls[ObjectIdentifier(variable), default: (function, [])].calls.append(call)
        }
        // Each round follows one call further. Longer chains stay unknown.
        for _ in 0..<8 {
            for (function, calls) in calls.values {
                for (index, parameter) in function.parameters.enumerated() {
                    let id = ObjectIdentifier(parameter)
                    let handed = calls.map { $0.argument(index).flatMap(phases) }
                    if handed.allSatisfy({ $0 != nil }) {
                        add(function, index, Set(handed.flatMap { $0 ?? [] }))
                    }
                    if handed.allSatisfy({ $0 == nil }) {
                        excluded.insert(id)
                    } else {
                        excluded.remove(id)
                    }
                }
            }
        }
    }
}
