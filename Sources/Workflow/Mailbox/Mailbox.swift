import CCurrentExecutor
import Synchronization

/// Something queued for the owner of a tree.
///
/// `@unchecked Sendable` because its sender hands it over for good and only the owner opens it.
class Envelope: @unchecked Sendable {
    /// Takes effect.
    func deliver(in tree: WorkflowTree) {}
    /// Is thrown away: the tree has ended.
    func drop(in tree: WorkflowTree) {}
}

/// The queues through which everything reaches a tree that does not come from its owner at rest.
///
/// What the owner sent while something was under way comes after that, and before anything else. What others sent
/// comes when the owner is woken for it, a part at a time, so that others who want something of the owner come in
/// between however fast workers send. A host that no actor owns cannot be woken: it takes what waits when it is used.
///
/// `@unchecked Sendable` because `tree`, `own`, `taken` and `onReport` are touched only on the owner's isolation, and
/// envelopes carry values that were sent (`sending`) into them; the rest is behind the lock or atomic.
@usableFromInline
final class Mailbox: @unchecked Sendable {
    private struct Contents {
        var queue = ContiguousArray<Envelope>()
        /// Whether the owner is going to be woken, or is at work because it was.
        var isWakeScheduled = false
        var isClosed = false
    }

    private let contents = Mutex(Contents())
    /// How many wait in the queue, to be read without the lock.
    private let waiting = Atomic(0)
    private let ownerID: ObjectIdentifier?
    private weak let owner: (any Actor)?
    /// Where the owner is woken.
    private let executor: (any TaskExecutor)?
    /// Has what waits dealt with when there is room for that; `nil`: at once.
    private let drains: (@Sendable (_ body: @Sendable () async -> Void) async -> Void)?
    /// Which task or thread touched an unowned host last; meaningless with an owner.
    private let toucher = Atomic(UInt(0))
    /// The tree, until it shuts down; only for the owner.
    @exclusivity(unchecked)
    @usableFromInline var tree: WorkflowTree?
    /// What the owner sent while something was under way; only for the owner.
    @exclusivity(unchecked)
    private var own = EnvelopeQueue()
    /// What others sent and the owner has taken out of the queue; only for the owner.
    @exclusivity(unchecked)
    private var taken = EnvelopeQueue()
    /// Whether the owner was woken while something was under way, and so could do nothing; only for the owner.
    @exclusivity(unchecked)
    private var wasWokenInVain = false
    /// Tells of values that come after the end; only for the owner.
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

    /// Whether an actor owns the tree, which can be woken.
    var isOwned: Bool { ownerID != nil }

    /// Whether something waits that others sent.
    var hasWaiting: Bool { !taken.isEmpty || waiting.load(ordering: .acquiring) > 0 }

    // MARK: Who may touch the tree

    /// Whether code with this static isolation may touch the tree right now.
    ///
    /// Code without one, such as a closure in a rendering, may run on the owner all the same; then the runtime knows.
    ///
    /// A host that was made outside any actor belongs to the task (or, outside tasks, the thread)
    /// that used it last: the compiler lets only one at a time reach the host. Of the main thread that is
    /// all that runs there, tasks of the main actor too.
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

    /// Notes that the owner of an unowned host is at work in the current task or thread.
    func recordTouch() {
        if ownerID == nil { toucher.store(current_context(), ordering: .relaxed) }
    }

    // MARK: What the owner sends

    /// Queues what the owner sent while something was under way.
    func enqueueOwn(_ envelope: Envelope) { own.append(envelope) }

    /// The oldest of what the owner sent.
    func nextOwn() -> Envelope? { own.popFirst() }

    // MARK: What others send

    /// Queues what somebody else sent and wakes the owner; `false` once the tree has shut down.
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

    /// Takes out of the queue what others sent until now, and says how much waits.
    func collect() -> Int {
        if waiting.load(ordering: .acquiring) > 0 {
            contents.withLock { contents in
                taken.append(&contents.queue)
                waiting.store(0, ordering: .releasing)
            }
        }
        return taken.count
    }

    /// The oldest of what was collected.
    func nextCollected() -> Envelope? { taken.popFirst() }

    /// Refuses everything from now on; returns what was still waiting.
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
        // An unowned host has no executor to run on; its owner finds the queue at the next touch.
        guard let owner else { return }
        Task(executorPreference: executor) { [drains] in
            guard let drains else { return await self.drain(on: owner) }
            await drains { await self.drain(on: owner) }
        }
    }

    /// Takes a part of what waits; for the rest the owner is woken again, behind what else it has to do.
    private func drain(on owner: isolated any Actor) {
        guard let tree else { return }
        guard !tree.isBusy else {
            wasWokenInVain = true
            return
        }
        tree.takeWaiting(within: DrainSlice())
        wakeAgainIfNeeded()
    }

    /// Wakes the owner once more if it was woken while something was under way, as can happen in a nested run loop.
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

/// Whether the code that calls this runs on an actor.
private func isRunning(on actor: any Actor) -> Bool {
    // An `UnownedSerialExecutor` is two words: an object and what implements it.
    let (identity, implementation) = unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self)
    return current_executor_is(identity, implementation)
}
