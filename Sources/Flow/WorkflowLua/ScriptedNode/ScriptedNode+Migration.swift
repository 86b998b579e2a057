import LuaVM
import PlainValue
import Workflow

extension ScriptedNode {
    /// Makes the state of a node from a snapshot.
    func makeState(_ state: Value, version: Int) throws(FlowError) -> ScriptedState {
        guard version != definition.version else { return ScriptedState(value: state, node: self) }
        guard let migrate = definition.migrate else {
            var error = FlowError(.noMigrate, version, definition.name, definition.version)
            error.location = definition.location
            throw error
        }
        place.provisional = NodePath([.init(name: definition.name)])
        let call = NodeCall(node: self, kind: .migrate)
        let value = try runtime.withCall(call, of: migrate.borrowed, .migrate) {
            () throws(FlowError) in
            try lua { () throws(LuaError) in
                let table = try vm.makeTable(state)
                let result = try vm.call(
                    migrate, state.isNull ? .nil : .reference(table),
                    .value(.int(version)), returning: .value, root: "state")
                // A forgotten `return` would delete the state.
                guard result.type == .table || result.type == .nil && state.isNull else {
                    throw LuaError(
                        raising: FlowError(.badMigratedState, result.type.described),
                        location: vm.location(of: migrate))
                }
                return result.value ?? .null
            }
        }
        return ScriptedState(value: value, node: self)
    }
}
