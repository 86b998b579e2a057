/// The destination of a sink's values: a node and a type of value, for as long as the node lives.
@usableFromInline
class AnySinkTarget {
    @usableFromInline final let mailbox: Mailbox
    /// The node, until it ends. A node ends its targets first.
    @exclusivity(unchecked)
    @usableFromInline final unowned(unsafe) var node: AnyNode?
    /// The node's path once it has ended, for reports of late values.
    private final var lastPath: PathLink?

    /// True if values come from a worker; a late one is then not a mistake.
    @exclusivity(unchecked)
    @usableFromInline final var isOfWorker = false

    /// The last pass in which a render of the node asked for this sink.
    @exclusivity(unchecked)
    @usableFromInline final var declaredPass: Int

    @usableFromInline
    init(node: AnyNode) {
        self.node = node
        let (mailbox, pass) = node.treeReference._withUnsafeGuaranteedRef { ($0.mailbox, $0.pass) }
        self.mailbox = mailbox
        // A sink that no render asks for may be used until the node ends.
        declaredPass = node.isRendering ? pass : .max
    }

    @inlinable
    final func declare(by node: AnyNode) {
        if node.isRendering { declaredPass = node.tree.pass }
    }

    final var nodePath: NodePath {
        node?.path ?? lastPath?.path ?? NodePath([])
    }

    /// Releases the node. From now on values are dropped and reported.
    final func end() {
        // Only observers are told of late values of a worker.
        if let node, !isOfWorker || node.tree.instruments != nil {
            lastPath = node.link
        }
        node = nil
    }
}

/// The target of values of one type. `@unchecked Sendable` because only `mailbox`, which is
/// `Sendable`, is used off the owner's isolation; everything else is touched by the owner alone.
@usableFromInline
final class SinkTarget<Value>: AnySinkTarget, @unchecked Sendable {
    /// Applies a value to the node within a cascade. Captures nothing, so allocates nothing.
    private let perform: (Value, AnyNode) throws -> Void

    @usableFromInline
    init(node: AnyNode, perform: @escaping (Value, AnyNode) throws -> Void) {
        self.perform = perform
        super.init(node: node)
    }

    /// Applies `value` now if the caller is the owner and no step is under way; else queues it.
    /// Calls `onTaken` once it has been applied or dropped.
    @usableFromInline
    func send(
        _ value: sending Value, from isolation: (any Actor)?,
        onTaken: (@Sendable () -> Void)? = nil
    ) -> SendOutcome {
        let entry = mailbox.enter(isolation)
        defer { if entry == .unowned { mailbox.leave() } }
        guard entry != .refused else {
            let envelope = TargetedEnvelope(target: self, value: value, onTaken: onTaken)
            if mailbox.enqueue(envelope) { return .queued }
            onTaken?()
            return .dropped(.hostShutDown)
        }
        guard let tree = mailbox.tree else {
            if !isOfWorker { mailbox.onReport(.dropped(nodePath, .hostShutDown)) }
            onTaken?()
            return .dropped(.hostShutDown)
        }
        guard !tree.isBusy else {
            tree.reportReentry(from: self)
            mailbox.enqueueOwn(TargetedEnvelope(target: self, value: value, onTaken: onTaken))
            return .queued
        }
        let outcome = process(value, in: tree)
        onTaken?()
        return outcome
    }

    /// Applies `value` and its cascade. A closure of `value` would copy it, so there is none.
    fileprivate func process(_ value: Value, in tree: WorkflowTree) -> SendOutcome {
        let isOutermost = tree.beginWork()
        let outcome: SendOutcome
        do {
            try deliver(value, in: tree)
            outcome = tree.renderChanges()
        } catch {
            outcome = tree.giveUp(error)
        }
        tree.endWork(outcome, isOutermost: isOutermost)
        return outcome
    }

    private func deliver(_ value: Value, in tree: WorkflowTree) throws {
        tree.sequence += 1
        guard let node else {
            throw DroppedAction(path: nodePath, reason: isOfWorker ? .workerStopped : .nodeEnded)
        }
        assert(node.tree === tree && !node.hasEnded)
        guard declaredPass >= node.shownPass || tree.options.appliesUndeclared else {
            throw DroppedAction(path: nodePath, reason: .notDeclared)
        }
        do {
            try perform(value, node)
        } catch {
            throw located(error, at: nodePath)
        }
    }
}

/// Runs a cascade. An error gets the path at which the cascade began.
func failing(at path: @autoclosure () -> NodePath, _ body: () throws -> Void) throws {
    do {
        try body()
    } catch {
        throw located(error, at: path())
    }
}

private func located(_ error: any Error, at path: @autoclosure () -> NodePath) -> any Error {
    switch error {
    case is DroppedAction: error
    case let failure as WorkerFailure:
        WorkflowFailure(path: path(), phase: .work, error: failure.error)
    default: WorkflowFailure(path: path(), phase: .apply, error: error)
    }
}

/// A value on its way to a target; `@unchecked Sendable` because every envelope is.
private final class TargetedEnvelope<Value>: Envelope, @unchecked Sendable {
    private let target: SinkTarget<Value>
    private let value: Value
    private let onTaken: (@Sendable () -> Void)?

    init(target: SinkTarget<Value>, value: Value, onTaken: (@Sendable () -> Void)?) {
        self.target = target
        self.value = value
        self.onTaken = onTaken
    }

    override func deliver(in tree: WorkflowTree) {
        _ = target.process(value, in: tree)
        onTaken?()
    }

    override func drop(in tree: WorkflowTree) {
        tree.reportDrop(target.nodePath, target.isOfWorker ? .workerStopped : .hostShutDown)
        onTaken?()
    }
}

/// Thrown inside the runtime for a value whose node has ended.
struct DroppedAction: Error {
    let path: NodePath
    let reason: DropReason
}
