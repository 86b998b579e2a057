/// The tree behind a host: runs one thing at a time, renders what it changed, and starts over.
///
/// Everything here happens on the isolation that owns the host.
@usableFromInline
final class WorkflowTree {
    @usableFromInline let configuration: HostConfiguration
    @usableFromInline let mailbox: Mailbox
    @exclusivity(unchecked)
    @usableFromInline var root: AnyNode?
    /// Renders the root and stores its rendering; says whether the pass was good. Set by the host.
    @exclusivity(unchecked)
    @usableFromInline var renderRoot: () -> Void = {}
    /// Tells the host's observers of a new rendering. Set by the host.
    @exclusivity(unchecked)
    @usableFromInline var publish: () -> Void = {}
    /// Hands the root's outputs of the last cascade to the host's observers. Set by the host.
    @exclusivity(unchecked)
    @usableFromInline var deliverOutputs: () -> Void = {}

    /// The number of the pass that is under way or was last.
    @exclusivity(unchecked)
    @usableFromInline var pass = 0
    /// What failed in the pass that is under way.
    @exclusivity(unchecked)
    @usableFromInline var failures: [WorkflowFailure] = []
    /// What failed in the last pass that was completed.
    @exclusivity(unchecked)
    private(set) var lastFailures: [WorkflowFailure] = []
    /// Nodes whose set of children this pass changed, with the children they had.
    @exclusivity(unchecked)
    private var changedChildren: [(node: AnyNode, before: ContiguousArray<AnyNode>)] = []
    /// Nodes with effects that rendered in this pass.
    @exclusivity(unchecked)
    private var effectNodes: [AnyNode] = []
    @exclusivity(unchecked)
    @usableFromInline var traitsByType: [ObjectIdentifier: AnyObject] = [:]

    @exclusivity(unchecked)
    private var isBusy = false
    @exclusivity(unchecked)
    private var isRendering = false
    @exclusivity(unchecked)
    private var hasShutDown = false

    @usableFromInline
    init(configuration: HostConfiguration, owner: (any Actor)?) {
        self.configuration = configuration
        mailbox = Mailbox(owner: owner)
        mailbox.tree = self
    }

    @inlinable
    func traits<W: Workflow>(of type: W.Type) -> NodeTraits<W> {
        let id = ObjectIdentifier(type)
        // The key is the type, so the cast always succeeds.
        if let known = traitsByType[id] { return unsafeDowncast(known, to: NodeTraits<W>.self) }
        let made = NodeTraits<W>()
        traitsByType[id] = made
        return made
    }

    // MARK: One thing at a time

    /// Whether nothing is under way and nothing waits.
    @usableFromInline
    var isIdle: Bool { !isBusy && !mailbox.hasWaiting }

    /// Runs `change`, renders what it made dirty, publishes, hands out outputs, then takes on what waits.
    func process(_ change: () throws -> Void) -> SendOutcome {
        let isOutermost = !isBusy
        isBusy = true
        let outcome = perform(change)
        if isOutermost {
            isBusy = false
            if mailbox.hasWaiting { _ = drainIfIdle() }
        }
        return outcome
    }

    private func perform(_ change: () throws -> Void) -> SendOutcome {
        do {
            try change()
        } catch let dropped as DroppedAction {
            configuration.onReport(.dropped(dropped.path, dropped.reason))
            return .dropped(dropped.reason)
        } catch {
            let failure =
                error as? WorkflowFailure
                ?? WorkflowFailure(path: NodePath([]), phase: .apply, error: error)
            configuration.onReport(.failure(failure))
            return .failed(failure)
        }
        var failure: WorkflowFailure?
        if let root, root.isDirty { failure = renderPass() }
        deliverOutputs()
        return failure.map { .failed($0) } ?? .applied
    }

    /// Processes all that waits, unless something is under way, which will then do it.
    func drainIfIdle() -> SendOutcome {
        guard !isBusy else { return .queued }
        isBusy = true
        var outcome = SendOutcome.applied
        while mailbox.hasWaiting {
            for envelope in mailbox.takeAll() { outcome = envelope.deliver(in: self) }
        }
        isBusy = false
        return outcome
    }

