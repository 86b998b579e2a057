import LuaVM
import PlainValue
import Workflow

// What a scripted node does when the typed runtime asks for it.
extension FlowRuntime {
    func makeInitialState(of workflow: LuaWorkflow) -> LuaState {
        let instance = LuaInstance(workflow)
        do throws(FlowError) {
            let value = try initialValue(of: workflow, instance: instance)
            return LuaState(value: value, instance: instance)
        } catch {
            instance.stateFailure = error
            return LuaState(value: .null, instance: instance)
        }
    }

    private func initialValue(
        of workflow: LuaWorkflow, instance: LuaInstance
    ) throws(FlowError) -> Value {
        let function: LuaReference
        switch workflow.definition.initialState {
        case .none: return .null
        case .constant(let value): return value
        case .function(let reference): function = reference
        }
        instance.provisionalPath =
            innermost.map { "\($0.path)/\(workflow.nodeName)" } ?? workflow.nodeName
        let call = NodeCall(instance: instance, kind: .state)
        return try withCall(call, of: function.borrowed, .state) { () throws(FlowError) in
            try lua { () throws(LuaError) in
                let result = try vm.call(
                    function, .value(workflow.props), returning: .both, root: "state")
                switch result.type {
                case .nil: return .null
                case .table:
                    let value = result.value ?? .null
                    if let table = result.reference, !vm.isLarge(value) {
                        instance.keep(table, of: 0)
                    }
                    return value
                default:
                    throw LuaError(
                        .runtime, "state must return a table or nil, not \(result.type.described)",
                        location: vm.location(of: function))
                }
            }
        }
    }

    func change(
        from previous: LuaWorkflow, to workflow: LuaWorkflow, state: inout LuaState
    ) throws(FlowError) {
        guard let changed = workflow.definition.changed, previous.props != workflow.props else {
            return
        }
        let instance = state.instance
        if instance.path == nil { instance.provisionalPath = workflow.nodeName }
        instance.use(workflow)
        let call = NodeCall(instance: instance, kind: .changed)
        do throws(FlowError) {
            try withCall(call, of: changed.borrowed, .changed) { () throws(FlowError) in
                try callChanged(changed, from: previous.props, to: workflow.props, &state)
            }
        } catch {
            instance.use(previous)
            throw error
        }
    }

    func apply(
        _ action: LuaAction.Content, of instance: LuaInstance, to state: inout LuaState
    ) throws(FlowError) -> Value? {
        let call = NodeCall(instance: instance, kind: .apply)
        if let onAction = configuration.onAction {
            onAction(
                AppliedAction(
                    node: instance.nodePath ?? NodePath([]), action: action.value,
                    source: action.source))
        }
        guard let function = instance.function(for: action.type) else {
            throw unknownAction(action.type.text, of: instance.definition, path: call.path)
        }
        return try withCall(call, of: function, .apply(action.type.text)) { () throws(FlowError) in
            do throws(LuaError) {
                guard let table = try stateTable(of: state) else {
                    return try applyToNothing(action, instance)
                }
                if instance.drafts != nil {
                    return try applyToDrafts(function, action, &state)
                }
                let known = state.borrowedEncoding
                let (output, change) = try vm.call(
                    function, changing: table, from: known, action.value,
                    instance.contextSlot, root: "output", tableRoot: "state")
                if case .some(let new, let isLarge) = change {
                    if known == nil, try state.readValue() == new { return output }
                    state.advance(to: new)
                    if isLarge { instance.forgetTable() }
                }
                return output
            } catch {
                if instance.drafts != nil { throw FlowError(error) }
                // The next use makes it anew from the value.
                instance.forgetTable()
                throw FlowError(error)
            }
        }
    }

    /// Applies an action to a stateless node.
    private func applyToNothing(
        _ action: LuaAction.Content, _ instance: LuaInstance
    ) throws(LuaError) -> Value? {
        guard let function = instance.definition.function(for: action.type),
            let context = instance.context
        else { return nil }
        let result = try vm.call(
            function, .nil, .value(action.value), .reference(context.reference),
            returning: .value, root: "output")
        return result.isNil ? nil : result.value
    }

