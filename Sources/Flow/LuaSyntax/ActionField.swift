package import PlainValue

/// A field of an action, as far as the code tells.
package struct ActionField: Equatable {
    package enum Kind: String {
        case string, number, integer, boolean, list, record
    }

    /// The weight of a hint about the kind: a test of the type weighs more than an operation.
    enum Weight: Int, Comparable {
        case name, operation, test

        static func < (left: Weight, right: Weight) -> Bool { left.rawValue < right.rawValue }
    }

    package let name: String
    package private(set) var kind: Kind?
    /// True if it is assigned to a field of the same name.
    package internal(set) var isSet = false
    /// The value that stands for a missing one.
    package internal(set) var usual: Value?
    private var weight = Weight.name

    package init(name: String) { self.name = name }

    mutating func note(_ kind: Kind?, _ weight: Weight) {
        guard let kind, self.kind == nil || weight > self.weight else { return }
        self.kind = kind
        self.weight = weight
    }

    mutating func merge(_ other: ActionField) {
        note(other.kind, other.weight)
        isSet = isSet || other.isSet
        usual = usual ?? other.usual
    }
}

extension ActionField.Kind {
    init?(of value: Value) {
        switch value {
        case .string: self = .string
        case .int, .double: self = .number
        case .bool: self = .boolean
        default: return nil
        }
    }

    /// The kind of a name that `type` or `math.type` gives.
    init?(typeName: String) {
        switch typeName {
        case "string", "number", "boolean", "integer": self.init(rawValue: typeName)
        case "float": self = .number
        case "table": self = .record
        default: return nil
        }
    }
}

/// The uses of an action's fields in a function, from which their kinds follow.
struct FieldUses {
    let action: LuaVariable
    let source: LuaSource
    /// The number of variables and calls that a value is followed through.
    private static let deepest = 4
    private static let comparisons: Set<String> = ["<", "<=", ">", ">="]
    private static let arithmetic: Set<String> = ["+", "-", "*", "/", "//", "%", "^"]
    private static let bitwise: Set<String> = ["&", "|", "~", "<<", ">>"]
    private static let listFunctions: Set<String> = [
        "concat", "insert", "remove", "sort", "unpack",
    ]

    func field(named name: String) -> ActionField {
        var field = ActionField(name: name)
        note(uses: { isField($0, name, Self.deepest) }, in: &field, Self.deepest)
        for use in source.fields where use.name == name && use.base.variable !== action {
            if case .written(let value) = use.kind, isField(value, name, Self.deepest) {
                field.isSet = true
            }
        }
        field.note(kindOfConstants(named: name), .name)
        return field
    }

    /// True if this is the field, also with a default or as a number, or a variable that holds it.
    private func isField(_ expression: LuaExpression, _ name: String, _ depth: Int) -> Bool {
        guard depth > 0 else { return false }
        switch expression {
        case .field(let base, name, _): return base.variable === action
        case .variable(let variable, _):
            guard variable !== action, let value = variable.onlyValue else { return false }
            return isField(value, name, depth - 1)
        case .choice(let choice):
            guard let first = choice.parts.first?.first else { return false }
            return isField(first.value, name, depth - 1)
        case .call(let call):
            guard let first = call.arguments.first else { return false }
            let isNumber =
                call.isCall(of: "tonumber") || call.isCall(of: "math", "floor")
                || call.isCall(of: "math", "tointeger")
            return isNumber && isField(first, name, depth - 1)
        default: return false
        }
    }

    /// Notes the kind that the uses of a value show.
    private func note(
        uses isValue: (LuaExpression) -> Bool, in field: inout ActionField, _ depth: Int
    ) {
        for operation in source.operations { note(operation, isValue, in: &field) }
        for use in source.fields where isValue(use.base) { field.note(.record, .operation) }
        for call in source.calls {
            if call.method != nil, isValue(call.callee) { field.note(.string, .operation) }
            for (index, argument) in call.arguments.enumerated() where isValue(argument) {
                note(call, at: index, isValue, in: &field, depth)
            }
        }
    }

