/// What somebody gets who wants a process.
enum ProcessGrant: Sendable {
    /// They may have one.
    case granted
    /// They may have one as soon as this session has given up its own; `nil` if it is closed already.
    case inPlace(of: (any ProcessBorrower)?)
    /// They waited for too long.
    case refused
}

/// Who has a process, and who waits for one: what ``ScriptProcesses`` guards.
struct ProcessQueue {
    typealias Continuation = CheckedContinuation<ProcessGrant, Never>
    /// What somebody who waited is told, to be done without the lock.
    typealias Answer = (Continuation, ProcessGrant)

    private struct Loan {
        weak var session: (any ProcessBorrower)?
        /// How many use it at this moment: calls, and outputs of workers.
        var users: Int
        var lastUse = 0
    }

    private struct Waiter {
        let number: Int
        let session: any ProcessBorrower
        let continuation: Continuation
    }

    private let limit: Int
    private var loans: [ObjectIdentifier: Loan] = [:]
    /// How many sessions give up their process for another one at this moment.
    private var handoverCount = 0
    private var waiters: [Waiter] = []
    private var lastNumber = 0
    private var useCount = 0
    private var waits = 0
    private var handovers = 0
    var deaths = 0

    init(limit: Int) { self.limit = limit }

    var counts: ScriptProcesses.Counts {
        .init(
            held: loans.count + handoverCount, lent: loans.values.count { $0.users > 0 },
            waiting: waiters.count, waits: waits, handovers: handovers, deaths: deaths)
    }

    // MARK: Asking

    /// What a session gets without waiting; `nil` if it has to wait, or others came first.
    mutating func grantAtOnce(to session: any ProcessBorrower) -> ProcessGrant? {
        waiters.isEmpty ? grant(to: session) : nil
    }

    /// A number for somebody who is going to wait.
    mutating func makeNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Puts a session at the end of the queue.
    mutating func wait(
        _ session: any ProcessBorrower, _ number: Int, _ continuation: Continuation
    ) -> [Answer] {
        waits += 1
        waiters.append(Waiter(number: number, session: session, continuation: continuation))
        // There may be room since it was asked.
        return serve()
    }

    /// Takes somebody out of the queue who has waited for too long.
    mutating func giveUp(_ number: Int) -> [Answer] {
        guard let index = waiters.firstIndex(where: { $0.number == number }) else { return [] }
        return [(waiters.remove(at: index).continuation, .refused)]
    }

    // MARK: Giving back

    /// Notes that a session has a use less for its process.
    mutating func giveBack(_ session: ObjectIdentifier) -> [Answer] {
        guard var loan = loans[session] else { return [] }
        useCount += 1
        loan.users -= 1
        loan.lastUse = useCount
        loans[session] = loan
        return loan.users == 0 ? serve() : []
    }

    /// Notes that a session has the process that another one has given up.
    mutating func finishHandover(to session: any ProcessBorrower) -> [Answer] {
        handoverCount -= 1
        // It may have got another one meanwhile, and room is left then.
        lend(to: session)
        return serve()
    }

    /// Notes that a session is closed.
    mutating func leave(_ session: ObjectIdentifier) -> [Answer] {
        loans[session] = nil
        // What is under way finds that it is closed.
        let left = waiters.filter { ObjectIdentifier($0.session) == session }
        waiters.removeAll { ObjectIdentifier($0.session) == session }
        return left.map { ($0.continuation, .granted) } + serve()
    }

    // MARK: Deciding

    /// Grants what those get who have waited for the longest time.
    private mutating func serve() -> [Answer] {
        var answers: [Answer] = []
        while let first = waiters.first, let grant = grant(to: first.session) {
            waiters.removeFirst()
            answers.append((first.continuation, grant))
        }
        return answers
    }

    /// What a session gets if it is its turn; `nil` while all processes are at work.
    private mutating func grant(to session: any ProcessBorrower) -> ProcessGrant? {
        if loans[ObjectIdentifier(session)] != nil || loans.count + handoverCount < limit {
            lend(to: session)
            return .granted
        }
        let idle = loans.filter { $0.value.users == 0 }.min { $0.value.lastUse < $1.value.lastUse }
        guard let idle else { return nil }
        loans[idle.key] = nil
        handoverCount += 1
        handovers += 1
        return .inPlace(of: idle.value.session)
    }

    private mutating func lend(to session: any ProcessBorrower) {
        loans[ObjectIdentifier(session), default: Loan(session: session, users: 0)].users += 1
    }
}
