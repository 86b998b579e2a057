import LuaVM
import PlainValue
import Workflow

// Calls of the functions of a node's definition.
extension ScriptedNode {
    func makeInitialState() -> ScriptedState {
        do throws(FlowError) {
            return ScriptedState(value: try makeInitialValue(), node: self)
        } catch {
            stateFailure = error
            return ScriptedState(value: .null, node: self)
        }
    }

    private func makeInitialValue() throws(FlowError) -> Value {
        let function: LuaReference
        switch definition.initialState {
        case .none: return .null
        case .constant(let value): return value
        case .function(let reference): function = reference
        }
        place.provisional = NodePath(
            (runtime.innermost?.path.components ?? []) + [.init(name: definition.name)])
        let call = NodeCall(node: self, kind: .state)
        return try runtime.withCall(call, of: function.borrowed, .state) { () throws(FlowError) in
            try lua { () throws(LuaError) in
                let result = try vm.call(
                    function, .reference(try vm.makeView(of: props, label: "props")),
                    context.object.map { .reference($0.reference) } ?? .nil,
                    returning: .value, root: "state")
                switch result.type {
                case .nil: return .null
                case .table, .view: return result.value ?? .null
                default:
                    throw LuaError(
                        raising: FlowError(.badState, result.type.described),
                        location: vm.location(of: function))
                }
            }
        }
    }

    func change(
        from previous: LuaWorkflow, to workflow: LuaWorkflow, state: inout ScriptedState
    ) throws(FlowError) {
        if previous.definition.version != workflow.definition.version {
            throw FlowError(
                .otherVersion, workflow.nodeName, previous.definition.version,
                workflow.definition.version)
        }
        guard let changed = workflow.definition.changed, previous.props != workflow.props else {
            return
        }
        if place.settled == nil { place.provisional = NodePath([.init(name: workflow.nodeName)]) }
        use(workflow)
        let call = NodeCall(node: self, kind: .changed)
        do throws(FlowError) {
            try runtime.withCall(call, of: changed.borrowed, .changed) { () throws(FlowError) in
                try callChanged(changed, from: previous.props, to: workflow.props, &state)
            }
        } catch {
            use(previous)
            throw error
        }
    }

    func apply(
        _ action: LuaAction.Content, to state: inout ScriptedState
    ) throws(FlowError) -> Value? {
        let call = NodeCall(node: self, kind: .apply)
        runtime.options.onAction?(
            AppliedAction(node: call.path, action: action.value, source: action.source))
        if runtime.traced != nil { runtime.traced?.action = action.value }
        guard let function = function(for: action.type) else {
            throw unknownAction(action.type.text, of: definition, path: call.path)
        }
        let version = state.version
        let output = try runtime.withCall(call, of: function, .apply(action.type.text)) {
            () throws(FlowError) -> Value? in
            do throws(LuaError) {
                guard let slot = try tableSlot(of: state) else { return try applyToNothing(action) }
                if table.drafts != nil { return try applyToDrafts(function, action, &state) }
                let known = state.borrowedEncoding
                let (output, change) = try vm.call(
                    function, changing: slot, from: known, action.value,
                    context.slot, root: "output", tableRoot: "state")
                switch change {
                case .none: break
                case .sameOfOthers: table.forget()
                case .some(let new, let isOfTable):
                    if !isOfTable { table.forget() }
                    if known == nil, try state.readValue() == new { return output }
                    state.advance(to: new)
                }
                return output
            } catch {
                // The failed call may have changed the table, so the next use makes a new one.
                if table.drafts == nil { table.forget() }
                throw FlowError(error)
            }
        }
        if let output {
            if !isHeard { noteLostOutput(output, of: function) }
        } else if state.version == version {
            noteLostAssignment(in: function)
        }
        return output
    }

    /// Applies an action to a stateless node.
    private func applyToNothing(_ action: LuaAction.Content) throws(LuaError) -> Value? {
        guard let function = definition.function(for: action.type),
            let context = context.object
        else { return nil }
        let result = try vm.call(
            function, .nil, .value(action.value), .reference(context.reference),
            returning: .value, root: "output")
        return result.isNil ? nil : result.value
    }

