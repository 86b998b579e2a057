import CCurrentExecutor
import Synchronization

/// A value or change queued for the owner of a tree.
///
/// `@unchecked Sendable` because its sender hands it over for good and only the owner opens it.
class Envelope: @unchecked Sendable {
    /// Takes effect.
    func deliver(in tree: WorkflowTree) {}
    /// Drops it: the tree has ended.
    func drop(in tree: WorkflowTree) {}
}

/// The queues of a tree: all that reaches it during a step or from outside its owner goes through them.
///
/// Values that the owner sent during a step are processed right after it. Values from elsewhere are processed when
/// the owner is woken for them. The owner processes them in slices, so that its other work gets a turn however fast
/// workers send. A host without an owning actor cannot be woken, and processes them when it is used.
///
/// `@unchecked Sendable` because only the owner's isolation touches `tree`, `own`, `taken` and `onReport`, and
/// because values are sent (`sending`) into envelopes. The rest is atomic or behind the lock.
@usableFromInline
final class Mailbox: @unchecked Sendable {
    private struct Contents {
        var queue = ContiguousArray<Envelope>()
        /// Whether a wake of the owner is scheduled or under way.
        var isWakeScheduled = false
        var isClosed = false
    }

    private let contents = Mutex(Contents())
    /// The length of the queue, readable without the lock.
    private let waiting = Atomic(0)
    private let ownerID: ObjectIdentifier?
    private weak let owner: (any Actor)?
    /// The executor on which the owner is woken.
    private let executor: (any TaskExecutor)?
    /// Runs the processing of the queue when there is capacity; `nil` runs it at once.
    private let drains: (@Sendable (_ body: @Sendable () async -> Void) async -> Void)?
    /// The task or thread that touched an unowned host last; meaningless with an owner.
    private let toucher = Atomic(UInt(0))
    /// The tree, until it shuts down; only for the owner.
    @exclusivity(unchecked)
    @usableFromInline var tree: WorkflowTree?
    /// Envelopes that the owner sent during a step; only for the owner.
    @exclusivity(unchecked)
    private var own = EnvelopeQueue()
    /// Envelopes from elsewhere that the owner has taken out of the queue; only for the owner.
    @exclusivity(unchecked)
    private var taken = EnvelopeQueue()
    /// Whether the owner was woken during a step, and so processed nothing; only for the owner.
    @exclusivity(unchecked)
    private var wasWokenInVain = false
    /// Reports values that arrive after the end; only for the owner.
    let onReport: (WorkflowReport) -> Void

    init(
        owner: (any Actor)?, executor: (any TaskExecutor)? = nil,
        drains: (@Sendable (_ body: @Sendable () async -> Void) async -> Void)? = nil,
        onReport: @escaping (WorkflowReport) -> Void
    ) {
        self.owner = owner
        self.executor = executor
        self.drains = drains
        self.onReport = onReport
        ownerID = owner.map { ObjectIdentifier($0) }
        if owner == nil { toucher.store(current_context(), ordering: .relaxed) }
    }

    /// Whether an actor owns the tree and can be woken.
    var isOwned: Bool { ownerID != nil }

    /// Whether envelopes from elsewhere are waiting.
    var hasWaiting: Bool { !taken.isEmpty || waiting.load(ordering: .acquiring) > 0 }

    // MARK: Who may touch the tree

    /// Whether code with this static isolation may touch the tree right now.
    ///
    /// Code without static isolation, such as a closure in a rendering, may still run on the owner. The runtime
    /// knows.
    ///
    /// A host that was made outside any actor belongs to the task that used it last or, outside tasks, to the
    /// thread: the compiler lets only one at a time reach the host. All code on the main thread counts as one,
    /// including tasks of the main actor.
    func isOwner(_ isolation: (any Actor)?) -> Bool {
        guard let ownerID else {
            let toucher = toucher.load(ordering: .relaxed)
            return toucher == current_context()
                || toucher == current_thread() && is_main_thread()
        }
        if let isolation { return ObjectIdentifier(isolation) == ownerID }
        guard let owner else { return false }
        return isRunning(on: owner)
    }

