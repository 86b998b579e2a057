import LuaSyntax
import PlainValue

/// A table that may be a definition, such as one that a file returns, as far as the text shows it.
struct FlowShape {
    /// The values given to each field, in the constructor and by assignments.
    private(set) var fields: [String: [LuaExpression]] = [:]
    /// The functions of `apply` by the types of their actions, if it is a table.
    private(set) var actions: [(type: String?, function: LuaFunction)] = []
    var applyFunctions: [LuaFunction] { actions.map(\.function) }
    /// True if the file contains other definitions too.
    let isOneOfSeveral: Bool

    /// The shape of the value that a text returns; nil if it is not a table constructed there.
    init?(_ source: LuaSource) {
        guard source.main.returns.count == 1, let last = source.main.returns.first,
            last.count == 1, let returned = last.first?.value
        else { return nil }
        self.init(returned, in: source)
    }

    /// The shape of an expression's value; nil if it is not a table constructed in the text.
    init?(_ expression: LuaExpression, in source: LuaSource) {
        let variable = expression.variable
        guard let table = expression.known.table else { return nil }
        for field in table.fields {
            if let name = field.name { fields[name, default: []].append(field.value) }
        }
        for use in source.fields {
            guard let variable, let value = use.kind.written else { continue }
            if use.base.variable === variable {
                fields[use.name, default: []].append(value)
            } else if use.base.isField("apply", of: variable), let function = value.known.function {
                actions.append((use.name, function))
            }
        }
        for field in (fields["apply"] ?? []).compactMap(\.table).flatMap(\.fields) {
            if let function = field.value.known.function { actions.append((field.name, function)) }
        }
        literalActions = Self.literalActions(fields["apply"], source, variable)
        let renders =
            source.tables.count { $0["render"] != nil }
            + source.fields.count { $0.kind.isWrite && $0.name == "render" }
        isOneOfSeveral = renders > 1
    }

    /// True if this is a definition: only definitions have `render` or `apply`.
    var isFlow: Bool { fields["render"] != nil || fields["apply"] != nil }

    /// True if an action certainly returns an output.
    var givesOutputs: Bool {
        let functions = applyFunctions + [function("apply")].compactMap { $0 }
        return functions.contains { function in
            function.returns.contains { values in
                switch values.first?.value {
                case .constant(.null), nil: false
                case .constant, .table: true
                default: false
                }
            }
        }
    }

    /// The function that a field always has.
    func function(_ name: String) -> LuaFunction? {
        fields[name].flatMap { $0.count == 1 ? $0[0].known.function : nil }
    }

    /// The action types, if the text certainly shows all of them.
    private(set) var literalActions: [String]?

    /// True if `apply` is certainly a table; `nil` without an `apply`.
    var hasApplyTable: Bool? {
        fields["apply"]?.allSatisfy { $0.known.table != nil }
    }

    private static func literalActions(
        _ values: [LuaExpression]?, _ source: LuaSource, _ variable: LuaVariable?
    ) -> [String]? {
        guard let values else { return nil }
        let tables = values.compactMap(\.table).filter(\.isClosed)
        guard tables.count == values.count else { return nil }
        let types = tables.flatMap(\.names)
        guard let variable else { return types.sorted() }
        let uses = source.fields.count { use in
            use.name == "apply" && use.base.variable === variable && !use.kind.isWrite
        }
        let additions = source.fields.filter { use in
            use.kind.isWrite && use.base.isField("apply", of: variable)
        }
        // Any other use of the table or of the definition could add functions.
        return uses == additions.count ? (types + additions.map(\.name)).sorted() : nil
    }
}
