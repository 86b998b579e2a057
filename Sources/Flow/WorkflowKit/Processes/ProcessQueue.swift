/// What somebody gets who wants a process.
enum ProcessGrant: Sendable {
    /// They may have one.
    case granted
    /// They may have one as soon as this session has given up its own; `nil` if it is closed
    /// already.
    case inPlace(of: (any ProcessBorrower)?, ObjectIdentifier)
    /// They waited for too long.
    case refused
}

/// The sessions that have a process and those that wait for one. ``ScriptProcesses`` guards it.
///
/// Each use of a process belongs to a share: the principal whose request it is. The share that has
/// used the least time is next. One that was idle counts from now on, so nobody saves time up; one
/// whose scripts run until their limits waits until the others have used as much.
struct ProcessQueue {
    typealias Continuation = CheckedContinuation<ProcessGrant, Never>
    /// What somebody who waited is told, to be done without the lock.
    typealias Answer = (Continuation, ProcessGrant)

    private struct Loan {
        weak var session: (any ProcessBorrower)?
        /// How many use it at this moment: calls, and outputs of workers.
        var users: Int
        /// The share that pays for it, and since when.
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

    /// A session that gives up its process for another one, by their identities.
    private struct Handover {
        let from, to: ObjectIdentifier
        let share: String?
    }

    /// The least time that a use counts as, so that those who need little take turns.
    private static let least = Duration.milliseconds(1)

    private let limit: Int
    private let mostOfOne: Int
    private var loans: [ObjectIdentifier: Loan] = [:]
    /// The handovers at this moment. Until one has ended, neither of its sessions gets a process in
    /// another way: the one that gives up its own would give up that one, or the other would have
    /// two.
    private var handovers: [Handover] = []
    private var waiters: [Waiter] = []
    /// The time that shares have used, as far as it is more than that of the share that was last
    /// served.
    private var used: [String?: Duration] = [:]
    private var lastServed = Duration.zero
    private var lastNumber = 0
    private var useCount = 0
    private var waits = 0
    private var handoverCount = 0
    var deaths = 0

    /// - Parameter mostOfOne: The maximum number of processes at work for one share that is not
    ///   `nil`.
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

    /// What a session gets without waiting; `nil` if it has to wait, or others came first.
    mutating func grantAtOnce(
        to session: any ProcessBorrower, of share: String?, at now: Duration
    ) -> ProcessGrant? {
        // Those who wait while there is room wait for their own share.
        guard
            waiters.isEmpty || !waiters.contains(where: { $0.share == share }) && !isAtWork(session)
        else { return nil }
        return grant(to: session, of: share, at: now)
    }

    /// A number for somebody who is going to wait.
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
        // There may be room since it was asked.
        return serve(at: now)
    }

    /// Takes somebody out of the queue who has waited for too long.
    mutating func giveUp(_ number: Int) -> [Answer] {
        guard let index = waiters.firstIndex(where: { $0.number == number }) else { return [] }
        return [(waiters.remove(at: index).continuation, .refused)]
    }

    // MARK: Giving back

    /// Notes that a session has a use less for its process.
    mutating func giveBack(_ session: ObjectIdentifier, at now: Duration) -> [Answer] {
        guard var loan = loans[session] else { return [] }
        useCount += 1
        loan.users -= 1
        loan.lastUse = useCount
        loans[session] = loan
        guard loan.users == 0 else { return [] }
        charge(loan.share, now - loan.since)
        return serve(at: now)
    }

    /// Notes that a session has the process that another one has given up.
    mutating func finishHandover(
        from other: ObjectIdentifier, to session: any ProcessBorrower, of share: String?,
        at now: Duration
    ) -> [Answer] {
        handovers.removeAll { $0.from == other }
        lend(to: session, of: share, at: now)
        return serve(at: now)
    }

    /// Notes that a session is closed.
    mutating func leave(_ session: ObjectIdentifier, at now: Duration) -> [Answer] {
        if let loan = loans.removeValue(forKey: session), loan.users > 0 {
            charge(loan.share, now - loan.since)
        }
        // What is under way finds that it is closed.
        let left = waiters.filter { ObjectIdentifier($0.session) == session }
        waiters.removeAll { ObjectIdentifier($0.session) == session }
        return left.map { ($0.continuation, .granted) } + serve(at: now)
    }

    // MARK: Deciding

    /// Grants what those get whose turn it is.
    private mutating func serve(at now: Duration) -> [Answer] {
        var answers: [Answer] = []
        while let (index, grant) = nextGrant(at: now) {
            answers.append((waiters.remove(at: index).continuation, grant))
        }
        return answers
    }

    /// The next grant, and who gets it: the first of the share that has used the least time, among
    /// those that may have another process.
    private mutating func nextGrant(at now: Duration) -> (index: Int, grant: ProcessGrant)? {
        var first: [String?: Int] = [:]
        for (index, waiter) in waiters.enumerated() where first[waiter.share] == nil {
            first[waiter.share] = index
        }
        // Of two that have used as much, the one that came first.
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

    /// What a session gets if it is its turn; `nil` while all processes, or enough of its share,
    /// are at work.
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

    /// The processes that work for a share.
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
    }

    // MARK: The time of shares

    private func time(of share: String?) -> Duration { max(used[share] ?? .zero, lastServed) }

    private mutating func charge(_ share: String?, _ time: Duration) {
        used[share] = self.time(of: share) + time
        // The others would begin anew in any case.
        if used.count > 1024 { used = used.filter { $0.value > lastServed } }
    }
}
