import LuaSyntax
import PlainValue
import WorkflowLua

// Rules for what the functions of a definition do with their arguments.
extension FileRules {
    mutating func checkFunctions() {
        guard let functions = DefinitionFunctions(file.shape) else { return }
        checkAssignments(to: functions.statesToChange)
        checkReturns(of: functions)
        for (table, place) in changedTables { checkWrite(to: table, place, functions) }
        checkInputFields()
        let state = StateFields(functions, in: source)
        checkCalls(of: functions, state)
        checkHiddenTables(functions)
        guard hasRightParameters else { return }
        checkStateFields(state)
        checkActions(functions)
    }

    // MARK: Parameters

    /// Reports assignments to a parameter, which have no effect outside the function.
    private mutating func checkAssignments(to states: [LuaVariable]) {
        for state in states {
            for assignment in state.assignments where assignment.value.root !== state {
                report(
                    .state, assignment.place,
                    "a new value of '\(state.name)' changes nothing; set its fields, as in "
                        + "\(state.name).n = …")
            }
        }
    }

    // MARK: Results

    private mutating func checkReturns(of functions: DefinitionFunctions) {
        if let render = functions.render, render.returnsNothing, !usesContext(render) {
            report(render, "render returns nothing; end it with return { … }")
        }
        if let state = functions.state, state.returnsNothing {
            report(state, "state returns nothing; end it with return { … }")
        }
        if let migrate = functions.migrate, migrate.returnsNothing {
            report(migrate, "migrate returns nothing; end it with return and the new state")
        }
        for result in ([functions.render].compactMap(\.self) + functions.apply).flatMap(\.results) {
            checkPlain(result.value, result.place)
        }
    }

    /// Reports functions in a literal that must be a plain value.
    private mutating func checkPlain(_ value: LuaExpression, _ place: SourcePlace) {
        switch value {
        case .function:
            report(
                .definition, place,
                "a function is not a plain value; use context:sink(\"type\") for something that "
                    + "can be sent back")
        case .table(let table):
            for field in table.fields { checkPlain(field.value, field.valuePlace) }
        default: break
        }
    }

    private func usesContext(_ function: LuaFunction) -> Bool {
        source.calls.contains { call in
            contexts.isCertain(call.callee) && call.callee.variable?.owner === function
                && ["render", "run"].contains(call.method)
        }
    }

    private mutating func report(_ function: LuaFunction, _ message: String) {
        guard let place = source.place(of: function) else { return }
        report(.definition, place, message)
    }

    // MARK: Writes

    private mutating func checkWrite(
        to target: LuaExpression, _ place: SourcePlace, _ functions: DefinitionFunctions
    ) {
        guard let variable = target.root else { return }
        if functions.render?.parameters.first === variable {
            report(
                .state, place, "render may not change the state; only apply and changed may do that"
            )
        } else if functions.props.contains(where: { $0 === variable }) {
            report(
                .state, place, "\(variable.name) is read-only; what changes belongs in the state")
        } else if contexts.isCertain(.variable(variable, place)) {
            let isOfProps = target.isIn("props", of: variable)
            report(
                .context, place,
                (isOfProps ? "props is read-only" : "a context is read-only")
                    + "; what changes belongs in the state")
        }
    }

    /// Reports a read of the time or the sender where a context has none.
    private mutating func checkInputFields() {
        for use in source.fields where !use.kind.isWrite {
            guard let phases = contexts.phases(of: use.base) else { continue }
            if use.name == "now", !phases.contains(.apply) {
                report(
                    .context, use.place,
                    "context.now works only in apply; keep the time in the state")
            } else if use.name == "principal", phases == [.render] {
                report(
                    .context, use.place,
                    "context.principal works only in apply and state; keep the name in the state")
            }
        }
    }

    // MARK: Calls

    private mutating func checkCalls(of functions: DefinitionFunctions, _ state: StateFields) {
        for call in source.calls {
            checkPlainCallee(of: call, functions, state)
            checkDot(of: call)
            checkPlace(of: call, functions)
            checkArguments(of: call)
        }
    }

