import LuaVM
import PlainValue
import Workflow

// What a scripted node does when the typed runtime asks for it.
extension FlowRuntime {
    func makeInitialState(of workflow: LuaWorkflow) -> LuaState {
        let instance = LuaInstance()
        do throws(FlowError) {
            let value = try initialValue(of: workflow, instance: instance)
            return LuaState(value: value, instance: instance, failure: nil)
        } catch {
            return LuaState(value: .null, instance: instance, failure: error)
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
        let call = NodeCall(
            instance: instance, phase: .state, workflow: workflow,
            path: calls.last.map { "\($0.path)/\(workflow.nodeName)" } ?? workflow.nodeName)
        return try withCall(call, of: function) { _ throws(FlowError) in
            try lua { () throws(LuaError) in
                let result = try vm.call(
                    function, .value(workflow.props), returning: .both, root: "state")
                switch result.type {
                case .nil: return .null
                case .table:
                    let value = result.value ?? .null
                    if let table = result.reference { instance.stateTable = (table, value) }
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
        let value = state.value
        let call = NodeCall(
            instance: instance, phase: .changed, workflow: workflow,
            path: instance.path ?? workflow.nodeName)
        state.value = try withCall(call, of: changed) { _ throws(FlowError) in
            try mutating(instance, value) { table throws(LuaError) in
                _ = try vm.call(
                    changed, .value(previous.props), .value(workflow.props), table,
                    returning: .nothing)
            }
        }
    }

    func apply(
        _ action: LuaAction, to state: inout LuaState, of workflow: LuaWorkflow,
        path: () -> NodePath
    ) throws(FlowError) -> Value? {
        let instance = state.instance
        let path = instance.path ?? path().description
        configuration.onAction(
            AppliedAction(node: path, action: action.value, source: action.source))
        let function = try function(for: action, of: workflow.definition, path: path)
        let value = state.value
        var output: Value?
        let call = NodeCall(
            instance: instance, phase: .apply(action.type), workflow: workflow, path: path)
        state.value = try withCall(call, of: function) { context throws(FlowError) in
            try mutating(instance, value) { table throws(LuaError) in
                let result = try vm.call(
                    function, table, .value(action.value), .reference(context.reference),
                    returning: .value, root: "output")
                output = result.isNil ? nil : result.value
            }
        }
        return output
    }

    private func function(
        for action: LuaAction, of definition: WorkflowDefinition, path: String
    ) throws(FlowError) -> LuaReference {
        switch definition.apply {
        case .function(let function): return function
        case .table(let functions):
            if let function = functions[action.type] { return function }
        case .none: break
        }
        throw unknownAction(action.type, of: definition, path: path)
    }

    /// Lets `body` change the table of a state, and gives the value that the table then stands for.
    ///
    /// If anything fails the table is given up: the next use makes it anew from the value.
    private func mutating(
        _ instance: LuaInstance, _ value: Value, _ body: (LuaArgument) throws(LuaError) -> Void
    ) throws(FlowError) -> Value {
        do throws(LuaError) {
            guard let table = try stateTable(of: instance, value) else {
                try body(.nil)
                return value
            }
            instance.stateTable = nil
            try body(.reference(table))
            let new = try vm.encode(table, root: "state")
            let kept = new == value ? value : new
            instance.stateTable = (table, kept)
            return kept
        } catch {
            throw FlowError(error)
        }
    }

    /// The table that stands for `value`, made if there is none; `nil` for a stateless node.
    private func stateTable(
        of instance: LuaInstance, _ value: Value
    ) throws(LuaError) -> LuaReference? {
        if value.isNull { return nil }
        if let known = instance.stateTable, known.value.isIdentical(to: value) {
            return known.table
        }
        let table = try vm.makeTable(value)
        instance.stateTable = (table, value)
        return table
    }

    func render(
        _ workflow: LuaWorkflow, state: LuaState, context: RenderContext<LuaWorkflow>
    ) -> LuaRendering {
        let instance = state.instance
        let path = instance.path ?? context.path.description
        instance.path = path
        let call = NodeCall(
            instance: instance, phase: .render, workflow: workflow, path: path,
            renderContext: context)
        do throws(FlowError) {
            if var failure = state.failure {
                failure.node = path
                throw failure
            }
            let value = try withCall(call, of: workflow.definition.render) {
                object throws(FlowError) in
                let value = try rendering(of: workflow, state, instance, object)
                if let failure = call.childFailure { throw failure }
                return value
            }
            instance.rendering = value
            return LuaRendering(value: value, instance: instance, failure: nil)
        } catch {
            // A child that failed has failed the pass already.
            if call.childFailure == nil { context.fail(error) }
            return LuaRendering(
                value: instance.rendering ?? .null, instance: instance, failure: error)
        }
    }

    private func rendering(
        of workflow: LuaWorkflow, _ state: LuaState, _ instance: LuaInstance, _ context: LuaObject
    ) throws(FlowError) -> Value {
        try lua { () throws(LuaError) in
            let table = try stateTable(of: instance, state.value)
            let result = try vm.call(
                workflow.definition.render,
                table.map { .reference($0) } ?? .nil, .reference(context.reference),
                returning: .value, root: "rendering")
            let value = result.value ?? .null
            if configuration.checksRenders, let table {
                guard try vm.encode(table, root: "state") == state.value else {
                    instance.stateTable = nil
                    throw LuaError(
                        .runtime, "render changed the state; only apply and changed may do that",
                        location: vm.location(of: workflow.definition.render))
                }
            }
            // A scripted parent is handed a read-only view, which it may put into its own rendering.
            instance.renderingView =
                calls.count > 1 ? try vm.makeView(of: value, label: "a child's rendering") : nil
            return value
        }
    }

    /// What a scripted parent receives for a child's rendering.
    func reply(for rendering: LuaRendering) -> LuaReply {
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
