import LuaSyntax
import PlainValue
import WorkerKit
package import WorkflowLua
package import WorkflowPlugins

/// Writes classes for Lua's language server: the state, props and actions that a flow's text shows.
package struct FlowTypesWriter {
    /// The name of the flow, from which those of the classes begin.
    package let name: String

    private let source: LuaSource
    private let shape: FlowShape
    private let functions: DefinitionFunctions
    private let actionFields: [String: [ActionField]]
    private let sent: SentActions
    private let props: PropsUses

    /// - Throws: A `FlowError` if there is no such file, or if it does not show a definition.
    package init(_ path: String, registry: WorkerRegistry) throws(FlowError) {
        guard !FilePath.isFolder(path), let file = try SourceFiles([path]).files.first,
            let source = file.source, let shape = file.shape,
            let functions = DefinitionFunctions(shape)
        else { throw FlowError(.noVisibleDefinition, path) }
        self.source = source
        self.shape = shape
        self.functions = functions
        let given = shape.fields["name"]?.first?.text
        name = String(
            (given ?? file.name.withoutLua).map { character in
                character.isASCII && (character.isLetter || character.isNumber) ? character : "_"
            })
        var modules: [String: [UInt8]] = [:]
        for module in file.requiredNames {
            let path = "\(file.base.resolved)/\(FlowModules.file(of: module))"
            modules[module] = try? readFile(path, limit: 1 << 20, isRegular: true).get()
        }
        let fields = ActionFields(source: file.bytes, modules: modules)
        actionFields = fields.workflows[given ?? ""] ?? [:]
        let contexts = ContextParameters(source, shape)
        sent = SentActions(source, isContext: contexts.contains) { name in
            try? registry.worker(named: name)
        }
        props = PropsUses(source, shape)
    }

    package var text: String {
        let lines =
            ["---@meta _", TypesWriter.origin, ""] + stateClass + propsClass + contextClasses
            + actionClasses + definitionClass
        return lines.joined(separator: "\n")
    }

    // MARK: State and props

    private var stateClass: [String] {
        let state = StateFields(functions, in: source)
        let fields = state.values.map { name, values in
            var types = values.filter { !$0.isNil }.map { Self.type(of: $0) }
            if let elements = state.elements(of: name, in: source) {
                types = [Self.list(of: elements.map { Self.type(of: .table($0)) })]
            } else if state.isChanged(name, in: source) {
                types = types.map { $0.hasSuffix("[]") ? "table" : $0 }
            }
            let isOptional = !state.initial.contains(name) || values.contains(where: \.isNil)
            return Self.field(name, isOptional: isOptional, Self.union(types))
        }
        return ["---The state of \(name).", "---@class \(name).State"] + fields + [""]
    }

    private var propsClass: [String] {
        ["---The props of \(name).", "---@class \(name).Props"]
            + props.names.sorted().map { field in
                Self.field(field, isOptional: !props.needed.contains(field), "any")
            } + [""]
    }

    private var contextClasses: [String] {
        ["State", "Render", "Apply"].flatMap { phase in
            [
                "---@class \(name).\(phase)Context: workflow.\(phase)Context",
                "---@field props \(name).Props", "",
            ]
        }
    }

    // MARK: Actions

    private var actionTypes: [String] {
        var known: Set<String> = []
        return shape.actions.compactMap(\.type).filter { known.insert($0).inserted }
    }

    private var actionClasses: [String] {
        actionTypes.flatMap { type -> [String] in
            let read = actionFields[type] ?? []
            let action = sent.actions[type] ?? SentActions.Action()
            let names = read.map(\.name) + action.fields.sorted()
            var known: Set<String> = ["type"]
            let fields = names.filter { known.insert($0).inserted }.map { field in
                let kind = read.first { $0.name == field }?.kind
                return Self.field(
                    field, isOptional: !action.fields.contains(field),
                    typeOfField(field, kind, action))
            }
            return [
                "---@class \(className(of: type)): workflow.Action", "---@field type \"\(type)\"",
            ] + fields + [""]
        }
    }

    private func typeOfField(
        _ field: String, _ kind: ActionField.Kind?, _ action: SentActions.Action
    ) -> String {
        if field == "error" { return "workflow.WorkerError" }
        if field == "output", !action.isOfOthers, !action.workers.isEmpty {
            return Self.union(action.workers.map { TypesWriter.className($0) + ".Output" })
        }
        return switch kind {
        case .list: "any[]"
        case .record: "table"
        case .some(let kind): kind.rawValue
        case nil: "any"
        }
    }

    private func className(of type: String) -> String {
        "\(name).Action." + String(type.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    // MARK: Definition

    private var definitionClass: [String] {
        let state = "\(name).State"
        var lines = ["---The functions that apply the actions.", "---@class \(name).Apply"]
        for type in actionTypes {
            let function =
                "fun(state: \(state), action: \(className(of: type)), context: "
                + "\(name).ApplyContext): any"
            lines.append(Self.field(type, isOptional: false, function))
        }
        return (actionTypes.isEmpty ? [] : lines + [""]) + [
            "---The definition; write ---@class \(name.prefix(1).uppercased())\(name.dropFirst()): "
                + "\(name).Definition above it.",
            "---@class \(name).Definition: workflow.Definition",
            "---@field state \(state)|(fun(props: \(name).Props, context: \(name).StateContext): "
                + "\(state))",
            "---@field render fun(state: \(state), context: \(name).RenderContext): any",
        ] + (actionTypes.isEmpty ? [] : ["---@field apply \(name).Apply"]) + [""]
    }

    // MARK: Types

    private static func field(_ name: String, isOptional: Bool, _ type: String) -> String {
        if LuaText.isName(name) { return "---@field \(name)\(isOptional ? "?" : "") \(type)" }
        // A name in brackets cannot take a question mark, so its type does.
        return "---@field [\"\(name)\"] \(isOptional && type != "any" ? "(\(type))?" : type)"
    }

    private static func union(_ types: [String]) -> String {
        var known: Set<String> = []
        // What is computed is most likely of the type of a literal.
        let different = types.filter { $0 != "any" && known.insert($0).inserted }
        if different.isEmpty { return "any" }
        // An empty constructor is a list or a record, which the others tell.
        let tables = different.filter { $0 != "table" }
        return (tables.isEmpty ? different : tables).joined(separator: "|")
    }

    private static func list(of types: [String]) -> String {
        let element = union(types)
        return element.contains("|") ? "(\(element))[]" : "\(element)[]"
    }

    private static func type(of value: LuaExpression) -> String {
        switch value {
        case .constant(.bool): return "boolean"
        case .constant(.int): return "integer"
        case .constant(.double): return "number"
        case .constant(.string): return "string"
        case .table(let table) where table.fields.isEmpty: return "table"
        case .table(let table) where table.isClosed:
            let fields = table.fields.compactMap { field -> String? in
                guard let name = field.name, LuaText.isName(name) else { return nil }
                return field.value.isNil ? "\(name)?: any" : "\(name): \(type(of: field.value))"
            }
            return fields.count == table.fields.count
                ? "{ \(fields.joined(separator: ", ")) }" : "table"
        case .table(let table):
            guard table.fields.allSatisfy({ if case .position = $0.key { true } else { false } })
            else { return "table" }
            return list(of: table.fields.map { type(of: $0.value) })
        default: return "any"
        }
    }
}