    private func callChanged(
        _ function: LuaReference, from old: Value, to new: Value, _ state: inout ScriptedState
    ) throws(FlowError) {
        do throws(LuaError) {
            let props: [LuaArgument] = [
                .reference(try vm.makeView(of: old, label: "old_props")),
                .reference(try vm.makeView(of: new, label: "new_props")),
            ]
            guard try tableSlot(of: state) != nil, let stateTable = table.reference else {
                _ = try vm.call(function, props + [.nil])
                return
            }
            let arguments = props + [.reference(stateTable)]
            if table.drafts != nil {
                _ = try call(function.borrowed, arguments, drafting: &state, returning: .nothing)
                return
            }
            _ = try vm.call(function, arguments)
            let (value, isOfTable) = try vm.encodeTable(stateTable, root: "state")
            if value != state.value { state.advance(to: value) }
            if !isOfTable { table.forget() }
        } catch {
            if table.drafts == nil { table.forget() }
            throw FlowError(error)
        }
    }

    /// The table with the value of a state, made if needed; `nil` for a stateless node.
    @inline(__always)
    private func tableSlot(of state: ScriptedState) throws(LuaError) -> LuaSlot? {
        if let known = table.slot(of: state.version) { return known }
        if state.isNull { return nil }
        return try makeTable(of: state)
    }

    private func makeTable(of state: ScriptedState) throws(LuaError) -> LuaSlot {
        let value = try state.readValue()
        if vm.isLarge(value) {
            let drafts = try vm.makeDrafts(of: value)
            table.keep(drafts, of: state.version)
            return drafts.table.borrowed
        }
        let made = try vm.makeTable(value)
        table.keep(made, of: state.version)
        return made.borrowed
    }

    func render(_ state: ScriptedState, context: RenderContext<LuaWorkflow>) -> LuaRendering {
        if place.settled == nil { place.settle(at: context.path) }
        let call = NodeCall(node: self, kind: .render)
        current.context = context
        defer { endRender() }
        do throws(FlowError) {
            if var failure = stateFailure {
                failure.node = place.path
                throw failure
            }
            let value = try runtime.withCall(call, of: functions.render, .render) {
                () throws(FlowError) in
                let value = try makeRendering(of: state)
                if let failure = current.childFailure { throw failure }
                return value
            }
            if renderFailure != nil { renderFailure = nil }
            return LuaRendering(value: value, node: self)
        } catch {
            // A failed child has failed the pass already.
            if current.childFailure == nil { context.fail(error) }
            renderFailure = error
            return LuaRendering(value: context.lastRendering?.value ?? .null, node: self)
        }
    }

    @inline(__always)
    private func makeRendering(of state: ScriptedState) throws(FlowError) -> Value {
        let function = functions.render
        do throws(LuaError) {
            let slot = try tableSlot(of: state)
            if context.remembersChildren { vm.recall(context.slot) }
            let (shown, isChanged) =
                table.drafts != nil
                ? try renderDrafts(by: function)
                : try vm.call(
                    function, reading: slot,
                    comparing: runtime.options.checksRenders ? .some(state.value) : .none,
                    context.slot, root: "rendering", tableRoot: "state")
            if isChanged {
                if table.drafts == nil { table.forget() }
                throw LuaError(
                    raising: FlowError(.stateChanged), location: vm.location(of: function))
            }
            if shown == nil { noteMissingRendering() }
            let value = shown ?? .null
            // A scripted parent gets a read-only view, which it may put into its own rendering.
            if runtime.calls.depth > 1 {
                cache.view = try vm.makeView(of: value, label: "a child's rendering")
            } else if cache.view != nil {
                cache.view = nil
            }
            return value
        } catch {
            throw FlowError(error)
        }
    }
}

func unknownAction(_ type: String, of definition: WorkflowDefinition, path: NodePath) -> FlowError {
    let known = definition.actionTypes
    var error =
        if let near = nearestName(to: type, among: known) {
            FlowError(.misspeltAction, definition.name, type, near)
        } else {
            FlowError(
                known.isEmpty ? .noActions : .undefinedAction, definition.name, type,
                suggestion(for: type, among: known, noun: "actions"))
        }
    error.node = path
    return error
}
