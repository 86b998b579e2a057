// Each step with observers and interceptors.

extension WorkflowTree {
    /// Makes the initial state of the node that has the last number.
    @usableFromInline
    func makeInitialState<W: Workflow>(of workflow: W, parent: AnyNode?, key: String) -> W.State {
        guard instruments != nil || restorer != nil else { return workflow.makeInitialState() }
        let component = NodePath.Component(name: workflow.nodeName, key: key)
        let node = NodeIdentity(
            id: lastNumber, parentID: parent?.number,
            path: NodePath((parent?.path.components ?? []) + [component]))
        let make = { [restorer] (workflow: W) in
            restorer?.state(for: workflow, at: node.path) ?? workflow.makeInitialState()
        }
        return instruments?.makeInitialState(of: workflow, node: node, make: make)
            ?? make(workflow)
    }
}

extension RenderContext {
    @usableFromInline
    func renderSeen<Child: Workflow, Route: OutputRoute<Child.Output>>(
        _ child: Child, key: String, site: CallSite, route: Route
    ) -> Child.Rendering {
        if let replay = node.tree.replay {
            return replay.rendering(of: child, key: key) ?? renderAside(child, key: key)
        }
        guard let instruments = node.tree.instruments, !instruments.interceptors.isEmpty else {
            return place(child, key: key, site: site, route: route)
        }
        let component = NodePath.Component(name: child.nodeName, key: key)
        var first: Child.Rendering?
        return instruments.renderChild(
            child, key: key, parent: node.identity, emit: emitter(for: component, through: route)
        ) { child in
            if let first {
                let path = NodePath(node.path.components + [component])
                node.tree.report(.proceededTwice(path, step: "renderChild"))
                return first
            }
            let rendering = place(child, key: key, site: site, route: route)
            first = rendering
            return rendering
        }
    }

    /// Delivers outputs to this node as if from a child.
    func emitter<Output, Route: OutputRoute<Output>>(
        for child: NodePath.Component, through route: Route
    ) -> (Output) -> SendOutcome {
        { [node] output in
            guard !node.hasEnded else { return .dropped(.nodeEnded) }
            return node.tree.process {
                try failing(at: NodePath(node.path.components + [child])) {
                    try route.deliver(output, to: ParentNode(node))
                }
            }
        }
    }
}

extension AnyWorkflow {
    func renderSeen<Parent, Route: OutputRoute<Output>>(
        in context: RenderContext<Parent>, key: String, site: CallSite, route: Route
    ) -> Rendering {
        let node = context.node
        guard node.isRendering, node.tree.replay == nil,
            let interceptor = node.tree.instruments?.interceptorOfErasedChildren
        else { return base.render(in: context, key: key, site: site, route: route) }
        let name = (base as? any Workflow)?.nodeName ?? nodeName
        return interceptor.renderErasedChild(
            self, key: key, parent: node.identity,
            emit: context.emitter(for: .init(name: name, key: key), through: route)
        ) { base.render(in: context, key: key, site: site, route: route) }
    }
}

extension AnyNode {
    /// True if a clean node may reuse its last rendering; if not, the node becomes dirty.
    @usableFromInline
    final func mayBeSkipped() -> Bool {
        if tree.options.rendersEverything {
            cause.insert(.everything)
            return false
        }
        if let observers = tree.instruments?.observers, !observers.isEmpty {
            let node = identity
            for observer in observers { observer.didSkipRender(node: node) }
        }
        return true
    }
}

extension Node {
    @usableFromInline
    func changeSeen(from previous: W) throws {
        // A restored state already fits the inputs.
        if isRestored { return }
        guard let instruments = tree.instruments else {
            return try workflow.workflowDidChange(from: previous, state: &state)
        }
        try instruments.change(from: previous, to: workflow, state: &state, node: identity)
    }

    @usableFromInline
    func renderSeen() -> W.Rendering {
        let context = RenderContext(node: self)
        guard let instruments = tree.instruments else {
            let failures = beginRender()
            recordRender()
            let new = workflow.render(state: state, context: context)
            if endRender(failuresBefore: failures) { rendering = new }
            return new
        }
        let node = identity
        for observer in instruments.observers {
            observer.willRender(workflow, state: state, cause: cause, node: node)
        }
        let failures = beginRender()
        let new = instruments.render(workflow, state: state, context: context, node: node)
        if endRender(failuresBefore: failures) {
            rendering = new
            if instruments.isStrict { renderAgain(first: new) }
        }
        for observer in instruments.observers.reversed() {
            observer.didRender(workflow, rendering: new, node: node)
        }
        return new
    }

    /// Renders a second time without effect, and reports what differs.
    private func renderAgain(first: W.Rendering) {
        // A child that interceptors replaced has no node to look up.
        guard tree.instruments?.interceptors.isEmpty == true else { return }
        let replay = Replay(of: self)
        tree.replay = replay
        isRendering = true
        let second = workflow.render(state: state, context: RenderContext(node: self))
        isRendering = false
        tree.replay = nil
        replay.finish(first: first, second: second)
        if !replay.differences.isEmpty {
            tree.report(.rendersDiffer(path, replay.differences))
        }
    }

    @usableFromInline
    func applySeen<Action: WorkflowAction>(
        _ action: Action, context: ApplyContext<W>
    ) throws -> W.Output? where Action.WorkflowType == W {
        guard let instruments = tree.instruments else {
            return try action.apply(toState: &state, context: context)
        }
        return try instruments.apply(
            action, toState: &state, context: context, sequence: tree.sequence, node: identity)
    }

    @usableFromInline
    func reportOutput(_ output: W.Output) {
        guard let instruments = tree.instruments, !instruments.observers.isEmpty else { return }
        let node = identity
        for observer in instruments.observers {
            observer.didEmitOutput(output, of: workflow, node: node)
        }
    }
}
