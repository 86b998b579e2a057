import LuaVM
import PlainValue

/// A definition table that was read and checked: one type of scripted node.
///
/// A class because a definition is shared by its nodes and compared by identity.
final class WorkflowDefinition {
    /// How a definition makes the state of a new node.
    enum InitialState {
        /// There is none: a stateless node.
        case none
        /// A copy of this value.
        case constant(Value)
        /// What the function returns for the props.
        case function(LuaReference)
    }

    /// How a definition applies actions.
    enum Apply {
        /// It takes none.
        case none
        /// By type.
        case table([Name: LuaReference])
        /// All by one function.
        case function(LuaReference)
    }

    let name: String
    /// Keeps the table, so that its address stays its own.
    let table: LuaReference
    let initialState: InitialState
    let changed: LuaReference?
    let render: LuaReference
    let apply: Apply
    let version: Int
    /// Turns a state of another version into one of this.
    let migrate: LuaReference?
    /// Decides who may do what with a flow whose root this is.
    let access: LuaReference?
    /// Where the definition's `render` stands, for messages.
    let location: FlowError.Location?
    /// Which definition it is among those of its name; set when it is read.
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

    /// The type of its nodes.
    var nodeType: NodeTypeName { identity.nodeType }

    /// Its code, which it shares with all tables that are made where it is made.
    var code: DefinitionCode {
        DefinitionCode(location: location, actionTypes: actionTypes, version: version)
    }

    /// The function that applies actions of this type; `nil` if there is none.
    func function(for type: Name) -> LuaReference? {
        switch apply {
        case .none: nil
        case .function(let function): function
        case .table(let functions): functions[type]
        }
    }

    /// Whether it may know this type of action.
    func takes(_ type: Name) -> Bool {
        switch apply {
        case .none: false
        case .table(let functions): functions[type] != nil
        case .function: true
        }
    }

    /// The types of action that it knows; empty when one function takes them all.
    var actionTypes: [String] {
        if case .table(let functions) = apply { functions.keys.sorted().map(\.text) } else { [] }
    }
}

/// Which definition one is among those of its name.
struct DefinitionIdentity {
    /// The type of its nodes.
    let nodeType: NodeTypeName
    /// The label that tells it apart in snapshots, such as the name of its variable; `nil` if the
    /// flow holds no other definition of its name.
    var label: String?
}
