import LuaSyntax
import PlainValue

extension FileRules {
    /// Reports fields that are read and never written, or written and never read.
    ///
    /// A name that is not a misspelling is reported only where all uses of the state are in sight.
    mutating func checkStateFields(_ state: StateFields) {
        guard state.isKnown else { return }
        let (uses, initial) = (state.uses, state.initial)
        var known = initial.union(uses.written)
        if !uses.isKept {
            known.formUnion(source.tables.flatMap(\.names))
            for use in source.fields where use.kind.isWrite { known.insert(use.name) }
        }
        let read = Set(source.fields.filter { !$0.kind.isWrite }.map(\.name)).union(namesInTests)
        var reported: Set<String> = []
        for field in uses.fields where field.isCertain && !reported.contains(field.name) {
            let (name, place) = (field.name, field.use.place)
            guard !(field.isWrite ? read : known).contains(name) else { continue }
            let others = field.isWrite ? initial.union(uses.read) : known
            if !initial.contains(name), let near = misspelling(name, of: others) {
                report(.state, place, "the state has no field '\(name)'. Did you mean '\(near)'?")
            } else if !uses.isKept {
                continue
            } else if field.isWrite {
                report(
                    .state, place,
                    "nothing reads '\(name)' of the state; show it in render, or leave it out")
            } else {
                report(
                    .state, place,
                    "nothing sets '\(name)' in the state; "
                        + (name == "props"
                            ? "the props are context.props"
                            : "give it a value in state, or in an action"))
            }
            reported.insert(name)
        }
        checkComparisons(state)
        checkKinds(state)
        checkElements(state)
        checkLists(state)
        checkRecords(state)
        checkHoles(state)
    }

    /// Reports an element that leaves a hole in a list, of which no other element is written.
    private mutating func checkHoles(_ state: StateFields) {
        for write in source.elementWrites {
            guard let name = state.name(of: write.base), let values = state.allValues(of: name),
                values.count == 1, let list = values[0].table, list.names.isEmpty,
                let index = write.key.constant?.int, index > list.fields.count + 1,
                source.elementWrites.count(where: { state.name(of: $0.base) == name }) == 1,
                !source.calls.contains(where: { call in
                    call.arguments.contains { state.name(of: $0) == name }
                })
            else { continue }
            report(
                .state, write.place,
                "element \(index) leaves a hole in '\(name)'; "
                    + "write state.\(name)[#state.\(name) + 1] = …")
        }
    }

    /// Reports records that are used as lists.
    private mutating func checkRecords(_ state: StateFields) {
        for operation in source.operations where operation.symbol == "#" {
            guard state.isRecord(operation.right), let name = state.name(of: operation.right)
            else { continue }
            report(
                .state, operation.place,
                "'\(name)' has names, and # counts lists only; count with "
                    + "for _ in pairs(state.\(name)) do")
        }
        for call in source.calls {
            guard call.callee.global == "ipairs", state.isRecord(call.arguments.first),
                let name = state.name(of: call.arguments.first)
            else { continue }
            report(
                .state, call.place,
                "'\(name)' has names, and ipairs goes through lists only; write "
                    + "pairs(state.\(name))")
        }
    }

    // MARK: Values

    /// Reports comparisons with a value that a field of the state never has.
    private mutating func checkComparisons(_ state: StateFields) {
        for (operation, field, literal) in source.operands(of: ["==", "~="]) {
            guard let constant = literal.constant, constant != .null,
                let name = state.name(of: field), let values = state.allValues(of: name)
            else { continue }
            if checkKind(of: constant, name, state, operation.place) { continue }
            let constants = values.compactMap(\.constant)
            guard constants.count == values.count, !constants.contains(constant) else { continue }
            let shown = Set(constants.filter { $0 != .null }.map(\.description)).sorted()
            let near = constant.string.flatMap {
                misspelling($0, of: constants.compactMap(\.string))
            }
            report(
                .state, operation.place,
                "'\(name)' is never \(constant)"
                    + (near.map { ". Did you mean '\($0)'?" }
                        ?? "; it is \(shown.joined(separator: ", "))"))
        }
    }