    /// Reports calls of values in a state, an action or props, which contain no functions.
    private mutating func checkPlainCallee(
        of call: LuaCallExpression, _ functions: DefinitionFunctions, _ state: StateFields
    ) {
        let plain = functions.states + functions.actions + functions.props
        guard let root = call.callee.root, plain.contains(where: { $0 === root }) else { return }
        if let method = call.method {
            // A field may be a string, which has methods.
            guard call.callee.variable != nil else { return }
            report(
                .state, call.place,
                "\(root.name) holds plain values and no functions; write a local function, and "
                    + "call \(method)(\(root.name))")
        } else if case .field(let base, let name, let place) = call.callee, !state.isList(base) {
            report(
                .state, place,
                "\(root.name) holds plain values and no functions; leave out the call of '\(name)'")
        }
    }

    /// Reports `context.sink(…)`, with a dot instead of a colon.
    private mutating func checkDot(of call: LuaCallExpression) {
        guard call.method == nil, case .field(let base, let name, let place) = call.callee,
            contexts.isCertain(base), Self.contextFunctions.contains(name),
            call.arguments.first?.variable !== base.variable || call.arguments.isEmpty
        else { return }
        report(.context, place, "write context:\(name)(…) with a colon")
    }

    /// Reports functions that are called where they do not work.
    private mutating func checkPlace(of call: LuaCallExpression, _ functions: DefinitionFunctions) {
        if case .field(.global("math", _), "random", _) = call.callee,
            functions.render === call.function
        {
            report(
                .state, call.place,
                "math.random draws the same numbers in every render; draw in apply, and keep the "
                    + "number in the state")
        }
        guard let method = call.method, Self.contextFunctions.contains(method),
            let phases = contexts.phases(of: call.callee)
        else { return }
        let phase: ContextParameters.Phase = method == "random" ? .apply : .render
        if phases.contains(phase) { return }
        report(
            .context, call.place,
            "context:\(method) works only in \(phase == .apply ? "apply" : "render"); "
                + HostAPI.help(forMisplaced: method))
    }

    private static let firstArguments = [
        "render": "a definition; write context:render(Child, { … })",
        "run": "the name of a worker; write context:run(\"clock.after\", { … })",
        "sink": "the type of an action; write context:sink(\"add\")",
    ]

    private static let contextFunctions: Set = ["random", "render", "run", "sink"]

    /// Reports literals that are wrong arguments for a function of the context.
    private mutating func checkArguments(of call: LuaCallExpression) {
        guard let method = call.method, contexts.isCertain(call.callee) else { return }
        guard let first = call.arguments.first else {
            guard let what = Self.firstArguments[method] else { return }
            report(.context, call.place, "context:\(method) takes \(what)")
            return
        }
        switch method {
        case "run" where first.isLiteral && first.text == nil:
            report(
                .context, call.places[0],
                "context:run takes the name of a worker first; write context:run(\"name\", { … })")
        case "sink" where first.isLiteral && first.text == nil:
            report(
                .context, call.places[0],
                "context:sink takes the type of an action first; "
                    + "write context:sink(\"type\", { … })")
        case "render":
            if let table = first.table, table.isClosed, table["render"] == nil {
                report(
                    .context, call.places[0],
                    "context:render takes a definition first, then its props; write "
                        + "context:render(Child, { … })")
            }
            if let props = call.argument(1) { checkPlain(props, call.places[1]) }
        default: break
        }
        guard ["render", "run"].contains(method), let key = call.argument(2)?.table?["key"] else {
            return
        }
        switch key.value {
        case .table, .function, .constant(.bool), .constant(.double):
            report(
                .context, key.valuePlace,
                "a key is a string or a whole number; write { key = item.id }")
        default: break
        }
    }
}

extension LuaFunction {
    fileprivate var returnsNothing: Bool { returns.allSatisfy(\.isEmpty) }
}

extension LuaExpression {
    /// True if the expression is `variable.name` or a field within it.
    fileprivate func isIn(_ name: String, of variable: LuaVariable) -> Bool {
        guard case .field(let base, let own, _) = self else { return false }
        return base.variable === variable ? own == name : base.isIn(name, of: variable)
    }
}

extension LuaSource {
    /// The place where a table names the function.
    fileprivate func place(of function: LuaFunction) -> SourcePlace? {
        tables.lazy.flatMap(\.fields).first { $0.value.function === function }?.place
            ?? fields.first { $0.kind.written?.function === function }?.place
            ?? variables.first { $0.initializer?.function === function }?.place
    }
}
