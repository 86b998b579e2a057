import LuaVM
import PlainValue

/// A checked definition table, which its nodes share and which is compared by identity.
final class WorkflowDefinition {
    enum InitialState {
        case none
        case constant(Value)
        /// The result of the function for the props.
        case function(LuaReference)
    }

    enum Apply {
        case none
        /// One function for each type.
        case table([Name: LuaReference])
        /// One function for all types.
        case function(LuaReference)
    }

    let name: String
    /// Retained, so that no other table gets its address.
    let table: LuaReference
    let initialState: InitialState
    let changed: LuaReference?
    let render: LuaReference
    let apply: Apply
    let version: Int
    let migrate: LuaReference?
    /// Decides requests to a flow whose root this is.
    let access: LuaReference?
    /// The location of the definition's `render`, for messages.
    let location: FlowError.Location?
    /// The identity among the definitions of its name; set when the table is read.
    var identity = DefinitionIdentity(nodeType: NodeTypeName())

    init(
        name: String, table: LuaReference, initialState: InitialState, changed: LuaReference?,
        render: LuaReference, apply: Apply, version: Int, migrate: LuaReference?,
        access: LuaReference?, location: FlowError.Location?
    ) {
        self.name = name
        self.table = table
        self.initialState = initialState
        self.changed = changed
        self.render = render
        self.apply = apply
        self.version = version
        self.migrate = migrate
        self.access = access
        self.location = location
    }

    var nodeType: NodeTypeName { identity.nodeType }

    var code: DefinitionCode {
        DefinitionCode(location: location, actionTypes: actionTypes, version: version)
    }

    func function(for type: Name) -> LuaReference? {
        switch apply {
        case .none: nil
        case .function(let function): function
        case .table(let functions): functions[type]
        }
    }

    /// True if actions of a type may be known; one function for all types decides by itself.
    func takes(_ type: Name) -> Bool { function(for: type) != nil }

    var actionTypes: [String] {
        if case .table(let functions) = apply { functions.keys.sorted().map(\.text) } else { [] }
    }
}

/// The identity of a definition among those of its name.
struct DefinitionIdentity {
    let nodeType: NodeTypeName
    /// The label that tells it from others in snapshots, such as the name of its variable, if any.
    var label: String?
}
