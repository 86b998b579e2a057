import LuaSyntax
import PlainValue

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
        var known: KnownActions?
        for value in flow.values where !value.isNil {
            guard let call = value.call, isTest(call.callee), let first = call.arguments.first,
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
        return base.global == "workflow" || requiredModule(base) == "workflow"
    }

    /// The module of an expression: a `require`, a variable of one, or a module's name for `test`.
    func requiredModule(_ expression: LuaExpression) -> String? {
        if let call = expression.known.call { call.requiredModule } else { expression.text }
    }

    /// True if the function's sends may be expected to fail.
    private func expectsFailure(_ function: LuaFunction) -> Bool {
        source.calls.contains { call in
            if call.function === function, call.method == "expect_error" { return true }
            // Another function that it is given to may protect it.
            return call.arguments.contains { $0.function === function }
                && !(call.callee.global.map(Self.frames.contains) ?? false)
        }
    }
}
