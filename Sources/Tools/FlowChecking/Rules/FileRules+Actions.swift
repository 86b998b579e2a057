import LuaSyntax
import PlainValue
import WorkerKit
import WorkflowLua
import WorkflowPlugins

extension FileRules {
    mutating func checkActions(_ functions: DefinitionFunctions) {
        let sent = SentActions(source, isContext: contexts.contains) { name in
            try? registry.worker(named: name)
        }
        for (type, function) in file.shape?.actions ?? [] {
            guard let action = function.parameter(1) else { continue }
            checkFields(of: action, sent.actions[type ?? ""] ?? .init(), named: type)
        }
        if let action = file.shape?.function("apply")?.parameter(1) {
            var all = SentActions.Action()
            all.fields = sent.allFields
            all.isOpen = true
            all.isMade = true
            checkFields(of: action, all, named: nil)
            checkTypes(of: action, Set(sent.actions.keys))
        }
        checkComparisons(of: functions.actions)
        checkHandlers()
        let names = Set((functions.stateLiterals ?? []).flatMap(\.names))
        for function in functions.apply {
            checkHiding(of: function)
            checkNewState(function, names)
        }
        checkReturnedStates(functions)
    }

    // MARK: Fields

    private mutating func checkFields(
        of action: LuaVariable, _ sent: SentActions.Action, named type: String?
    ) {
        let uses = TableUses(of: [action], in: source)
        let fields = uses.fields.filter { $0.isCertain && !$0.isWrite && $0.name != "type" }
        let known = sent.fields.union(uses.written)
        let unread = sent.fields.subtracting(uses.read)
        for field in fields where !known.contains(field.name) {
            let (name, place) = (field.name, field.use.place)
            let what = type.map { "'\($0)' is sent" } ?? "actions are sent"
            if let near = misspelling(name, of: unread) {
                report(.action, place, "\(what) without '\(name)'. Did you mean '\(near)'?")
            } else if let inner = innerField(of: field.use), sent.fields.contains(inner) {
                report(
                    .action, place,
                    "\(what) with '\(inner)' itself, and not in '\(name)'; write "
                        + "\(action.name).\(inner)")
            } else if !sent.isMade, !sent.isOpen, let only = sent.fields.first,
                sent.fields.count == 1, !field.use.kind.isTest, !uses.read.contains(only)
            {
                report(
                    .action, place,
                    "\(what) by \(only == "output" ? "a worker's output" : "a failure") and has no "
                        + "'\(name)'; write \(action.name).\(only)")
            }
        }
        if sent.fields.contains("error") {
            for use in source.fields where use.base.isField("error", of: action) {
                checkErrorField(use)
            }
        }
        guard !sent.isMade, !sent.isOfOthers, !sent.workers.isEmpty else { return }
        for use in source.fields where use.base.isField("output", of: action) {
            checkOutput(use, of: sent.workers)
        }
    }

    /// Reports types of actions that nothing sends, if one of a similar name is sent.
    private mutating func checkTypes(of action: LuaVariable, _ sent: Set<String>) {
        let compared = source.operations.compactMap { operation -> (String, SourcePlace)? in
            guard operation.symbol == "==", let type = operation.right.text,
                operation.left?.isField("type", of: action) == true
            else { return nil }
            return (type, operation.place)
        }
        let missing = sent.subtracting(compared.map(\.0))
        for (type, place) in compared where !sent.contains(type) {
            guard let near = misspelling(type, of: missing) else { continue }
            report(.action, place, "nothing sends '\(type)'. Did you mean '\(near)'?")
        }
    }

    /// Reports comparisons of a whole action with a text.
    private mutating func checkComparisons(of actions: [LuaVariable]) {
        for (operation, one, other) in source.operands(of: ["==", "~="]) {
            guard let variable = one.variable, actions.contains(where: { $0 === variable }),
                let text = other.text
            else { continue }
            report(
                .action, operation.place,
                "an action is a table, which is never a text; write "
                    + "\(variable.name).type \(operation.symbol) \"\(text)\"")
        }
    }

    /// The name after a use of a field, as `amount` in `action.payload.amount`.
    private func innerField(of use: LuaSource.FieldUse) -> String? {
        source.fields.first { outer in
            if case .field(_, use.name, use.place) = outer.base { true } else { false }
        }?.name
    }

    private mutating func checkErrorField(_ use: LuaSource.FieldUse) {
        let names = ["code", "help", "message"]
        guard !names.contains(use.name), !use.kind.isWrite else { return }
        report(
            .action, use.place,
            "an error of a worker has no field '\(use.name)'"
                + suggestion(for: use.name, among: names, noun: "fields"))
    }

    /// Reports a field that no output of the workers has.
    private mutating func checkOutput(_ use: LuaSource.FieldUse, of workers: [WorkerDefinition]) {
        guard !use.kind.isWrite, let first = workers.first else { return }
        var names: Set<String> = []
        for worker in workers {
            var schema = worker.output
            if case .optional(let inner) = schema { schema = inner }
            guard case .record(let fields) = schema else { return }
            names.formUnion(fields.map(\.name))
        }
        guard !names.contains(use.name) else { return }
        report(
            .action, use.place,
            "the output of '\(first.name)' has no field '\(use.name)'"
                + suggestion(for: use.name, among: names.sorted(), noun: "fields"))
    }

