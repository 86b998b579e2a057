/// Where a sink's values go: a node and a kind of action, for as long as the node lives.
@usableFromInline
class AnySinkTarget {
    @usableFromInline let mailbox: Mailbox
    /// The node's path, for the report of a value that came too late.
    private let path: () -> NodePath
    @exclusivity(unchecked)
    private var lastPath: NodePath?

    @usableFromInline
    init(mailbox: Mailbox, path: @escaping () -> NodePath) {
        self.mailbox = mailbox
        self.path = path
    }

    /// The path of the node that this target belongs to, also after the node has ended.
    final var nodePath: NodePath { lastPath ?? path() }

    /// Lets go of the node; from now on values are dropped and reported.
    func end() { lastPath = path() }
}

/// `@unchecked Sendable` because only `mailbox`, which is `Sendable`, is used off the owner's isolation;
/// everything else is touched by the owner alone.
@usableFromInline
final class SinkTarget<Value>: AnySinkTarget, @unchecked Sendable {
    /// Applies a value within a cascade; `nil` once the node has ended.
    @exclusivity(unchecked)
    @usableFromInline var perform: ((Value) throws -> Void)?

    @inlinable
    init(
        mailbox: Mailbox, path: @escaping () -> NodePath, perform: @escaping (Value) throws -> Void
    ) {
        self.perform = perform
        super.init(mailbox: mailbox, path: path)
    }

    override func end() {
        super.end()
        perform = nil
    }

    /// Applies `value` now if the caller is the owner and nothing is under way, else queues it.
    @usableFromInline
    func send(_ value: sending Value, from isolation: (any Actor)?) -> SendOutcome {
        guard mailbox.isOwner(isolation) else {
            return mailbox.enqueue(TargetedEnvelope(target: self, value: value))
                ? .queued : .dropped(.hostShutDown)
        }
        guard let tree = mailbox.tree else { return .dropped(.hostShutDown) }
        guard tree.isIdle else {
            tree.noteReentry(from: self)
            mailbox.enqueueOwn(TargetedEnvelope(target: self, value: value))
            return tree.drainIfIdle()
        }
        mailbox.countUnqueued()
        return tree.process { try deliver(value, in: tree) }
    }

    fileprivate func deliver(_ value: Value, in tree: WorkflowTree) throws {
        guard let perform else { throw DroppedAction(path: nodePath, reason: .nodeEnded) }
        do {
            try perform(value)
        } catch {
            throw WorkflowFailure(path: nodePath, phase: .apply, error: error)
        }
    }
}

/// A value on its way to a target; `@unchecked Sendable` because every envelope is.
private final class TargetedEnvelope<Value>: Envelope, @unchecked Sendable {
    let target: SinkTarget<Value>
    let value: Value

    init(target: SinkTarget<Value>, value: Value) {
        self.target = target
        self.value = value
    }

    override func deliver(in tree: WorkflowTree) -> SendOutcome {
        tree.process { try target.deliver(value, in: tree) }
    }
}

/// Thrown inside the runtime for a value whose node has gone.
struct DroppedAction: Error {
    let path: NodePath
    let reason: DropReason
}
