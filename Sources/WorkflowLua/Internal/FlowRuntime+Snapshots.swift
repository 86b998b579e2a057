import LuaVM
import PlainValue
import Workflow

extension FlowRuntime {
    /// The state of a node that starts with what a snapshot kept.
    func restoreState(
        _ state: Value, version: Int, of workflow: LuaWorkflow
    ) throws(FlowError) -> LuaState {
        let definition = workflow.definition
        let instance = LuaInstance(workflow)
        guard version != definition.version else {
            return LuaState(value: state, instance: instance)
        }
        guard let migrate = definition.migrate else {
            var error = FlowError(
                .definition,
                "the snapshot is of version \(version) of \(definition.name), "
                    + "which is at version \(definition.version); "
                    + "add: migrate = function(state, from_version) … return state end")
            error.location = definition.location
            throw error
        }
        instance.provisionalPath = workflow.nodeName
        let call = NodeCall(instance: instance, kind: .migrate)
        let value = try withCall(call, of: migrate.borrowed, .migrate) { () throws(FlowError) in
            try lua { () throws(LuaError) in
                let table = try vm.makeTable(state)
                let result = try vm.call(
                    migrate, state.isNull ? .nil : .reference(table),
                    .value(.int(version)), returning: .value, root: "state")
                guard result.type == .table || result.type == .nil else {
                    throw LuaError(
                        .runtime,
                        "migrate must return the new state, not \(result.type.described)",
                        location: vm.location(of: migrate))
                }
                return result.value ?? .null
            }
        }
        return LuaState(value: value, instance: instance)
    }
}
