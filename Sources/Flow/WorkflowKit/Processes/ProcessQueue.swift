enum ProcessGrant: Sendable {
    case granted
    /// The session may have one once another has given up its own; `nil` if that one is closed.
    case inPlace(of: (any ProcessBorrower)?, ObjectIdentifier)
    /// The session waited for too long.
    case refused
}

/// The sessions that have a process and those that wait for one. ``ScriptProcesses`` guards it.
///
/// Each use belongs to a share: the principal whose request it is. The share that has used the
/// least time is next. An idle share counts from the time of the last one served, so idle time is
/// not saved up. One whose scripts run until their limits waits until others have used as much.
struct ProcessQueue {
    typealias Continuation = CheckedContinuation<ProcessGrant, Never>
    /// A continuation to resume with a grant, after the lock is released.
    typealias Answer = (Continuation, ProcessGrant)

    private struct Loan {
        weak var session: (any ProcessBorrower)?
        /// The number of current users: calls, and outputs of workers.
        var users: Int
        /// The share that pays for the process, and the time since which it does.
        var share: String?
        var since = Duration.zero
        var lastUse = 0
    }

    private struct Waiter {
        let number: Int
        let session: any ProcessBorrower
        let share: String?
        let continuation: Continuation
    }

    /// A handover of a process from one session to another, by their identities.
    private struct Handover {
        let from, to: ObjectIdentifier
        let share: String?
    }

    /// The least time that a use counts as, so that short uses take turns.
    private static let least = Duration.milliseconds(1)

    private let limit: Int
    private let mostOfOne: Int
    private var loans: [ObjectIdentifier: Loan] = [:]
    /// The current handovers. Until one has ended, its sessions get no process in another way: the
    /// first session would give up the new process as well, and the second would have two.
    private var handovers: [Handover] = []
    private var waiters: [Waiter] = []
    /// The used time of each share, if it is more than that of the share that was last served.
    private var used: [String?: Duration] = [:]
    private var lastServed = Duration.zero
    private var lastNumber = 0
    private var useCount = 0
    private var waits = 0
    private var handoverCount = 0
    var deaths = 0

    /// - Parameter mostOfOne: The maximum number of busy processes for one share that is not `nil`.
    init(limit: Int, mostOfOne: Int) {
        self.limit = limit
        self.mostOfOne = mostOfOne
    }

    var counts: ScriptProcesses.Counts {
        .init(
            held: loans.count + handovers.count, lent: loans.values.count { $0.users > 0 },
            waiting: waiters.count, waits: waits, handovers: handoverCount, deaths: deaths)
    }

    // MARK: Asking

    /// The grant for a session that need not wait; `nil` if it has to, or if others came first.
    mutating func grantAtOnce(
        to session: any ProcessBorrower, of share: String?, at now: Duration
    ) -> ProcessGrant? {
        // A session that waits although there is room is at its share's limit, and holds up none.
        guard
            waiters.isEmpty || !waiters.contains(where: { $0.share == share }) && !isAtWork(session)
        else { return nil }
        return grant(to: session, of: share, at: now)
    }

    mutating func makeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Puts a session at the end of its share's queue.
    mutating func wait(
        _ session: any ProcessBorrower, of share: String?, _ number: Int,
        _ continuation: Continuation, at now: Duration
    ) -> [Answer] {
        waits += 1
        waiters.append(
            Waiter(number: number, session: session, share: share, continuation: continuation))
        // A process may have become free since the session asked.
        return serve(at: now)
    }

    /// Removes a session from the queue that has waited for too long.
    mutating func giveUp(_ number: Int) -> [Answer] {
        guard let index = waiters.firstIndex(where: { $0.number == number }) else { return [] }
        return [(waiters.remove(at: index).continuation, .refused)]
    }

    // MARK: Giving back

    mutating func giveBack(_ session: ObjectIdentifier, at now: Duration) -> [Answer] {
        guard var loan = loans[session] else { return [] }
        assert(loan.users > 0)
        useCount += 1
        loan.users -= 1
        loan.lastUse = useCount
        loans[session] = loan
        guard loan.users == 0 else { return [] }
        charge(loan.share, now - loan.since)
        return serve(at: now)
    }