    private func callChanged(
        _ function: LuaReference, from old: Value, to new: Value, _ state: inout LuaState
    ) throws(FlowError) {
        do throws(LuaError) {
            guard try stateTable(of: state) != nil, let table = state.instance.stateTable else {
                _ = try vm.call(function, .value(old), .value(new), .nil)
                return
            }
            if state.instance.drafts != nil {
                _ = try call(
                    function.borrowed, [.value(old), .value(new), .reference(table)],
                    drafting: &state,
                    returning: .nothing)
                return
            }
            _ = try vm.call(function, .value(old), .value(new), .reference(table))
            let value = try vm.encode(table, root: "state")
            if value != state.value {
                state.advance(to: value)
                if vm.isLarge(value) { state.instance.forgetTable() }
            }
        } catch {
            if state.instance.drafts == nil { state.instance.forgetTable() }
            throw FlowError(error)
        }
    }

    /// The table that stands for the value of a state, made if there is none; `nil` for a stateless node.
    @inline(__always)
    private func stateTable(of state: LuaState) throws(LuaError) -> LuaSlot? {
        if let known = state.instance.tableSlot(of: state.version) { return known }
        if state.isNull { return nil }
        return try makeStateTable(of: state)
    }

    private func makeStateTable(of state: LuaState) throws(LuaError) -> LuaSlot {
        let value = try state.readValue()
        if vm.isLarge(value) {
            let drafts = try vm.makeDrafts(of: value)
            state.instance.keep(drafts, of: state.version)
            return drafts.table.borrowed
        }
        let table = try vm.makeTable(value)
        state.instance.keep(table, of: state.version)
        return table.borrowed
    }

    func render(
        _ state: LuaState, context: RenderContext<LuaWorkflow>
    ) -> LuaRendering {
        let instance = state.instance
        if instance.path == nil { instance.settle(at: context.path) }
        let call = NodeCall(instance: instance, kind: .render)
        instance.renderContext = context
        defer { instance.endRender() }
        do throws(FlowError) {
            if var failure = instance.stateFailure {
                failure.node = instance.path
                throw failure
            }
            let function = instance.renderSlot
            let value = try withCall(call, of: function, .render) { () throws(FlowError) in
                let value = try rendering(by: function, state)
                if let failure = instance.childFailure { throw failure }
                return value
            }
            if instance.renderFailure != nil { instance.renderFailure = nil }
            return LuaRendering(value: value, instance: instance)
        } catch {
            // A child that failed has failed the pass already.
            if instance.childFailure == nil { context.fail(error) }
            instance.renderFailure = error
            return LuaRendering(
                value: context.lastRendering?.value ?? .null, instance: instance)
        }
    }

    @inline(__always)
    private func rendering(
        by function: LuaSlot, _ state: LuaState
    ) throws(FlowError) -> Value {
        let instance = state.instance
        do throws(LuaError) {
            let table = try stateTable(of: state)
            if instance.hasRemembered { vm.recall(instance.contextSlot) }
            let (value, isChanged) =
                instance.drafts != nil
                ? try renderingOfDrafts(by: function, instance)
                : try vm.call(
                    function, reading: table,
                    comparing: configuration.checksRenders ? .some(state.value) : .none,
                    instance.contextSlot, root: "rendering", tableRoot: "state")
            if isChanged {
                if instance.drafts == nil { instance.forgetTable() }
                throw LuaError(
                    .runtime, "render changed the state; only apply and changed may do that",
                    location: vm.location(of: function))
            }
            // A scripted parent is handed a read-only view, which it may put into its own rendering.
            if depth > 1 {
                instance.renderingView = try vm.makeView(of: value, label: "a child's rendering")
            } else if instance.renderingView != nil {
                instance.renderingView = nil
            }
            return value
        } catch {
            throw FlowError(error)
        }
    }

    /// What a scripted parent receives for a child's rendering.
    func reply(for rendering: LuaRendering) -> LuaArgument? {
        rendering.instance.renderingView.map { .reference($0) } ?? .value(rendering.value)
    }
}

/// The error for a type of action that a node does not know.
func unknownAction(
    _ type: String, of definition: WorkflowDefinition, path: String
) -> FlowError {
    let known = definition.actionTypes
    var error = FlowError(
        .unknownAction,
        known.isEmpty
            ? "\(definition.name) has no actions, so no '\(type)'"
            : "\(definition.name) has no action '\(type)'"
                + suggestion(for: type, among: known, noun: "actions"))
    error.node = path
    return error
}
