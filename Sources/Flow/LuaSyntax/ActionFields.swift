/// The fields that a flow's functions read from their actions, by function name.
///
/// A named function in a table counts as a function of an action if its first parameter is not
/// `self`. Its second parameter is the action. Calls that pass the action on are followed within
/// the file and into the given modules.
package struct ActionFields {
    /// The fields that the functions of a name read.
    package private(set) var fields: [String: [String]] = [:]
    /// The known fields of each definition's actions, by its `name`; empty for those without one.
    package private(set) var workflows: [String: [String: [ActionField]]] = [:]

    /// The functions of a definition that take no action.
    private static let definition: Set<String> = [
        "render", "state", "changed", "migrate", "access",
    ]

    /// The maximum number of calls through which an action is followed.
    private static let deepest = 8

    /// Reads a text and the named modules that it requires; of an invalid text nothing is known.
    package init(source bytes: [UInt8], modules: [String: [UInt8]] = [:]) {
        guard let source = try? LuaSource(bytes) else { return }
        var sources = Sources(texts: modules)
        let names = source.namesOfDefinitions
        for case let (name, .function(function)) in source.namedValues
        where function.parameters.count > 1 && !Self.definition.contains(name)
            && function.parameters[0].name != "self"
        {
            var found: [ActionField] = []
            Self.read(function.parameters[1], in: source, &sources, depth: 0, &found)
            let workflow = names[ObjectIdentifier(function)] ?? ""
            for field in found {
                if fields[name]?.contains(field.name) != true {
                    fields[name, default: []].append(field.name)
                }
                Self.add(field, to: &workflows[workflow, default: [:]][name, default: []])
            }
        }
    }

    private static func add(_ field: ActionField, to fields: inout [ActionField]) {
        if let index = fields.firstIndex(where: { $0.name == field.name }) {
            fields[index].merge(field)
        } else {
            fields.append(field)
        }
    }

    private struct Sources {
        let texts: [String: [UInt8]]
        var read: [String: LuaSource] = [:]

        mutating func source(of module: String) -> LuaSource? {
            if let source = read[module] { return source }
            read[module] = texts[module].flatMap { try? LuaSource($0) }
            return read[module]
        }
    }

    private static func read(
        _ action: LuaVariable, in source: LuaSource, _ sources: inout Sources, depth: Int,
        _ found: inout [ActionField]
    ) {
        let uses = FieldUses(action: action, source: source)
        for use in source.fields where use.base.variable === action && use.name != "type" {
            add(uses.field(named: use.name), to: &found)
        }
        guard depth < deepest else { return }
        for call in source.calls where call.method == nil {
            guard let index = call.arguments.firstIndex(where: { $0.variable === action }),
                let (function, place) = function(called: call.callee, in: source, &sources),
                index < function.parameters.count
            else { continue }
            read(function.parameters[index], in: place, &sources, depth: depth + 1, &found)
        }
    }

    /// The called function and the source it is in; `nil` if the callee is unknown.
    private static func function(
        called callee: LuaExpression, in source: LuaSource, _ sources: inout Sources
    ) -> (LuaFunction, LuaSource)? {
        switch callee {
        case .variable(let variable, _):
            guard case .function(let function)? = variable.onlyValue else { return nil }
            return (function, source)
        case .field(.variable(let table, _), let name, _):
            var place = source
            if case .call(let call)? = table.onlyValue, let module = call.requiredModule {
                guard let other = sources.source(of: module) else { return nil }
                place = other
            }
            for case (name, .function(let function)) in place.namedValues {
                return (function, place)
            }
            return nil
        default: return nil
        }
    }
}

extension LuaSource {
    /// The `name` of each definition, by the functions in its `apply`.
    fileprivate var namesOfDefinitions: [ObjectIdentifier: String] {
        var names: [ObjectIdentifier: String] = [:]
        for variable in variables {
            guard case .table(let definition)? = variable.onlyValue else { continue }
            var name = definition["name"]?.value.text
            var functions = Self.functions(in: definition["apply"]?.value)
            for use in fields {
                guard case .written(let value) = use.kind else { continue }
                if use.base.variable === variable {
                    if use.name == "name" { name = value.text }
                    if use.name == "apply" { functions += Self.functions(in: value) }
                } else if case .field(.variable(let base, _), "apply", _) = use.base,
                    base === variable, case .function(let function) = value
                {
                    functions.append(function)
                }
            }
            guard let name else { continue }
            for function in functions { names[ObjectIdentifier(function)] = name }
        }
        return names
    }

    private static func functions(in value: LuaExpression?) -> [LuaFunction] {
        guard case .table(let table)? = value else { return [] }
        return table.fields.compactMap { field in
            if case .function(let function) = field.value { function } else { nil }
        }
    }

    /// The values given to named fields of tables, in constructors and by assignments.
    fileprivate var namedValues: [(name: String, value: LuaExpression)] {
        tables.flatMap(\.fields).compactMap { field in
            if case .name(let name) = field.key { (name, field.value) } else { nil }
        }
            + fields.compactMap { use in
                if case .written(let value) = use.kind { (use.name, value) } else { nil }
            }
    }
}