    /// Ends a handover: the other session has given up its process.
    mutating func finishHandover(
        from other: ObjectIdentifier, to session: any ProcessBorrower, of share: String?,
        at now: Duration
    ) -> [Answer] {
        handovers.removeAll { $0.from == other }
        lend(to: session, of: share, at: now)
        return serve(at: now)
    }

    mutating func leave(_ session: ObjectIdentifier, at now: Duration) -> [Answer] {
        if let loan = loans.removeValue(forKey: session), loan.users > 0 {
            charge(loan.share, now - loan.since)
        }
        // A waiting call continues, and finds its session closed.
        let left = waiters.filter { ObjectIdentifier($0.session) == session }
        waiters.removeAll { ObjectIdentifier($0.session) == session }
        return left.map { ($0.continuation, .granted) } + serve(at: now)
    }

    // MARK: Deciding

    /// Makes all grants that are possible now.
    private mutating func serve(at now: Duration) -> [Answer] {
        var answers: [Answer] = []
        while let (index, grant) = nextGrant(at: now) {
            answers.append((waiters.remove(at: index).continuation, grant))
        }
        return answers
    }

    /// The next grant and the waiter that gets it: the first one of the share that has used the
    /// least time, among the shares that may have another process.
    private mutating func nextGrant(at now: Duration) -> (index: Int, grant: ProcessGrant)? {
        var first: [String?: Int] = [:]
        for (index, waiter) in waiters.enumerated() where first[waiter.share] == nil {
            first[waiter.share] = index
        }
        // Shares that have used as much are served in the order of arrival.
        let turns = first.sorted {
            (time(of: $0.key), waiters[$0.value].number) < (
                time(of: $1.key), waiters[$1.value].number
            )
        }
        for (share, index) in turns {
            if let grant = grant(to: waiters[index].session, of: share, at: now) {
                return (index, grant)
            }
        }
        return nil
    }

    /// The grant for a session in its turn; `nil` while all or its share's processes are busy.
    private mutating func grant(
        to session: any ProcessBorrower, of share: String?, at now: Duration
    ) -> ProcessGrant? {
        if isAtWork(session) {
            lend(to: session, of: share, at: now)
            return .granted
        }
        let id = ObjectIdentifier(session)
        guard !handovers.contains(where: { $0.from == id || $0.to == id }) else { return nil }
        guard share == nil || processCount(of: share) < mostOfOne else { return nil }
        if loans[id] != nil || loans.count + handovers.count < limit {
            lend(to: session, of: share, at: now)
            return .granted
        }
        let idle = loans.filter { $0.value.users == 0 }.min { $0.value.lastUse < $1.value.lastUse }
        guard let idle else { return nil }
        loans[idle.key] = nil
        handovers.append(Handover(from: idle.key, to: id, share: share))
        handoverCount += 1
        return .inPlace(of: idle.value.session, idle.key)
    }

    private func isAtWork(_ session: any ProcessBorrower) -> Bool {
        (loans[ObjectIdentifier(session)]?.users ?? 0) > 0
    }

    private func processCount(of share: String?) -> Int {
        loans.values.count { $0.users > 0 && $0.share == share }
            + handovers.count { $0.share == share }
    }

    private mutating func lend(to session: any ProcessBorrower, of share: String?, at now: Duration)
    {
        let key = ObjectIdentifier(session)
        var loan = loans[key] ?? Loan(session: session, users: 0)
        if loan.users == 0 {
            (loan.share, loan.since) = (share, now)
            lastServed = time(of: share)
            charge(share, Self.least)
        }
        loan.users += 1
        loans[key] = loan
        assert(loans.count + handovers.count <= limit)
    }

    // MARK: The time of shares

    private func time(of share: String?) -> Duration { max(used[share] ?? .zero, lastServed) }

    private mutating func charge(_ share: String?, _ time: Duration) {
        used[share] = self.time(of: share) + time
        // A share below the last served time counts as that time anyway.
        if used.count > 1024 { used = used.filter { $0.value > lastServed } }
    }
}