    /// Checks the functions that make actions of outputs and errors.
    private mutating func checkHandlers() {
        for call in source.calls where contexts.contains(call.callee) && call.method == "run" {
            guard let options = call.argument(2)?.table, let name = call.arguments.first?.text,
                let worker = try? registry.worker(named: name)
            else { continue }
            for field in options.fields {
                if case .field(.field(_, "apply", _), let type, let place) = field.value {
                    report(
                        .context, place,
                        "\(field.name ?? "a handler") names the action that is sent; write "
                            + "\(field.name ?? "on_output") = \"\(type)\"")
                }
                guard let parameter = field.value.function?.parameter(0) else { continue }
                for use in source.fields where use.base.variable === parameter {
                    if field.name == "on_output" { checkOutput(use, of: [worker]) }
                    if field.name == "on_error" { checkErrorField(use) }
                }
            }
        }
    }

    // MARK: States that are lost

    /// Reports a local variable that hides the state which an action should change.
    private mutating func checkHiding(of function: LuaFunction) {
        guard let state = function.parameters.first else { return }
        for variable in source.variables
        where variable.owner === function && variable !== state && variable.name == state.name {
            guard let value = variable.initializer, value.root !== state else { continue }
            report(
                .state, variable.place,
                "a new local '\(state.name)' hides the state, which stays as it is; leave out "
                    + "local, and set fields, as in \(state.name).n = …")
        }
    }

    /// Reports an action that returns a new state, as reducers do, and changes nothing.
    private mutating func checkNewState(_ function: LuaFunction, _ names: Set<String>) {
        guard let state = function.parameters.first, !names.isEmpty, !changes(state) else { return }
        for result in function.results where isNewState(result, of: state, names) {
            report(
                .state, result.place,
                "what an action returns is its output, and the state stays as it is; change it in "
                    + "place, as in \(state.name).n = …")
        }
    }

    private func isNewState(
        _ result: LuaChoice.Operand, of state: LuaVariable, _ names: Set<String>
    ) -> Bool {
        switch result.value {
        case .table(let table): return isNewState(table, of: state, names)
        case .variable(let variable, _):
            guard variable !== state, let value = variable.onlyValue else { return false }
            let written = source.fields.filter { use in
                use.kind.isWrite && use.base.variable === variable
            }
            let isOfState = Set(written.map(\.name)).isSubset(of: names)
            switch value {
            case .table(let table):
                if isNewState(table, of: state, names) { return true }
                guard table.isClosed, isOfState, Set(table.names).isSubset(of: names) else {
                    return false
                }
                // One field is computed of its old value, or all are copied, by `pairs`.
                let isCopied = source.variables.contains { $0.iterated?.variable === state }
                return written.contains { use in
                    use.valueRange.map { computes(use.name, of: state, in: $0) } ?? false
                } || isCopied && !written.isEmpty
            case .call(let call):
                return !written.isEmpty && isOfState
                    && call.arguments.contains { $0.variable === state }
            default: return false
            }
        case .call(let call):
            // As in merge(state, { count = 1 }).
            guard call.arguments.contains(where: { $0.variable === state }) else { return false }
            return call.arguments.compactMap(\.table).contains { table in
                table.isClosed && !table.fields.isEmpty && Set(table.names).isSubset(of: names)
            }
        default: return false
        }
    }

    /// True if the table is a whole state, or has a field that is computed of its old value.
    private func isNewState(
        _ table: LuaTable, of state: LuaVariable, _ names: Set<String>
    ) -> Bool {
        guard table.isClosed, !table.fields.isEmpty, Set(table.names).isSubset(of: names) else {
            return false
        }
        let isComputed = table.fields.contains { field in
            field.name.map { computes($0, of: state, in: field.valueRange) } ?? false
        }
        if isComputed { return true }
        // An output may have the same fields, but then it shows those of the state.
        return names.count > 1 && Set(table.names) == names
            && table.fields.contains { field in
                !source.fields.contains { use in
                    use.base.root === state && field.valueRange.contains(use.place)
                }
            }
    }

    private static let steps: Set<String> = ["+", "-", "..", "not"]

    /// True if a field of the state is an operand of its new value, as in `state.n + 1`.
    private func computes(
        _ name: String, of state: LuaVariable, in range: Range<SourcePlace>
    ) -> Bool {
        source.operations.contains { operation in
            Self.steps.contains(operation.symbol) && range.contains(operation.place)
                && [operation.left, operation.right].contains {
                    $0?.isField(name, of: state) == true
                }
        }
    }

    /// True if a function may change the table in a variable.
    private func changes(_ state: LuaVariable) -> Bool {
        source.fields.contains { $0.kind.isWrite && $0.base.root === state }
            || source.elementWrites.contains { $0.base.root === state }
            || source.calls.contains { call in
                guard call.arguments.contains(where: { $0.root === state }) else { return false }
                if call.callee.global != nil { return false }
                if case .field(.global("table", _), let name, _) = call.callee {
                    return ["insert", "move", "remove", "sort"].contains(name)
                }
                // Only a call that is a statement has no other reason.
                return call.isStatement
            }
            || source.variables.contains { variable in
                // Another name for a part of it may be changed.
                variable !== state && (variable.onlyValue?.root === state)
                    && source.fields.contains { $0.kind.isWrite && $0.base.root === variable }
            }
    }

    /// Reports actions that return the state itself, where more than one does.
    private mutating func checkReturnedStates(_ functions: DefinitionFunctions) {
        let returned = functions.apply.flatMap { function in
            function.parameters.first.map { state in
                function.results.filter { $0.value.variable === state }.map { ($0.place, state) }
            } ?? []
        }
        guard returned.count > 1 else { return }
        for (place, state) in returned {
            report(
                .state, place,
                "what an action returns is its output, and the changed state is kept without it; "
                    + "leave out return \(state.name)")
        }
    }
}
