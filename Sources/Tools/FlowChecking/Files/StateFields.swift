import LuaSyntax
import PlainValue

/// The fields of a flow's state: their first values, and those that are written to them.
struct StateFields {
    let uses: TableUses
    /// The names that the first state has.
    let initial: Set<String>
    /// True if the text shows all fields of the first state.
    let isKnown: Bool
    /// The names in the order of the text, with the values that they are given.
    private(set) var values: [(name: String, values: [LuaExpression])] = []
    /// The kinds of the values of a name, `nil` for one that is not known.
    private var kinds: [String: [Kind?]] = [:]

    enum Kind: String {
        case boolean, number, text, table
    }

    init(_ functions: DefinitionFunctions, in source: LuaSource) {
        let literals = functions.isStateless ? [] : functions.stateLiterals
        isKnown = literals != nil
        initial = Set((literals ?? []).flatMap(\.names))
        uses = TableUses(
            of: functions.states, or: functions.earlierStates,
            besides: Set(functions.firstStates.map(\.place)), in: source)
        for field in (literals ?? []).flatMap(\.fields) {
            if let name = field.name { add(name, field.value, field.valueRange, source) }
        }
        for field in uses.fields {
            guard let value = field.use.kind.written else { continue }
            add(field.name, value, field.use.valueRange, source)
        }
    }

    private mutating func add(
        _ name: String, _ value: LuaExpression, _ range: Range<SourcePlace>?, _ source: LuaSource
    ) {
        if !value.isNil { kinds[name, default: []].append(source.kind(of: value, in: range)) }
        if let index = values.firstIndex(where: { $0.name == name }) {
            values[index].values.append(value)
        } else {
            values.append((name, [value]))
        }
    }

    /// The values of a field; `nil` if it may have others than the text shows.
    func allValues(of name: String) -> [LuaExpression]? {
        guard isKnown, uses.isKept else { return nil }
        return values.first { $0.name == name }?.values
    }

    /// The kinds of a field's values besides nil; `nil` if one is not known.
    func kinds(of name: String) -> Set<Kind>? {
        guard isKnown, uses.isKept, let kinds = kinds[name] else { return nil }
        let known = kinds.compactMap { $0 }
        return known.count == kinds.count ? Set(known) : nil
    }

    /// The name of the state's field that an expression is.
    func name(of expression: LuaExpression?) -> String? {
        guard case .field(let base, let name, _)? = expression, uses.holds(base) else { return nil }
        return name
    }

    /// True if an expression is a field of the state that always has names.
    func isRecord(_ expression: LuaExpression?) -> Bool {
        guard let values = name(of: expression).flatMap(allValues) else { return false }
        return !values.isEmpty
            && values.allSatisfy { $0.table.map { $0.isClosed && !$0.names.isEmpty } ?? false }
    }

    /// True if an expression is a field of the state that is always a table without names: a list.
    func isList(_ expression: LuaExpression?) -> Bool {
        guard let name = name(of: expression), initial.contains(name),
            let values = values.first(where: { $0.name == name })?.values
        else { return false }
        // An operator takes no list, so that its result is a mistake as well.
        return values.allSatisfy { $0.table.map(\.names.isEmpty) ?? $0.isOpaque }
    }

    /// The constructors of all elements of a list; `nil` if there may be others.
    func elements(of name: String, in source: LuaSource) -> [LuaTable]? {
        guard let values = allValues(of: name) else { return nil }
        var elements: [LuaExpression] = []
        for value in values {
            guard case .table(let list) = value, list.names.isEmpty else { return nil }
            elements += list.fields.map(\.value)
        }
        for write in source.elementWrites where self.name(of: write.base) == name {
            elements.append(write.value)
        }
        for call in source.calls {
            guard let index = call.arguments.firstIndex(where: { self.name(of: $0) == name })
            else { continue }
            switch call.callee {
            case .global: continue
            case .field(.global("table", _), "insert", _) where index == 0:
                if let last = call.arguments.last, call.arguments.count > 1 {
                    elements.append(last)
                }
            case .field(.global("table", _), "move", _): return nil
            case .field(.global, _, _): continue
            default: return nil
            }
        }
        if source.variables.contains(where: { self.name(of: $0.initializer) == name }) {
            return nil
        }
        elements.removeAll(where: \.isNil)
        let tables = elements.compactMap(\.table).filter(\.isClosed)
        return tables.isEmpty || tables.count < elements.count ? nil : tables
    }

    /// True if elements of a field may be written.
    func isChanged(_ name: String, in source: LuaSource) -> Bool {
        source.elementWrites.contains { self.name(of: $0.base) == name }
            || source.calls.contains { call in
                call.arguments.contains { self.name(of: $0) == name }
            }
    }
}

extension LuaExpression {
    fileprivate var isOpaque: Bool { if case .opaque = self { true } else { false } }
}

extension StateFields.Kind {
    init?(of value: Value) {
        switch value {
        case .bool: self = .boolean
        case .int, .double: self = .number
        case .string: self = .text
        default: return nil
        }
    }
}

extension LuaSource {
    private static let comparisons: Set<String> = ["==", "~=", "<", "<=", ">", ">="]
    private static let arithmetic: Set<String> = ["#", "%", "*", "+", "-", "/", "//", "^"]

    /// The kind of a value, as far as its operators show it.
    fileprivate func kind(
        of value: LuaExpression, in range: Range<SourcePlace>?
    ) -> StateFields.Kind? {
        switch value {
        case .constant(let constant): return StateFields.Kind(of: constant)
        case .table: return .table
        case .opaque:
            // What a call contains are operators of its own.
            guard let range, !calls.contains(where: { range.contains($0.place) }) else {
                return nil
            }
            let symbols = operations.filter { range.contains($0.place) }.map(\.symbol)
            if symbols.contains(where: Self.comparisons.contains) { return .boolean }
            if symbols.contains("..") { return .text }
            if symbols.contains(where: Self.arithmetic.contains) { return .number }
            return symbols == ["not"] ? .boolean : nil
        default: return nil
        }
    }
}
