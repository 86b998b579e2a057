import LuaVM
import PlainValue

/// Reads a definition table field by field, and says exactly what is wrong with it.
struct DefinitionReader {
    private static let known = [
        "apply", "changed", "migrate", "name", "render", "state", "version",
    ]

    let vm: LuaVM
    let table: LuaReference
    /// The name that the definition has unless it says so itself; `nil`: that of its render's file.
    let defaultName: String?
    let nodeType: (String) -> NodeTypeName

    func read() throws(FlowError) -> WorkflowDefinition {
        guard vm.type(of: table) == .table else {
            throw FlowError(
                .definition,
                "a flow returns a table with a render function, not \(vm.type(of: table).described)",
                help: "end the file with: return { render = function(state, context) … end }")
        }
        var fields: [String: LuaField] = [:]
        for field in try lua({ () throws(LuaError) in try vm.fields(of: table) }) {
            guard case .name(let name) = field.key, Self.known.contains(name) else {
                throw unknown(field.key)
            }
            fields[name] = field
        }
        guard let renderField = fields["render"] else {
            throw FlowError(
                .definition, "\(subject) has no render function",
                help: "add: render = function(state, context) return { … } end")
        }
        let render = try function(renderField, "render", "a function(state, context)")
        let changed = try fields["changed"].map { field throws(FlowError) in
            try function(field, "changed", "a function(old_props, new_props, state)")
        }
        let migrate = try fields["migrate"].map { field throws(FlowError) in
            try function(field, "migrate", "a function(state, from_version)")
        }
        let location = vm.location(of: render).map(FlowError.Location.init)
        let name = try name(fields["name"], location: location)
        return WorkflowDefinition(
            name: name, table: table, initialState: try state(fields["state"]),
            changed: changed, render: render, apply: try apply(fields["apply"]),
            version: try version(fields["version"]), migrate: migrate, location: location,
            nodeType: nodeType(name))
    }

    private var subject: String {
        defaultName.map { "the definition of \($0)" } ?? "the definition"
    }

    private func unknown(_ key: LuaField.Key) -> FlowError {
        let help = "a definition has the fields \(Self.known.joined(separator: ", "))"
        guard case .name(let name) = key else {
            return FlowError(
                .definition, "\(subject) has the field \(key.described), which is no name",
                help: help)
        }
        let near = nearestName(to: name, among: Self.known)
        return FlowError(
            .definition,
            "\(subject) has an unknown field '\(name)'"
                + (near.map { ". Did you mean '\($0)'?" } ?? ""),
            help: help)
    }

    private func function(
        _ field: LuaField, _ name: String, _ expected: String
    ) throws(FlowError) -> LuaReference {
        guard field.type == .function, let reference = field.reference else {
            throw FlowError(
                .definition,
                "'\(name)' of \(subject) is \(field.type.described); it must be \(expected)")
        }
        return reference
    }

    private func name(
        _ field: LuaField?, location: FlowError.Location?
    ) throws(FlowError) -> String {
        guard let field else {
            return defaultName ?? location.map { Self.baseName($0.file) } ?? "flow"
        }
        guard let name = field.scalar?.string else {
            throw FlowError(
                .definition,
                "'name' of \(subject) is \(field.type.described); it must be a string")
        }
        guard !name.isEmpty else {
            throw FlowError(.definition, "'name' of \(subject) is empty")
        }
        return name
    }

    private func state(_ field: LuaField?) throws(FlowError) -> WorkflowDefinition.InitialState {
        guard let field else { return .none }
        if field.type == .function, let function = field.reference { return .function(function) }
        if field.type.isTable, let table = field.reference {
            return .constant(try lua { () throws(LuaError) in try vm.encode(table, root: "state") })
        }
        throw FlowError(
            .definition,
            """
            'state' of \(subject) is \(field.type.described); \
            it must be a function(props) or a table
            """)
    }

    private func apply(_ field: LuaField?) throws(FlowError) -> WorkflowDefinition.Apply {
        guard let field else { return .none }
        if field.type == .function, let function = field.reference { return .function(function) }
        guard field.type.isTable, let table = field.reference else {
            throw FlowError(
                .definition,
                """
                'apply' of \(subject) is \(field.type.described); it must be a table of \
                functions or a function(state, action, context)
                """)
        }
        var functions: [String: LuaReference] = [:]
        for entry in try lua({ () throws(LuaError) in try vm.fields(of: table) }) {
            guard case .name(let type) = entry.key, entry.type == .function,
                let function = entry.reference
            else {
                throw FlowError(
                    .definition,
                    """
                    'apply' of \(subject) has \(entry.type.described) at \(entry.key.described); \
                    it holds functions under the names of actions
                    """,
                    help: "write: apply = { add = function(state, action) … end }")
            }
            functions[type] = function
        }
        return .table(functions)
    }

    private func version(_ field: LuaField?) throws(FlowError) -> Int {
        guard let field else { return 1 }
        guard let version = field.scalar?.int, version > 0 else {
            throw FlowError(
                .definition, "'version' of \(subject) must be a whole number from 1 on")
        }
        return version
    }

    static func baseName(_ file: String) -> String {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        return name.hasSuffix(".lua") ? String(name.dropLast(4)) : name
    }
}
