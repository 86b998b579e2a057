import LuaSyntax
import PlainValue

// Rules for what tests send.
extension FileRules {
    private static let frames: Set<String> = [
        "after_each", "before_each", "describe", "it", "pending",
    ]

    mutating func checkSends() {
        for call in source.calls where call.method == "send" && !call.arguments.isEmpty {
            guard let flow = call.callee.variable, let type = call.arguments[0].literalAction,
                !expectsFailure(call.function), let actions = actions(of: flow),
                let objection = actions.objection(to: type)
            else { continue }
            report(.action, call.places[0], objection)
        }
    }

    /// The actions of the flow in a variable, if all assignments agree.
    private func actions(of flow: LuaVariable) -> KnownActions? {
        let values = [flow.initializer].compactMap { $0 } + flow.assignments.map(\.value)
        var known: KnownActions?
        for value in values {
            if case .constant(.null) = value { continue }
            guard case .call(let call) = value, isTest(call.callee),
                let first = call.arguments.first,
                let name = requiredModule(first), case .file(let file?) = module(name),
                let actions = file.actions
            else { return nil }
            if let known, known.types != actions.types { return nil }
            known = actions
        }
        return known
    }

    func isTest(_ callee: LuaExpression) -> Bool {
        guard case .field(let base, "test", _) = callee else { return false }
        if case .global("workflow", _) = base { return true }
        return requiredModule(base) == "workflow"
    }

    /// The module of an expression: a `require`, a variable of one, or a module's name for `test`.
    func requiredModule(_ expression: LuaExpression) -> String? {
        if case .call(let call) = expression.variable?.onlyValue ?? expression {
            return call.requiredModule
        }
        return expression.text
    }

    /// True if the function's sends may be expected to fail.
    private func expectsFailure(_ function: LuaFunction) -> Bool {
        let isExpected = source.calls.contains { call in
            call.function === function && call.method == "expect_error"
        }
        let isProtected = source.calls.contains { call in
            let holdsFunction = call.arguments.contains { argument in
                if case .function(let known) = argument { known === function } else { false }
            }
            guard holdsFunction else { return false }
            if case .global(let name, _) = call.callee { return !Self.frames.contains(name) }
            return true
        }
        return isExpected || isProtected
    }
}
