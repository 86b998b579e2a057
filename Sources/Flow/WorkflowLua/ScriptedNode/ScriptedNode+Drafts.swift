import LuaVM
import PlainValue

// States with large tables: the tables are changed in place and record their old contents in a
// journal, so that a call takes time in proportion to its changes.
extension ScriptedNode {
    func applyToDrafts(
        _ function: LuaSlot, _ action: LuaAction.Content, _ state: inout ScriptedState
    ) throws(LuaError) -> Value? {
        guard let stateTable = table.reference, let context = context.object else { return nil }
        return try call(
            function,
            [.reference(stateTable), .value(action.value), .reference(context.reference)],
            drafting: &state, returning: .value)
    }

    /// Calls a function that may change the state.
    func call(
        _ function: LuaSlot, _ arguments: [LuaArgument], drafting state: inout ScriptedState,
        returning wanted: LuaReturn
    ) throws(LuaError) -> Value? {
        var drafts = table.drafts
        defer { table.use(drafts) }
        let (result, change) = try vm.call(
            function, arguments, drafts: &drafts, writes: true, returning: wanted,
            root: "output", tableRoot: "state")
        switch change {
        case .none: break
        case .some(let journal, let entries):
            guard let drafts else { break }
            let version = table.history?.advance(by: journal, entries: entries, to: drafts, in: vm)
            if let version { state.advance(to: version) }
        // The drafts are not the tables of the new value, which was encoded in full.
        case .whole(let value, let journal):
            table.history?.end(by: journal)
            state.advance(to: value)
        }
        return result
    }

    func renderDrafts(by function: LuaSlot) throws(LuaError) -> (Value?, Bool) {
        guard let stateTable = table.reference, let context = context.object else {
            return (.none, false)
        }
        var drafts = table.drafts
        defer { table.use(drafts) }
        let (result, change) = try vm.call(
            function, [.reference(stateTable), .reference(context.reference)], drafts: &drafts,
            writes: false, returning: .value, root: "rendering", tableRoot: "state")
        if case .none = change { return (result, false) }
        // Large tables are read-only in a render, so only the plain rest can have changed.
        drafts = nil
        return (result, runtime.options.checksRenders)
    }
}
