import CThread
import LibC
import Synchronization

/// A value or change queued for the owner of a tree. `@unchecked Sendable` because its sender hands
/// it over for good and only the owner opens it.
class Envelope: @unchecked Sendable {
    func deliver(in tree: WorkflowTree) {}
    func drop(in tree: WorkflowTree) {}
}

/// The queues of a tree: all that comes during a step or from outside its owner goes through them.
///
/// Values that the owner sent during a step are processed right after it. Values from elsewhere are
/// processed when the owner is woken for them. The owner processes them in slices, so that its
/// other work gets a turn however fast workers send. A host without an owning actor processes them
/// when it is used, or on the actor that uses it.
///
/// `@unchecked Sendable` because only the owner's isolation touches `tree`, `own`, `taken` and
/// `onReport`, and values are sent (`sending`) into envelopes. The rest is atomic or locked.
@usableFromInline
final class Mailbox: @unchecked Sendable {
    private struct Contents {
        var queue = ContiguousArray<Envelope>()
        /// True while a wake of the owner is scheduled or under way.
        var isWakeScheduled = false
        var isClosed = false
        /// The last actor that used an unowned host, if that is known.
        weak var adopter: (any Actor)?
    }

    private let contents = Mutex(Contents())
    /// The length of the queue, readable without the lock.
    private let waiting = Atomic(0)
    private let ownerID: ObjectIdentifier?
    private weak let owner: (any Actor)?
    private let executor: (any TaskExecutor)?
    /// Runs the processing of the queue when there is capacity; `nil` runs it at once.
    private let drains: (@Sendable (_ body: @Sendable () async -> Void) async -> Void)?
    /// The task or thread that touched an unowned host last; meaningless with an owner.
    private let toucher = Atomic(UInt(0))
    /// The adopter of an unowned host while it is the last toucher; otherwise 0.
    private let home = Atomic(UInt(0))
    /// The thread on which a sink changes an unowned host; 0 for none.
    private let stepper = Atomic(UInt(0))
    private let isPumped: Bool
    @exclusivity(unchecked)
    @usableFromInline var tree: WorkflowTree?
    /// Envelopes that the owner sent during a step; only for the owner.
    @exclusivity(unchecked)
    private var own = EnvelopeQueue()
    /// Envelopes from elsewhere that the owner has taken out of the queue; only for the owner.
    @exclusivity(unchecked)
    private var taken = EnvelopeQueue()
    /// True if the owner was woken during a step, and so processed nothing; only for the owner.
    @exclusivity(unchecked)
    private var wasWokenInVain = false
    let onReport: (WorkflowReport) -> Void

    init(
        owner: (any Actor)?, executor: (any TaskExecutor)? = nil,
        drains: (@Sendable (_ body: @Sendable () async -> Void) async -> Void)? = nil,
        isPumped: Bool = false, onReport: @escaping (WorkflowReport) -> Void
    ) {
        self.owner = owner
        self.isPumped = isPumped
        self.executor = executor
        self.drains = drains
        self.onReport = onReport
        ownerID = owner.map { ObjectIdentifier($0) }
        if owner == nil {
            toucher.store(workflow_current_context(), ordering: .relaxed)
            if isOnMainActor() { adopt(by: MainActor.shared) }
        }
    }

    var isOwned: Bool { ownerID != nil }

    var hasWaiting: Bool { !taken.isEmpty || waiting.load(ordering: .acquiring) > 0 }

    // MARK: Who may touch the tree

    enum Entry {
        case refused
        case owner
        /// The caller may until it calls ``leave()``.
        case unowned
    }

    /// Asks for access to the tree for code with this static isolation. Code without, such as a
    /// closure in a rendering, may run on the owner, too.
    func enter(_ isolation: (any Actor)?) -> Entry {
        guard let ownerID else { return enterUnowned(isolation) }
        if let isolation { return ObjectIdentifier(isolation) == ownerID ? .owner : .refused }
        guard let owner else { return .refused }
        return isRunning(on: owner) ? .owner : .refused
    }

