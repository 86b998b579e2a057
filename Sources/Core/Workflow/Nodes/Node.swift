import PlainValue

/// A node of the tree: the workflow, its state and its last rendering. Code that runs in every pass
/// is inlinable. A program that renders its own workflow types then gets specialised code instead
/// of calls through generic metadata.
@usableFromInline
final class Node<W: Workflow>: AnyNode {
    @exclusivity(unchecked)
    @usableFromInline var workflow: W
    @exclusivity(unchecked)
    @usableFromInline var state: W.State
    @exclusivity(unchecked)
    @usableFromInline var rendering: W.Rendering?
    /// Hands an output to the parent (or, at the root, to the host) within the same cascade.
    @exclusivity(unchecked)
    @usableFromInline var route: KeptRoute<W.Output>?
    @usableFromInline let traits: NodeTraits<W>
    /// The sinks made so far, one for each type of action, so that sinks are equal in every pass.
    @exclusivity(unchecked)
    @usableFromInline var sinkTargets = SinkTargets()

    @inlinable
    init(workflow: W, tree: WorkflowTree, parent: AnyNode?, key: String) {
        tree.lastNumber += 1
        self.workflow = workflow
        state =
            tree.isPlain
            ? workflow.makeInitialState()
            : tree.makeInitialState(of: workflow, parent: parent, key: key)
        traits = tree.traits(of: W.self)
        super.init(
            tree: tree, parent: parent, swiftType: ObjectIdentifier(W.self),
            type: workflow.nodeType, key: key, number: tree.lastNumber)
    }

    override var name: String { workflow.nodeName }

    @inlinable
    func update(_ new: W) {
        if isSame(workflow: new) { return }
        #if DEBUG
            traits.reportIncomparableInputs(of: self)
        #endif
        let previous = workflow
        let before = state
        workflow = new
        do {
            if isPlain {
                try new.workflowDidChange(from: previous, state: &state)
            } else {
                try changeSeen(from: previous)
            }
        } catch {
            workflow = previous
            state = before
            tree.fail(error, at: self)
        }
        // The parent is rendering, so this node is the only one that can be clean here.
        cause.insert(.inputs)
    }

    @inlinable
    func isSame(workflow new: W) -> Bool {
        withUnsafePointer(to: new) { new in
            withUnsafePointer(to: &workflow) { traits.inputs.areSame($0, new) }
        }
    }

    /// Renders unconditionally; the parent of a clean node uses ``rendering`` instead.
    @inlinable
    func render() -> W.Rendering {
        guard isPlain else { return renderSeen() }
        let failures = beginRender()
        recordRender()
        let new = workflow.render(state: state, context: RenderContext(node: self))
        if endRender(failuresBefore: failures) { rendering = new }
        return new
    }

    /// Applies an action and the cascade of its output. An error thrown further up comes through
    /// here, and each node on its way restores its state.
    @inlinable
    func apply<Action: WorkflowAction>(_ action: Action) throws where Action.WorkflowType == W {
        let before = state
        assert(application.isMultiple(of: 2), "an action is applied within another of its node")
        application &+= 1
        defer { application &+= 1 }
        do {
            let context = ApplyContext<W>(node: self)
            let output =
                isPlain
                ? try action.apply(toState: &state, context: context)
                : try applySeen(action, context: context)
            if let output { try emit(output) }
        } catch {
            state = before
            throw error
        }
        let isSame = withUnsafePointer(to: before) { before in
            withUnsafePointer(to: &state) { traits.state.areSame(before, $0) }
        }
        if !isSame { setDirty(.state) }
    }

    /// Applies an action that cannot fail once it has begun. A state with a large collection is
    /// changed in place: with a copy to go back to or compare with, the first change would copy it.
    @inlinable
    func applyInPlace<Action: WorkflowAction>(_ action: Action) throws
    where Action.WorkflowType == W {
        guard isPlain, hasLargeState else { return try apply(action) }
        application &+= 1
        defer { application &+= 1 }
        let output = try action.apply(toState: &state, context: ApplyContext<W>(node: self))
        if let output { try emit(output) }
        setDirty(.state)
    }

    @inlinable
    var hasLargeState: Bool { !_isPOD(W.State.self) && hasLargeCollection }

    @usableFromInline
    var hasLargeCollection: Bool {
        withUnsafePointer(to: &state) { state in
            traits.sizes.contains { $0.isLarge(UnsafeRawPointer(state)) }
        }
    }

    @inlinable
    func emit(_ output: W.Output) throws {
        if !isPlain { reportOutput(output) }
        // Outputs travel upwards only, so a cascade visits each node once.
        try route?.deliver(output, to: ParentNode(parent ?? self))
    }

    @inlinable
    func renew<Route: OutputRoute<W.Output>>(_ new: Route) {
        if Route.self == NoRoute<W.Output>.self {
            if route != nil { route = nil }
        } else if let route, Swift.type(of: route) == TypedRoute<Route>.self {
            // Sound because the kept route has that class.
            if Route.isRenewed { unsafeDowncast(route, to: TypedRoute<Route>.self).route = new }
        } else {
            route = TypedRoute(new)
        }
    }

    override func describeValues() -> (inputs: String, state: String) {
        (String(describing: workflow), String(describing: state))
    }

    override func snapshotState() throws -> StateSnapshot? {
        try StateSnapshots.snapshot(of: state, in: workflow)
    }

    override func replaceState(by snapshot: StateSnapshot) throws {
        let new = try StateSnapshots.restore(snapshot, for: workflow, replacing: state)
        guard let new else { throw NotSnapshotted(stateType: typeName(of: W.State.self)) }
        state = new
        setDirty(.state)
    }

    override func snapshotInputs() -> Value? {
        if let workflow = workflow as? any SnapshottingWorkflow {
            return workflow.inputsForSnapshot
        }
        return plainValue(ofInputs: workflow)
    }

    override var isWorker: Bool { W.self is any WorkerNode.Type }

    override func releaseValues() { traits.release(self) }

    override func endSinks() { sinkTargets.end() }
}