    private func note(
        _ operation: LuaSource.Operation, _ isValue: (LuaExpression) -> Bool,
        in field: inout ActionField
    ) {
        let symbol = operation.symbol
        guard let left = operation.left else {
            guard isValue(operation.right) else { return }
            if symbol == "for" { field.note(.integer, .operation) }
            if symbol == "-" { field.note(.number, .operation) }
            return
        }
        for (one, other) in [(left, operation.right), (operation.right, left)] {
            if case .call(let call) = one, let name = other.text, call.asksForType,
                let argument = call.arguments.first, isValue(argument),
                ["==", "~="].contains(symbol)
            {
                // A table may be a list, which other uses show.
                field.note(.init(typeName: name), name == "table" ? .operation : .test)
            }
            guard isValue(one) else { continue }
            let literal: Value? = if case .constant(let value) = other { value } else { nil }
            let kind = literal.flatMap { ActionField.Kind(of: $0) }
            switch symbol {
            case "==", "~=": field.note(kind, .operation)
            case _ where Self.comparisons.contains(symbol): field.note(kind ?? .number, .operation)
            case _ where Self.arithmetic.contains(symbol): field.note(.number, .operation)
            case _ where Self.bitwise.contains(symbol): field.note(.integer, .operation)
            default: break
            }
        }
        guard isValue(left) else { return }
        if symbol == "[]" { field.note(.list, .operation) }
        if symbol == "or" {
            if case .table = operation.right { field.note(.list, .operation) }
            guard case .constant(let value) = operation.right,
                let kind = ActionField.Kind(of: value)
            else { return }
            field.note(kind, .operation)
            field.usual = field.usual ?? value
        }
    }

    /// Notes the kind that an argument shows which a function is called with.
    private func note(
        _ call: LuaCallExpression, at index: Int, _ isValue: (LuaExpression) -> Bool,
        in field: inout ActionField, _ depth: Int
    ) {
        guard call.method == nil else { return }
        switch call.callee {
        case .global("tonumber", _): field.note(.number, .test)
        case .global("ipairs", _): field.note(.list, .test)
        case .global("pairs", _), .global("next", _): field.note(.record, .operation)
        case .field(.global("math", _), _, _): field.note(.number, .operation)
        case .field(.global("utf8", _), _, _) where index == 0: field.note(.string, .operation)
        case .field(.global("string", _), let name, _) where index == 0 && name != "format":
            field.note(name == "char" ? .integer : .string, .operation)
        case .field(.global("table", _), let name, _)
        where index == 0 && Self.listFunctions.contains(name):
            field.note(.list, .test)
        case .variable(let variable, _):
            guard depth > 0, case .function(let function)? = variable.onlyValue,
                index < function.parameters.count
            else { return }
            let parameter = function.parameters[index]
            note(uses: { $0.variable === parameter }, in: &field, depth - 1)
        default: break
        }
    }

    /// The kind of all literals that tables have under a name.
    private func kindOfConstants(named name: String) -> ActionField.Kind? {
        let inTables = source.tables.compactMap { $0[name]?.value }
        let written = source.fields.compactMap { use -> LuaExpression? in
            if use.name == name, case .written(let value) = use.kind { value } else { nil }
        }
        let kinds = Set(
            (inTables + written).compactMap { value -> ActionField.Kind? in
                if case .constant(let constant) = value { .init(of: constant) } else { nil }
            })
        return kinds.count == 1 ? kinds.first : nil
    }
}

extension LuaCallExpression {
    fileprivate func isCall(of name: String) -> Bool {
        if case .global(name, _) = callee { method == nil } else { false }
    }

    fileprivate func isCall(of library: String, _ name: String) -> Bool {
        if case .field(.global(library, _), name, _) = callee { method == nil } else { false }
    }

    fileprivate var asksForType: Bool { isCall(of: "type") || isCall(of: "math", "type") }
}