    /// Gives back the access that ``enter(_:)`` granted as ``Entry/unowned``.
    func leave() {
        assert(stepper.load(ordering: .relaxed) == current_thread())
        stepper.store(0, ordering: .releasing)
    }

    // A host that was made outside any actor belongs to its last user, since the compiler lets one
    // at a time reach it. That is the adopter for all code on an actor, if known; else the task or,
    // outside tasks, the thread. Code on the main thread counts as the main actor's.
    //
    // A sink is not bound to that rule: the host may be handed on while its maker's sink sends. So
    // a sink first notes that it is at work, and then reads the last user. A user first notes
    // itself, and then looks for a sink at work. One of the two sees the other. That order of a
    // store and a load needs the strongest ordering.

    private func enterUnowned(_ isolation: (any Actor)?) -> Entry {
        let home = home.load(ordering: .sequentiallyConsistent)
        let context = home == 0 ? workflow_current_context() : 0
        guard home == 0 ? isToucher(context) : isHere(home, isolation) else { return .refused }
        let thread = current_thread()
        let (isFree, other) = stepper.compareExchange(
            expected: 0, desired: thread, ordering: .sequentiallyConsistent)
        guard isFree else { return other == thread ? .owner : .refused }
        guard home == self.home.load(ordering: .sequentiallyConsistent),
            home != 0 || isToucher(context)
        else {
            leave()
            return .refused
        }
        if home == 0, let isolation { adopt(by: isolation) }
        return .unowned
    }

    private func isToucher(_ context: UInt) -> Bool {
        toucher.load(ordering: .sequentiallyConsistent) == context
    }

    @inline(__always)
    private func isHere(_ home: UInt, _ isolation: (any Actor)? = nil) -> Bool {
        home == Self.mainActor && is_main_thread() || isOnAdopter(home, isolation)
    }

    @inline(never)
    private func isOnAdopter(_ home: UInt, _ isolation: (any Actor)?) -> Bool {
        if let isolation { return isolation.number == home }
        return contents.withLock(\.adopter).map { isRunning(on: $0) } ?? false
    }

    /// The number of the main actor; no other actor has this address.
    fileprivate static let mainActor: UInt = 1

    /// Notes the actor on which an unowned host is used. Nobody else can use the host meanwhile.
    private func adopt(by actor: any Actor) {
        assert(!isOwned)
        contents.withLock { $0.adopter = actor }
        home.store(actor.number, ordering: .sequentiallyConsistent)
    }

    /// Notes that the calling code uses an unowned host, and waits until no sink changes it on
    /// another thread: until the end of one step or slice at most.
    func recordTouch() {
        guard ownerID == nil else { return }
        let home = home.load(ordering: .relaxed)
        // Once this user is noted, sinks elsewhere are refused; a known user needs no second look.
        if home == 0 ? isToucher(workflow_current_context()) : isHere(home) { return }
        noteToucher(workflow_current_context())
    }

    private func noteToucher(_ context: UInt) {
        toucher.store(context, ordering: .sequentiallyConsistent)
        repeat {
            home.store(0, ordering: .sequentiallyConsistent)
            while true {
                let other = stepper.load(ordering: .sequentiallyConsistent)
                if other == current_thread() { return }
                if other == 0 { break }
                sched_yield()
            }
            // The step that has ended may have been the first on an adopter.
        } while home.load(ordering: .sequentiallyConsistent) != 0
        if isOnMainActor() {
            adopt(by: MainActor.shared)
        } else if let adopter = contents.withLock(\.adopter), isRunning(on: adopter) {
            adopt(by: adopter)
        } else {
            return
        }
        // Envelopes that came while no owner was known have woken nobody.
        let needsWake = contents.withLock { contents in
            guard !contents.queue.isEmpty, !contents.isWakeScheduled else { return false }
            contents.isWakeScheduled = true
            return true
        }
        if needsWake { wake() }
    }

    // MARK: What the owner sends

    func enqueueOwn(_ envelope: Envelope) {
        assert(tree?.isBusy != false)
        own.append(envelope)
    }

    func nextOwn() -> Envelope? { own.popFirst() }

    // MARK: What others send

