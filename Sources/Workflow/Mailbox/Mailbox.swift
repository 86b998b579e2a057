import CCurrentExecutor
import Synchronization

/// Something queued for the owner of a tree.
///
/// `@unchecked Sendable` because its sender hands it over for good and only the owner opens it.
class Envelope: @unchecked Sendable {
    /// Takes effect.
    func deliver(in tree: WorkflowTree) -> SendOutcome { .applied }
    /// Is thrown away: the tree has ended.
    func drop(in tree: WorkflowTree) {}
}

/// The one queue through which everything reaches a tree that does not come from its owner at rest.
///
/// `@unchecked Sendable` because `tree` and `onReport` are touched only on the owner's isolation, and envelopes carry
/// values that were sent (`sending`) into them; the rest is behind the lock or atomic.
@usableFromInline
final class Mailbox: @unchecked Sendable {
    private struct Contents {
        var queue: [Envelope] = []
        /// How many of them the owner sent itself.
        var ownCount = 0
        var isWakeScheduled = false
        var isClosed = false
    }

    private let contents = Mutex(Contents())
    private let waiting = Atomic(0)
    private let ownerID: ObjectIdentifier?
    private weak let owner: (any Actor)?
    /// Where the owner is woken.
    private let executor: (any TaskExecutor)?
    /// Which task or thread touched an unowned host last; meaningless with an owner.
    private let toucher = Atomic(UInt(0))
    /// The tree, until it shuts down; only for the owner.
    @exclusivity(unchecked)
    @usableFromInline var tree: WorkflowTree?
    /// Tells of values that come after the end; only for the owner.
    let onReport: (WorkflowReport) -> Void

    init(
        owner: (any Actor)?, executor: (any TaskExecutor)? = nil,
        onReport: @escaping (WorkflowReport) -> Void
    ) {
        self.owner = owner
        self.executor = executor
        self.onReport = onReport
        ownerID = owner.map { ObjectIdentifier($0) }
        if owner == nil { toucher.store(current_context(), ordering: .relaxed) }
    }

    /// Whether something waits in the queue.
    var hasWaiting: Bool { waiting.load(ordering: .acquiring) > 0 }

    /// Whether all that waits came from elsewhere, and the owner is going to be woken for it.
    ///
    /// Others who want something of the owner then come in between, however fast workers send.
    var canWait: Bool { ownerID != nil && contents.withLock { $0.ownCount == 0 } }

    // MARK: Who may touch the tree

    /// Whether code with this static isolation may touch the tree right now.
    ///
    /// Code without one, such as a closure in a rendering, may run on the owner all the same; then the runtime knows.
    ///
    /// A host that was made outside any actor belongs to the task (or, outside tasks, the thread)
    /// that used it last: the compiler lets only one at a time reach the host.
    func isOwner(_ isolation: (any Actor)?) -> Bool {
        guard let ownerID else {
            return isolation == nil
                && toucher.load(ordering: .relaxed) == current_context()
        }
        if let isolation { return ObjectIdentifier(isolation) == ownerID }
        guard let owner else { return false }
        // An `UnownedSerialExecutor` is two words: an object and what implements it.
        let (identity, implementation) = unsafeBitCast(
            owner.unownedExecutor, to: (UInt, UInt).self)
        return current_executor_is(identity, implementation)
    }

    /// Notes that the owner of an unowned host is at work in the current task or thread.
    func recordTouch() {
        if ownerID == nil { toucher.store(current_context(), ordering: .relaxed) }
    }

    // MARK: The queue

    /// Queues a value from elsewhere and wakes the owner; `false` once the tree has shut down.
    func enqueue(_ envelope: Envelope) -> Bool {
        let entry = append(envelope, wakes: true)
        if entry == .needsWake { wake() }
        return entry != .closed
    }

    /// Queues a value that the owner sent while something was under way.
    func enqueueOwn(_ envelope: Envelope) {
        _ = append(envelope, wakes: false)
    }

    private enum Entry { case closed, queued, needsWake }

    private func append(_ envelope: Envelope, wakes: Bool) -> Entry {
        contents.withLock { contents in
            guard !contents.isClosed else { return .closed }
            contents.queue.append(envelope)
            if !wakes { contents.ownCount += 1 }
            waiting.add(1, ordering: .releasing)
            guard wakes, !contents.isWakeScheduled else { return .queued }
            contents.isWakeScheduled = true
            return .needsWake
        }
    }

    /// Takes all that waits, oldest first.
    func takeAll() -> [Envelope] {
        contents.withLock { contents in
            let taken = contents.queue
            contents.queue = []
            contents.ownCount = 0
            waiting.store(0, ordering: .releasing)
            contents.isWakeScheduled = false
            return taken
        }
    }

    /// Refuses everything from now on; returns what was still waiting.
    func close() -> [Envelope] {
        contents.withLock { $0.isClosed = true }
        let left = takeAll()
        tree = nil
        return left
    }

    private func wake() {
        // An unowned host has no executor to run on; its owner finds the queue at the next touch.
        guard let owner else { return }
        Task(executorPreference: executor) { await self.drain(on: owner) }
    }

    private func drain(on owner: isolated any Actor) {
        _ = tree?.drainIfIdle()
    }

    /// Ends the tree on its owner's isolation, as its host was released elsewhere.
    ///
    /// - Returns: Whether the owner will do it; otherwise the caller is the only one left that can.
    func shutDownOnOwner() -> Bool {
        guard let owner, !isOwner(nil) else { return false }
        Task(executorPreference: executor) { await self.shutDown(on: owner) }
        return true
    }

    private func shutDown(on owner: isolated any Actor) {
        tree?.shutDown()
    }
}
