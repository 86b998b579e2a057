import LuaVM
import PlainValue

/// Reads a definition table field by field, with an exact error for each fault.
struct DefinitionReader {
    static let known = [
        "access", "apply", "changed", "migrate", "name", "render", "state", "version",
    ]
    static let mostFields = 64
    private static let mostActions = 1_000

    let vm: LuaVM
    let table: LuaReference
    /// The name of a definition without one; `nil` for the name of its render's file.
    let defaultName: String?
    /// Identifies a definition; the flag is true if it has a name of its own.
    let identify: (WorkflowDefinition, Bool) -> DefinitionIdentity

    /// Reads the definition; an error names the wrong field.
    func read() throws(FlowError) -> WorkflowDefinition {
        guard vm.type(of: table) == .table else {
            throw FlowError(.noDefinition, vm.type(of: table).described)
        }
        var fields: [String: LuaField] = [:]
        guard let all = try self.fields(of: table, upTo: Self.mostFields) else {
            throw FlowError(.tooManyFields, subject, Self.mostFields)
        }
        for field in all {
            guard case .name(let name) = field.key else { throw unknown(field.key) }
            _ = try FlowNames.checked(name, "a field of \(subject)", .definition)
            guard Self.known.contains(name) else { throw unknown(field.key) }
            fields[name] = field
        }
        let render = try function("render", "a function(state, context)", in: fields)
        guard let render else { throw FlowError(.noRender, subject) }
        let changed = try function("changed", "a function(old_props, new_props, state)", in: fields)
        let migrate = try function("migrate", "a function(state, from_version)", in: fields)
        let access = try function("access", "a function(principal, what, state, props)", in: fields)
        let initialState = try reading("state", in: fields, state)
        let apply = try reading("apply", in: fields, self.apply)
        let location = vm.location(of: render).map(FlowError.Location.init)
        let name = try name(fields["name"], location: location)
        let version = try version(fields["version"])
        let definition = WorkflowDefinition(
            name: name, table: table, initialState: initialState, changed: changed,
            render: render, apply: apply, version: version, migrate: migrate, access: access,
            location: location)
        definition.identity = identify(definition, fields["name"] != nil || defaultName != nil)
        return definition
    }

    private var subject: String {
        defaultName.map { "the definition of \($0)" } ?? "the definition"
    }

    private func fields(of table: LuaReference, upTo limit: Int) throws(FlowError) -> [LuaField]? {
        try lua { () throws(LuaError) in
            try vm.fields(of: table, upTo: limit, cuttingTextsTo: FlowNames.cut)
        }
    }

    private func unknown(_ key: LuaField.Key) -> FlowError {
        guard case .name(let name) = key else {
            return FlowError(.keyedField, subject, key.described)
        }
        var error = FlowError(.unknownField, subject, name, didYouMean(name, among: Self.known))
        error.field = name
        return error
    }

    private func function(
        _ name: String, _ expected: String, in fields: [String: LuaField]
    ) throws(FlowError) -> LuaReference? {
        guard let field = fields[name] else { return nil }
        guard field.type == .function, let reference = field.reference else {
            var error = FlowError(.badField, subject, name, field.type.described, expected)
            error.field = name
            throw error
        }
        return reference
    }

    /// Reads a field with `body`, and adds its name to an error.
    private func reading<Result>(
        _ field: String, in fields: [String: LuaField],
        _ body: (LuaField?) throws(FlowError) -> Result
    ) throws(FlowError) -> Result {
        do throws(FlowError) {
            return try body(fields[field])
        } catch {
            var error = error
            error.field = field
            throw error
        }
    }

    private func name(
        _ field: LuaField?, location: FlowError.Location?
    ) throws(FlowError) -> String {
        guard let field else {
            return defaultName ?? location?.file.nameOfPath.withoutLua ?? "flow"
        }
        guard let name = field.scalar?.string else {
            throw FlowError(.badField, subject, "name", field.type.described, "a string")
        }
        guard !name.isEmpty else { throw FlowError(.emptyName, subject) }
        return try FlowNames.checked(name, "'name' of \(subject)", .definition).text
    }

    private func state(_ field: LuaField?) throws(FlowError) -> WorkflowDefinition.InitialState {
        guard let field else { return .none }
        if field.type == .function, let function = field.reference { return .function(function) }
        if field.type.isTable, let table = field.reference {
            return .constant(try lua { () throws(LuaError) in try vm.encode(table, root: "state") })
        }
        throw FlowError(
            .badField, subject, "state", field.type.described, "a function(props) or a table")
    }

    private func apply(_ field: LuaField?) throws(FlowError) -> WorkflowDefinition.Apply {
        guard let field else { return .none }
        if field.type == .function, let function = field.reference { return .function(function) }
        guard field.type.isTable, let table = field.reference else {
            throw FlowError(
                .badField, subject, "apply", field.type.described,
                "a table of functions or a function(state, action, context)")
        }
        guard let entries = try fields(of: table, upTo: Self.mostActions) else {
            throw FlowError(.tooManyActions, subject)
        }
        var functions: [Name: LuaReference] = [:]
        for entry in entries {
            var name: Name?
            if case .name(let type) = entry.key {
                name = try FlowNames.checked(type, "a type of action in 'apply'", .definition)
            }
            guard let name, entry.type == .function, let function = entry.reference else {
                throw FlowError(.noFunction, subject, entry.type.described, entry.key.described)
            }
            guard functions.updateValue(function, forKey: name) == nil else {
                throw FlowError(.sameNames, subject, name.text)
            }
        }
        return .table(functions)
    }

    private func version(_ field: LuaField?) throws(FlowError) -> Int {
        guard let field else { return 1 }
        guard let version = field.scalar?.natural, version > 0 else {
            throw FlowError(.badVersion, subject)
        }
        return version
    }
}
