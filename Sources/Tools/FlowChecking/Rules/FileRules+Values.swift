import LuaSyntax
import PlainValue
import WorkflowLua

// Rules for values that are wrong where they stand.
extension FileRules {
    mutating func checkValues() {
        checkArithmetic()
        checkFieldsOfTexts()
        checkLoops()
        checkInsertions()
        checkTypeNames()
        for place in source.negations {
            report(
                .library, place, "not takes the first operand alone; write a ~= b, or not (a == b)")
        }
        for result in source.main.returns where result.count > 1 {
            report(
                .definition, result[1].place,
                "a file returns one value, and this one is lost; return a table of both")
        }
        guard let functions = DefinitionFunctions(file.shape) else { return }
        checkStateValues(functions)
        checkZeroes(functions)
    }

    /// Reports `+` between texts.
    private mutating func checkArithmetic() {
        for operation in source.operations where operation.symbol == "+" {
            guard let left = operation.left,
                [left, operation.right].contains(where: { $0.isWords })
            else { continue }
            report(.library, operation.place, "+ adds numbers; write .. to join texts")
        }
    }

    /// Reports fields of texts, which have only the functions of `string`.
    private mutating func checkFieldsOfTexts() {
        let functions = HostAPI.libraries.first { $0.name == "string" }?.names ?? []
        for use in source.fields where !functions.contains(use.name) {
            let value = use.base.variable.map { $0.onlyValue ?? .opaque } ?? use.base
            guard value.text != nil else { continue }
            let near = didYouMean(use.name, among: functions)
            let step = ["length", "size", "len"].contains(use.name) ? "; write #text" : near
            report(
                .library, use.place,
                "a text has no field '\(use.name)'"
                    + (step.isEmpty ? "; call a function of string" : step))
        }
    }

    private static let types: Set<String> = [
        "boolean", "function", "nil", "number", "string", "table", "thread", "userdata",
    ]

    /// Reports comparisons of `type(value)` with a text that it never gives.
    private mutating func checkTypeNames() {
        for (operation, one, other) in source.operands(of: ["==", "~="]) {
            guard let call = one.call, call.callee.global == "type", call.method == nil,
                let name = other.text, !Self.types.contains(name)
            else { continue }
            report(
                .library, operation.place,
                "type never gives \"\(name)\"; it gives boolean, function, nil, number, string "
                    + "or table")
        }
    }

    /// Reports `table.insert` without a value.
    private mutating func checkInsertions() {
        for call in source.calls where call.method == nil && call.arguments.count == 2 {
            guard case .field(.global("table", _), "remove", _) = call.callee,
                call.arguments[1].text != nil
            else { continue }
            report(
                .library, call.places[1],
                "table.remove takes a position; look for the element in a loop first")
        }
        for call in source.calls where call.method == nil && call.arguments.count == 1 {
            // A call may give both.
            guard case .field(.global("table", _), "insert", _) = call.callee,
                call.arguments[0].call == nil
            else { continue }
            report(.library, call.place, "nothing is inserted; write table.insert(list, value)")
        }
    }

    /// Reports loops that nothing ends.
    private mutating func checkLoops() {
        for loop in source.loops where loop.isEndless {
            let isLeft = source.exits.contains { loop.body.contains($0.place) }
            let isInterrupted = source.calls.contains { call in
                guard loop.body.contains(call.place) else { return false }
                switch call.callee {
                case .global(let name, _): return ["error", "assert"].contains(name)
                case .field(.global("coroutine", _), _, _): return true
                case .variable, .field, .call: return true
                default: return false
                }
            }
            if isLeft || isInterrupted { continue }
            report(
                .state, loop.place,
                "this loop never ends; leave it with break, or let a worker such as clock.every "
                    + "begin each round")
        }
    }

    /// Reports functions in the state.
    private mutating func checkStateValues(_ functions: DefinitionFunctions) {
        for table in functions.stateLiterals ?? [] { checkStateValue(.table(table), table.place) }
        for use in source.fields {
            guard let value = use.kind.written, let root = use.base.root,
                functions.statesToChange.contains(where: { $0 === root })
            else { continue }
            checkStateValue(value, use.place)
        }
    }

    private mutating func checkStateValue(_ value: LuaExpression, _ place: SourcePlace) {
        switch value {
        case .function:
            report(
                .state, place,
                "a function is not a plain value; keep data in the state, and the function as a "
                    + "local of the file")
        case .table(let table):
            for field in table.fields { checkStateValue(field.value, field.place) }
        case .call(let call) where contexts.isCertain(call.callee) && call.method == "sink":
            report(
                .state, place, "make sinks in render, and keep in the state what they are made of")
        default: break
        }
    }

    /// Reports the elements 0 and -1 of a list of the state or of the props.
    private mutating func checkZeroes(_ functions: DefinitionFunctions) {
        let plain = functions.states + functions.actions + functions.props
        for operation in source.operations where operation.symbol == "[]" {
            guard case .constant(.int(let index)) = operation.right, index < 1,
                let root = operation.left?.root, plain.contains(where: { $0 === root })
            else { continue }
            report(
                .state, operation.place,
                index == 0
                    ? "lists begin at 1; write [1] for the first element"
                    : "lists are not counted from their end; write list[#list] for the last element"
            )
        }
    }
}

extension LuaExpression {
    /// True if this is a text without a digit, which is certainly not a number.
    fileprivate var isWords: Bool { text.map { !$0.contains(where: \.isNumber) } ?? false }
}
