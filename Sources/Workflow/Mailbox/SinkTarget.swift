/// Where a sink's values go: a node and a kind of value, for as long as the node lives.
@usableFromInline
class AnySinkTarget {
    @usableFromInline final let mailbox: Mailbox
    /// The node, until it ends: it ends its targets before it goes.
    @exclusivity(unchecked)
    @usableFromInline final unowned(unsafe) var node: AnyNode?
    /// The node's path once it has ended, for the report of a value that came too late.
    @exclusivity(unchecked)
    private final var lastPath: PathLink?

    /// Whether values come from a worker, where one that comes too late is nobody's mistake.
    @exclusivity(unchecked)
    final var isOfWorker = false

    @usableFromInline
    init(node: AnyNode) {
        self.node = node
        mailbox = node.tree.mailbox
    }

    /// The path of the node that this target belongs to, also after the node has ended.
    final var nodePath: NodePath { node?.path ?? lastPath?.path ?? NodePath([]) }

    /// Lets go of the node; from now on values are dropped and reported.
    final func end() {
        lastPath = node?.link
        node = nil
    }
}

/// Where values of one type go.
///
/// `@unchecked Sendable` because only `mailbox`, which is `Sendable`, is used off the owner's isolation;
/// everything else is touched by the owner alone.
@usableFromInline
final class SinkTarget<Value>: AnySinkTarget, @unchecked Sendable {
    /// Applies a value to the node within a cascade; captures nothing, so that it costs no allocation.
    private let perform: (Value, AnyNode) throws -> Void

    @usableFromInline
    init(node: AnyNode, perform: @escaping (Value, AnyNode) throws -> Void) {
        self.perform = perform
        super.init(node: node)
    }

    /// Applies `value` now if the caller is the owner and nothing is under way, else queues it.
    @usableFromInline
    func send(_ value: sending Value, from isolation: (any Actor)?) -> SendOutcome {
        guard mailbox.isOwner(isolation) else {
            return mailbox.enqueue(TargetedEnvelope(target: self, value: value))
                ? .queued : .dropped(.hostShutDown)
        }
        guard let tree = mailbox.tree else {
            if !isOfWorker { mailbox.onReport(.dropped(nodePath, .hostShutDown)) }
            return .dropped(.hostShutDown)
        }
        guard tree.isIdle else {
            tree.reportReentry(from: self)
            let envelope = TargetedEnvelope(target: self, value: value)
            mailbox.enqueueOwn(envelope)
            tree.drainIfIdle()
            // What waited besides may have been dealt with after it.
            return envelope.outcome ?? .queued
        }
        return process(value, in: tree)
    }

    /// Applies `value` and all that follows from it. No closure is made of it, which would copy the value.
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
        do {
            try perform(value, node)
        } catch {
            throw located(error, at: nodePath)
        }
    }
}

/// Does a cascade's work, and says where it began if it fails.
func failing(at path: @autoclosure () -> NodePath, _ body: () throws -> Void) throws {
    do {
        try body()
    } catch {
        throw located(error, at: path())
    }
}

/// The error of a cascade that began at `path`.
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
    let target: SinkTarget<Value>
    let value: Value
    /// What became of it; `nil` while it waits.
    private(set) var outcome: SendOutcome?

    init(target: SinkTarget<Value>, value: Value) {
        self.target = target
        self.value = value
    }

    override func deliver(in tree: WorkflowTree) -> SendOutcome {
        let outcome = target.process(value, in: tree)
        self.outcome = outcome
        return outcome
    }

    override func drop(in tree: WorkflowTree) {
        outcome = .dropped(.hostShutDown)
        tree.reportDrop(target.nodePath, target.isOfWorker ? .workerStopped : .hostShutDown)
    }
}

/// Thrown inside the runtime for a value whose node has gone.
struct DroppedAction: Error {
    let path: NodePath
    let reason: DropReason
}