    /// Runs `change` as ``process(_:)`` does, at once or when what is under way is complete.
    func processOrQueue(_ change: @escaping () throws -> Void) {
        if isIdle {
            _ = process(change)
        } else {
            mailbox.enqueueOwn(ChangeEnvelope(change: change))
            _ = drainIfIdle()
        }
    }

    private func renderPass() -> WorkflowFailure? {
        pass += 1
        isRendering = true
        renderRoot()
        return endPass()
    }

    private func endPass() -> WorkflowFailure? {
        isRendering = false
        guard !failures.isEmpty else {
            if !lastFailures.isEmpty { lastFailures = [] }
            commit()
            publish()
            return nil
        }
        lastFailures = failures
        failures = []
        revert()
        for failure in lastFailures { configuration.onReport(.failure(failure)) }
        return lastFailures.first
    }

    // MARK: The first pass

    /// Renders the root for the first time, before the host can be told of anything.
    @usableFromInline
    func renderFirst<Rendering>(_ root: AnyNode, _ render: () -> Rendering) -> Rendering {
        self.root = root
        isBusy = true
        isRendering = true
        pass = 1
        return render()
    }

    /// Completes the first pass.
    @usableFromInline
    func settleFirst() {
        _ = endPass()
        isBusy = false
        if mailbox.hasWaiting { _ = drainIfIdle() }
    }

    // MARK: What a pass changes

    /// Notes that a render changed which children a node has.
    func noteChildren(of node: AnyNode, before: ContiguousArray<AnyNode>) {
        changedChildren.append((node, before))
    }

    /// Notes that a render declared effects, or had some before.
    func noteEffects(of node: AnyNode) {
        effectNodes.append(node)
    }

    private func commit() {
        for (_, before) in changedChildren {
            for child in before where child.pass != pass { child.end() }
        }
        changedChildren.removeAll(keepingCapacity: true)
        guard !effectNodes.isEmpty else { return }
        let nodes = effectNodes
        effectNodes.removeAll(keepingCapacity: true)
        for node in nodes { node.effects?.stopUndeclared(in: pass) }
        for node in nodes where !node.hasEnded { node.effects?.startDeclared() }
    }

    /// Puts children and effects back as they were before the pass.
    private func revert() {
        for (node, before) in changedChildren.reversed() {
            let kept = Set(before.map(ObjectIdentifier.init))
            for child in node.children where !kept.contains(ObjectIdentifier(child)) {
                child.end()
            }
            node.children = before
            node.setDirty()
        }
        changedChildren.removeAll(keepingCapacity: true)
        for node in effectNodes where !node.hasEnded {
            node.effects?.forgetUnstarted()
            node.setDirty()
        }
        effectNodes.removeAll(keepingCapacity: true)
    }

    // MARK: Reports

    @usableFromInline
    func fail(_ error: any Error, at node: AnyNode) {
        failures.append(WorkflowFailure(path: node.path, phase: .render, error: error))
    }

    @usableFromInline
    func report(_ report: WorkflowReport, at site: CallSite) {
        configuration.onReport(report)
    }

    func noteReentry(from target: AnySinkTarget) {
        if isRendering { configuration.onReport(.sentDuringRender(target.nodePath)) }
    }

    @usableFromInline
    func checkDepth(of node: AnyNode) {
        precondition(
            node.depth <= configuration.maximumDepth,
            """
            the workflow tree is deeper than \(configuration.maximumDepth) nodes at \
            \(NodePath(Array(node.path.components.suffix(8)))); does a workflow render itself?
            """)
    }

    // MARK: The end

    /// Ends every node, root last; what waits or comes later is dropped.
    func shutDown() {
        guard !hasShutDown else { return }
        hasShutDown = true
        root?.end()
        root = nil
        renderRoot = {}
        publish = {}
        deliverOutputs = {}
        for _ in mailbox.close() {
            configuration.onReport(.dropped(NodePath([]), .hostShutDown))
        }
    }
}

/// A change that the host itself queued; `@unchecked Sendable` because every envelope is.
private final class ChangeEnvelope: Envelope, @unchecked Sendable {
    let change: () throws -> Void

    init(change: @escaping () throws -> Void) { self.change = change }

    override func deliver(in tree: WorkflowTree) -> SendOutcome { tree.process(change) }
}