    /// Notes that the current task or thread uses an unowned host.
    func recordTouch() {
        if ownerID == nil { toucher.store(current_context(), ordering: .relaxed) }
    }

    // MARK: What the owner sends

    /// Queues an envelope that the owner sent during a step.
    func enqueueOwn(_ envelope: Envelope) { own.append(envelope) }

    /// Removes the oldest envelope that the owner sent.
    func nextOwn() -> Envelope? { own.popFirst() }

    // MARK: What others send

    /// Queues an envelope from elsewhere and wakes the owner; `false` once the tree has shut down.
    func enqueue(_ envelope: Envelope) -> Bool {
        let (isOpen, needsWake) = contents.withLock { contents in
            guard !contents.isClosed else { return (false, false) }
            contents.queue.append(envelope)
            waiting.add(1, ordering: .releasing)
            defer { contents.isWakeScheduled = true }
            return (true, !contents.isWakeScheduled)
        }
        if needsWake { wake() }
        return isOpen
    }

    /// Takes the envelopes from elsewhere out of the queue, and returns how many are waiting.
    func collect() -> Int {
        if waiting.load(ordering: .acquiring) > 0 {
            contents.withLock { contents in
                taken.append(&contents.queue)
                waiting.store(0, ordering: .releasing)
            }
        }
        return taken.count
    }

    /// Removes the oldest collected envelope.
    func nextCollected() -> Envelope? { taken.popFirst() }

    /// Refuses all further envelopes, and returns those that were still waiting.
    func close() -> [Envelope] {
        contents.withLock { $0.isClosed = true }
        _ = collect()
        tree = nil
        var left: [Envelope] = []
        while let envelope = own.popFirst() ?? taken.popFirst() { left.append(envelope) }
        return left
    }

    // MARK: Waking the owner

    private func wake() {
        // An unowned host has no executor to run on. Its owner finds the queue at the next use.
        guard let owner else { return }
        Task(executorPreference: executor) { [drains] in
            guard let drains else { return await self.drain(on: owner) }
            await drains { await self.drain(on: owner) }
        }
    }

    /// Processes a slice of the waiting envelopes. For the rest the owner is woken again, after its other work.
    private func drain(on owner: isolated any Actor) {
        guard let tree else { return }
        guard !tree.isBusy else {
            wasWokenInVain = true
            return
        }
        tree.takeWaiting(within: DrainSlice())
        wakeAgainIfNeeded()
    }

    /// Wakes the owner once more if it was woken during a step, as can happen in a nested run loop.
    func comeToRest() {
        guard wasWokenInVain else { return }
        wasWokenInVain = false
        wakeAgainIfNeeded()
    }

    private func wakeAgainIfNeeded() {
        let isDone = contents.withLock { contents in
            let isDone = contents.isClosed || contents.queue.isEmpty && taken.isEmpty
            if isDone { contents.isWakeScheduled = false }
            return isDone
        }
        if !isDone { wake() }
    }

    /// Ends the tree on its owner's isolation, because its host was released elsewhere.
    ///
    /// - Returns: Whether the owner will do it. If not, the caller must do it.
    func shutDownOnOwner() -> Bool {
        guard let owner, !isOwner(nil) else { return false }
        Task(executorPreference: executor) { await self.shutDown(on: owner) }
        return true
    }

    private func shutDown(on owner: isolated any Actor) {
        tree?.shutDown()
    }
}

/// Whether the code that calls this runs on an actor.
private func isRunning(on actor: any Actor) -> Bool {
    // An `UnownedSerialExecutor` is two words: an object and its implementation.
    let (identity, implementation) = unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self)
    return current_executor_is(identity, implementation)
}