    /// Queues an envelope from elsewhere and wakes the owner; `false` once the tree has shut down.
    func enqueue(_ envelope: Envelope) -> Bool {
        let (isOpen, canWake, needsWake) = contents.withLock { contents in
            guard !contents.isClosed else { return (false, false, false) }
            contents.queue.append(envelope)
            waiting.add(1, ordering: .releasing)
            assert(waiting.load(ordering: .relaxed) == contents.queue.count)
            // Only now, with the envelope in the queue: a user that takes an unowned host home
            // looks at the queue afterwards.
            let canWake = isOwned || home.load(ordering: .sequentiallyConsistent) != 0
            defer { contents.isWakeScheduled = contents.isWakeScheduled || canWake }
            return (true, canWake, canWake && !contents.isWakeScheduled)
        }
        if needsWake { wake() } else if isOpen, !canWake, !isPumped { Self.reportWaiting() }
        return isOpen
    }

    private static let hasReportedWaiting = Atomic(false)

    /// Reports once that a value waits for the next use of a host: on the sender's thread, since
    /// the host may not be used again.
    private static func reportWaiting() {
        guard !hasReportedWaiting.exchange(true, ordering: .relaxed) else { return }
        var standardError = StandardError()
        print(
            """
            workflow: an action from elsewhere waits until its host is used, because no actor owns \
            the host; make the host in a method of an actor, or use one of its sinks there first
            """, to: &standardError)
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

    func nextCollected() -> Envelope? { taken.popFirst() }

    /// Refuses all further envelopes, and returns those that were still waiting.
    func close() -> [Envelope] {
        // Closed first, so that no envelope can follow those that are collected.
        contents.withLock { $0.isClosed = true }
        _ = collect()
        tree = nil
        var left: [Envelope] = []
        while let envelope = own.popFirst() ?? taken.popFirst() { left.append(envelope) }
        assert(!hasWaiting)
        return left
    }

    // MARK: Waking the owner

    private func wake() {
        // The owner of an unowned host finds the queue at the next use.
        guard let owner = isOwned ? owner : contents.withLock(\.adopter) else { return }
        Task(executorPreference: executor) { [drains] in
            guard let drains else { return await self.drain(on: owner) }
            await drains { await self.drain(on: owner) }
        }
    }

    /// Processes a slice of the waiting envelopes. The owner is woken again for the rest.
    private func drain(on owner: isolated any Actor) {
        let entry = enter(owner)
        guard entry != .refused else {
            // The host is used elsewhere by now. Its user finds the envelopes.
            contents.withLock { $0.isWakeScheduled = false }
            return
        }
        defer { if entry == .unowned { leave() } }
        guard let tree else { return }
        guard !tree.isBusy else {
            wasWokenInVain = true
            return
        }
        tree.takeWaiting(within: DrainSlice(isTimed: !tree.isInVirtualTime))
        wakeAgainIfNeeded()
    }

    /// Wakes the owner once more if it was woken during a step, as can happen in a nested run loop.
    func comeToRest() {
        assert(tree == nil || tree?.isBusy == false && own.isEmpty)
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

    /// Ends the tree on its owner's isolation, because its host was released elsewhere. False
    /// leaves it to the caller.
    func shutDownOnOwner() -> Bool {
        guard let owner, !isRunning(on: owner) else { return false }
        Task(executorPreference: executor) { await self.shutDown(on: owner) }
        return true
    }

    private func shutDown(on owner: isolated any Actor) {
        tree?.shutDown()
    }
}

/// True on the main actor, whose thread need not be the main one, or on the main thread.
private func isOnMainActor() -> Bool { is_main_thread() || isRunning(on: MainActor.shared) }

private func isRunning(on actor: any Actor) -> Bool {
    // An `UnownedSerialExecutor` is two words: an object and its implementation.
    let (identity, implementation) = unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self)
    return workflow_current_executor_is(identity, implementation)
}

extension Actor {
    /// The address of the actor, for comparison only; never 0.
    fileprivate nonisolated var number: UInt {
        self === MainActor.shared
            ? Mailbox.mainActor : UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    }
}