    /// Reports a comparison with a literal of another kind, and returns whether it is one.
    private mutating func checkKind(
        of constant: Value, _ name: String, _ state: StateFields, _ place: SourcePlace
    ) -> Bool {
        guard let kind = StateFields.Kind(of: constant), let kinds = state.kinds(of: name),
            let first = kinds.first, kinds.count == 1, kind != first
        else { return false }
        report(
            .state, place,
            "'\(name)' is a \(first.rawValue), and \(constant) is a \(kind.rawValue); "
                + (first == .boolean
                    ? "write if state.\(name) then" : "compare values of one type"))
        return true
    }

    /// Reports fields that are ordered with a literal of another kind, and texts for truth values.
    private mutating func checkKinds(_ state: StateFields) {
        for (operation, field, literal) in source.operands(of: ["<", "<=", ">", ">="]) {
            guard let constant = literal.constant, let name = state.name(of: field) else {
                continue
            }
            _ = checkKind(of: constant, name, state, operation.place)
        }
        for field in state.uses.fields where field.isCertain {
            guard let text = field.use.kind.written?.text, ["true", "false"].contains(text),
                let values = state.values.first(where: { $0.name == field.name })?.values,
                values.contains(where: { $0.constant?.bool != nil })
            else { continue }
            report(
                .state, field.use.place,
                "\"\(text)\" is a text, which is always true in a condition; write \(text)")
        }
    }

    /// Reports fields that elements of a list of the state do not have, but ones of similar names.
    private mutating func checkElements(_ state: StateFields) {
        for (name, _) in state.values {
            guard let elements = state.elements(of: name, in: source) else { continue }
            var known = Set(elements.flatMap(\.names))
            let variables = source.variables.filter { variable in
                if state.name(of: variable.iterated) == name { return true }
                guard case .element(let base, _, _)? = variable.onlyValue else { return false }
                return state.name(of: base) == name
            }
            let uses = TableUses(of: variables, in: source)
            known.formUnion(uses.written)
            var reads = uses.fields.filter { $0.isCertain && !$0.isWrite }.map(\.use)
            for use in source.fields {
                guard case .element(let base, _, _) = use.base, state.name(of: base) == name
                else { continue }
                if use.kind.isWrite { known.insert(use.name) } else { reads.append(use) }
            }
            for use in reads where !known.contains(use.name) {
                guard let near = misspelling(use.name, of: known) else { continue }
                report(
                    .state, use.place,
                    "the elements of '\(name)' have no field '\(use.name)'. Did you mean "
                        + "'\(near)'?")
            }
        }
    }

    /// Reports lists that are used as those of other languages.
    private mutating func checkLists(_ state: StateFields) {
        for use in source.fields where !use.kind.isWrite {
            guard ["count", "len", "length", "size"].contains(use.name), state.isList(use.base),
                let name = state.name(of: use.base)
            else { continue }
            report(.state, use.place, "a list has no '\(use.name)'; write #state.\(name)")
        }
        for call in source.calls {
            let base: LuaExpression
            let function: String
            if let method = call.method {
                (base, function) = (call.callee, method)
            } else if case .field(let list, let name, _) = call.callee {
                (base, function) = (list, name)
            } else {
                continue
            }
            guard state.isList(base), let name = state.name(of: base) else { continue }
            report(
                .state, call.place,
                "a list has no functions, so no '\(function)'; write table.insert(state.\(name), "
                    + "…), table.remove, or a loop")
        }
        for operation in source.operations {
            if let left = operation.left {
                let operands = [left, operation.right]
                let list = operands.first { state.isList($0) }
                guard let name = state.name(of: list),
                    ["%", "*", "+", "-", "..", "/", "//"].contains(operation.symbol)
                else { continue }
                report(
                    .state, operation.place,
                    "'\(name)' is a list, which \(operation.symbol) does not take; write "
                        + "table.insert(state.\(name), …), or #state.\(name) for its length")
                continue
            }
            guard state.isList(operation.right), let name = state.name(of: operation.right) else {
                continue
            }
            if operation.symbol == "in" {
                report(
                    .state, operation.place,
                    "a list is walked by ipairs; write for _, item in ipairs(state.\(name)) do")
            } else if operation.symbol == "for" {
                report(
                    .state, operation.place,
                    "a loop counts to a number; write for i = 1, #state.\(name) do")
            }
        }
    }
}
