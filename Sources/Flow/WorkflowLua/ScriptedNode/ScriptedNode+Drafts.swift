import LuaVM
import PlainValue

// What is different for states with large tables: these are changed in place and note what was there before, so
// that a call costs what it touches.
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
            let version = table.history?.advance(
                by: journal, entries: entries, to: drafts, in: vm)
            if let version { state.advance(to: version) }
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
        // Only what is beside the large tables can have changed.
        drafts = nil
        return (result, runtime.configuration.checksRenders)
    }
}
