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
        guard case .table(let table) = Self.resolved(expression) else { return nil }
        for field in table.fields {
            if case .name(let name) = field.key { fields[name, default: []].append(field.value) }
        }
        for use in source.fields {
            guard case .written(let value) = use.kind else { continue }
            if let variable, use.base.variable === variable {
                fields[use.name, default: []].append(value)
            } else if case .field(let base, "apply", _) = use.base, let variable,
                base.variable === variable, case .function(let function) = Self.resolved(value)
            {
                actions.append((use.name, function))
            }
        }
        for case .table(let apply) in fields["apply"] ?? [] {
            for field in apply.fields {
                if case .function(let function) = Self.resolved(field.value) {
                    actions.append((field.name, function))
                }
            }
        }
        literalActions = Self.literalActions(fields["apply"], source, variable)
        let renders =
            source.tables.count { $0["render"] != nil }
            + source.fields.count { use in
                if case .written = use.kind { use.name == "render" } else { false }
            }
        isOneOfSeveral = renders > 1
    }

    /// True for a definition: only definitions have `render` or `apply`.
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
        guard let values = fields[name], values.count == 1,
            case .function(let function) = Self.resolved(values[0])
        else { return nil }
        return function
    }

    /// The action types, if the text certainly shows all of them.
    private(set) var literalActions: [String]?

    /// True if `apply` is certainly a table; `nil` without an `apply`.
    var hasApplyTable: Bool? {
        guard let values = fields["apply"] else { return nil }
        return values.allSatisfy { if case .table = Self.resolved($0) { true } else { false } }
    }

    /// The value of a variable that is assigned once, otherwise the expression itself.
    private static func resolved(_ expression: LuaExpression) -> LuaExpression {
        expression.variable?.onlyValue ?? expression
    }

    private static func literalActions(
        _ values: [LuaExpression]?, _ source: LuaSource, _ variable: LuaVariable?
    ) -> [String]? {
        guard let values else { return nil }
        var types: [String] = []
        for value in values {
            guard case .table(let table) = value, table.isClosed else { return nil }
            types += table.fields.compactMap {
                if case .name(let name) = $0.key { name } else { nil }
            }
        }
        guard let variable else { return types.sorted() }
        let uses = source.fields.count { use in
            use.name == "apply" && use.base.variable === variable && !use.kind.isWrite
        }
        var additions: [String] = []
        for use in source.fields where use.kind.isWrite {
            if case .field(let base, "apply", _) = use.base, base.variable === variable {
                additions.append(use.name)
            }
        }
        // Any other use of the table or of the definition could add functions.
        return uses == additions.count ? (types + additions).sorted() : nil
    }
}

extension LuaSource.UseKind {
    /// True if the use assigns a value.
    var isWrite: Bool { if case .written = self { true } else { false } }
}
