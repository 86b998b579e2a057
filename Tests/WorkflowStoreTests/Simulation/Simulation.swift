import PlainValue
import WorkflowKit
import WorkflowStore

/// Several hosts on one store, clients that send actions to them, and faults, all by a seed.
/// `@unchecked Sendable` because only the scheduler's thread uses it, which the scheduler checks.
final class Simulation: @unchecked Sendable {
    struct Outcome {
        var violations: [String]
        /// Tells one run from another: made of all calls of the store and their times.
        var digest: UInt64
        var callCount: Int
        var jobCount: Int
        var answerCount: Int
        /// All that happened; empty unless it is wanted.
        var trace: [String]
    }

    private struct Sent {
        let session: String
        /// The last step of the session that was acknowledged when it was sent.
        let after: Int
        /// The answers: more than one if the client asked again, or took no notice of the first.
        var moments: [SessionMoment] = []
    }

    private static let places = 3
    private static let sessions = ["a", "b"]
    private static let clientCount = 3
    private static let actionCount = 5
    /// The time from which nothing fails.
    private static let calm = Duration.milliseconds(1800)
    /// The time that a host which was paused needs to find out.
    private static let awakening = Duration.milliseconds(300)
    /// The time that a client waits for an answer.
    private static let patience = Duration.milliseconds(1500)
    /// The time after which everything that was begun should be done.
    private static let end = Duration.seconds(60)

    private let scheduler: SeededScheduler
    private let store: MemorySessionStore
    private let duration: Duration
    private let keepsTrace: Bool
    private let limit: Int
    private let hasReaders: Bool
    private let hasFailures: Bool

    /// The hosts in their places; `nil` while one is gone.
    private var hosts: [SimulatedHost?]
    /// All that ever were, by their numbers.
    private var all: [Int: SimulatedHost] = [:]
    private var hostCount = 0
    private var workers: [String: [Int]] = [:]
    private var clientsAtWork = 0
    private var faultsUntil = Duration.zero
    private var sent: [String: Sent] = [:]
    private var acknowledged: [String: Int] = [:]
    private var violations: [String] = []
    private var trace: [String] = []
    private var digest = StableHash()
    private var callCount = 0
    private var isOver = false

    init(seed: UInt64, flaw: MemorySessionStore.Flaw? = nil, keepsTrace: Bool = false) throws {
        let scheduler = SeededScheduler(seed: seed)
        self.scheduler = scheduler
        self.keepsTrace = keepsTrace
        store = MemorySessionStore(
            patience: StoreBeat.patience,
            now: { 1_700_000_000_000 + Int(scheduler.time / .milliseconds(1)) }, flaw: flaw)
        duration = .milliseconds(scheduler.happens(oneOf: 4) ? 900 : 60)
        limit = scheduler.happens(oneOf: 2) ? 1 : 10
        hasReaders = scheduler.happens(oneOf: 4)
        hasFailures = scheduler.happens(oneOf: 3)
        hosts = Array(repeating: nil, count: Self.places)
    }

    /// Runs the simulation of a seed. To be called on a thread that may run scripts.
    static func run(
        _ seed: UInt64, flaw: MemorySessionStore.Flaw? = nil, keepsTrace: Bool = false
    ) throws -> Outcome { try Simulation(seed: seed, flaw: flaw, keepsTrace: keepsTrace).run() }

    private func run() -> Outcome {
        for place in hosts.indices { start(at: place) }
        for (number, session) in Self.sessions.enumerated() { create(session, number) }
        planFaults()
        let isSettled = scheduler.run(until: Self.end) { [self] in
            clientsAtWork == 0 && scheduler.time > max(faultsUntil, Self.calm)
                && !hosts.contains { $0 == nil } && hasNoWakeUps
        }
        if isSettled {
            for session in Self.sessions { finish(session) }
            scheduler.run(until: scheduler.time + .seconds(20)) { [self] in clientsAtWork == 0 }
        } else {
            violations.append("a wake-up was forgotten")
        }
        if clientsAtWork > 0 { violations.append("\(clientsAtWork) clients wait in vain") }
        check()
        let jobCount = scheduler.jobCount
        clear()
        return Outcome(
            violations: violations, digest: digest.value, callCount: callCount, jobCount: jobCount,
            answerCount: sent.values.count { !$0.moments.isEmpty }, trace: trace)
    }

    private var hasNoWakeUps: Bool {
        store.withState { state in
            Self.sessions.allSatisfy { id in state.summary(of: id).map { $0.wakeAt == nil } ?? false
            }
        }
    }

    private func tell(_ text: @autoclosure () -> String) {
        if isOver { return }
        let line = "\(scheduler.time / .microseconds(1)) \(text())"
        digest.add(line.utf8)
        if keepsTrace { trace.append(line) }
    }

    // MARK: Hosts

    private func start(at place: Int) {
        hostCount += 1
        let number = hostCount
        let host: SimulatedHost
        do {
            host = try SimulatedHost(
                scheduler, store, limit: limit, hasReaders: hasReaders, duration: duration,
                tell: { [unowned self] call in
                    callCount += 1
                    tell("\(place) \(call)")
                },
                onWork: { [unowned self] session, begins in
                    work(at: number, in: place, on: session, begins)
                })
        } catch { return violations.append("a host cannot start: \(error)") }
        all[number] = host
        if scheduler.time < Self.calm, hasFailures { host.link.failures = 40 }
        tell("\(place) starts")
        hosts[place] = host
    }

    /// Notes that a session's worker begins or ends at a host. No two hosts run it at a time, but
    /// for one that was paused or that no beat has told of others yet; see ``HostBeats``.
    private func work(at host: Int, in place: Int, on session: String, _ begins: Bool) {
        if isOver { return }
        guard begins else {
            let index = workers[session]?.firstIndex(of: host)
            if let index { workers[session]?.remove(at: index) }
            return
        }
        let others = (workers[session] ?? []).filter { other in
            guard other != host, let other = all[other], !other.isDead, other.knowsOthers else {
                return false
            }
            return other.pausedUntil + Self.awakening < scheduler.time
        }
        let isExcused =
            all[host].map { host in
                host.pausedUntil + Self.awakening >= scheduler.time || !host.knowsOthers
            } ?? true
        if !others.isEmpty, !isExcused {
            tell("\(place) runs the worker of \(session), and so does another")
            violations.append("two hosts run the worker of \(session)")
        }
        workers[session, default: []].append(host)
    }

    private func end(_ host: SimulatedHost, at place: Int) {
        hosts[place] = nil
        let pause = scheduler.duration(50...900)
        hold(for: pause)
        scheduler.after(pause) { [self] in start(at: place) }
    }

    private func hold(for time: Duration) { faultsUntil = max(faultsUntil, scheduler.time + time) }

    private func planFaults() {
        // By then a beat has told each host of the others; see ``HostBeats``.
        for _ in 0..<(1 + scheduler.number(below: 4)) {
            scheduler.after(scheduler.duration(300...1700)) { [self] in fault() }
        }
        scheduler.after(Self.calm) { [self] in for host in hosts { host?.link.failures = nil } }
    }

    private func fault() {
        let place = scheduler.number(below: hosts.count)
        guard let host = hosts[place], host.isUp else { return }
        let time = scheduler.duration(500...2200)
        switch scheduler.number(below: 6) {
        case 0:
            tell("\(place) is killed")
            host.kill()
            end(host, at: place)
        case 1:
            tell("\(place) is told to end")
            host.stop { [self] in if hosts[place] === host { end(host, at: place) } }
        case 2:
            tell("\(place) pauses \(time)")
            hold(for: time)
            host.pause(for: time)
        case 3:
            tell("\(place) beats late \(time)")
            hold(for: time)
            host.link.beatDelay = time
        case 4:
            tell("\(place) is cut off \(time)")
            hold(for: time)
            host.link.cutUntil = scheduler.time + time
        default:
            tell("\(place) has a bad link")
            host.link.failures = 5
        }
    }

    /// Ends all that is left, so that it takes no memory.
    private func clear() {
        isOver = true
        for (_, host) in all.sorted(by: { $0.key < $1.key }) { host.end() }
        scheduler.run(until: scheduler.time + .seconds(100))
    }

    // MARK: Clients

    private func create(_ session: String, _ number: Int) {
        clientsAtWork += 1
        let order = SimulatedHost.Order(
            session: session, action: nil, key: RequestKey("create", digest: 0))
        send(order) { [self] _ in
            clientsAtWork -= 1
            // The clients begin when there is something to act on.
            for client in 0..<Self.clientCount where client % Self.sessions.count == number {
                clientsAtWork += 1
                goOn(client, at: session, 0)
            }
        }
    }

    private func goOn(_ client: Int, at session: String, _ number: Int) {
        if number == Self.actionCount {
            clientsAtWork -= 1
            return
        }
        let type = SimulatedFlow.types[scheduler.number(below: SimulatedFlow.types.count)]
        act(type, "\(client).\(number)", on: session) { [self] _ in
            scheduler.after(scheduler.duration(0...300)) { [self] in
                goOn(client, at: session, number + 1)
            }
        }
    }

    private func finish(_ session: String) {
        clientsAtWork += 1
        act("add", "last", on: session) { [self] _ in clientsAtWork -= 1 }
    }

    private func act(
        _ type: String, _ key: String, on session: String, then: @escaping @Sendable (Bool) -> Void
    ) {
        sent[session + key] = Sent(session: session, after: acknowledged[session] ?? 0)
        let order = SimulatedHost.Order(
            session: session, action: ["type": .string(type), "key": .string(session + key)],
            key: RequestKey(session + key, digest: 1))
        send(order, then: then)
    }

    /// Sends a request to host after host, until one says that it is done, or the client gives up.
    /// `then` is called with whether it was done.
    private func send(_ order: SimulatedHost.Order, then: @escaping @Sendable (Bool) -> Void) {
        // `@unchecked Sendable` as the simulation.
        final class Attempt: @unchecked Sendable { var isOpen = true }
        let attempt = Attempt()
        let end: @Sendable (Bool) -> Void = { [self] isDone in
            guard attempt.isOpen else { return }
            attempt.isOpen = false
            let losesInterest =
                !isDone && order.action != nil && scheduler.time < Self.calm
                && scheduler.happens(oneOf: 8)
            if isDone || losesInterest { return then(isDone) }
            scheduler.after(scheduler.duration(5...200)) { [self] in send(order, then: then) }
        }
        scheduler.after(Self.patience) { end(false) }
        // As a rule a host passes requests on to the one that runs the session's workers.
        let usual = Self.sessions.firstIndex(of: order.session) ?? 0
        let place = scheduler.happens(oneOf: 3) ? scheduler.number(below: hosts.count) : usual
        guard let host = hosts[place], host.isUp else {
            return scheduler.after(.milliseconds(1)) { end(false) }
        }
        host.take(order) { [self] answer in
            if isOver { return }
            scheduler.after(.milliseconds(1)) { [self] in
                switch answer {
                case .success(let moment):
                    if let moment { note(moment, to: order) }
                    end(true)
                case .failure(let error):
                    note(error, to: order)
                    end(false)
                }
            }
        }
    }

    private func note(_ moment: SessionMoment, to order: SimulatedHost.Order) {
        tell("\(order.key.key) is done: step \(moment.step)")
        sent[order.key.key]?.moments.append(moment)
        acknowledged[order.session] = max(acknowledged[order.session] ?? 0, moment.step)
    }

    private func note(_ error: any Error, to order: SimulatedHost.Order) {
        let code = (error as? StoreError)?.code
        tell("\(order.key.key) fails: \(code.map(\.rawValue) ?? "\(error)")")
        switch code {
        case .conflict?, .io?, .unknown?, .closed?: break
        default: violations.append("\(order.key.key) fails: \(error)")
        }
    }

    // MARK: Checking

    private func check() {
        for session in Self.sessions {
            let (summary, inputs) = store.withState {
                ($0.summary(of: session), $0.inputs(of: session))
            }
            guard let summary else {
                violations.append("there is no session \(session)")
                continue
            }
            check(session, summary, inputs)
        }
    }

    private func check(_ session: String, _ summary: SessionSummary, _ inputs: [Int: FlowInput]) {
        guard inputs.keys.sorted() == Array(1..<(summary.stepCount + 1)) else {
            violations.append("\(session) has the steps \(inputs.keys.sorted())")
            return
        }
        var flow = SimulatedFlow()
        var steps = [flow]
        for step in inputs.keys.sorted() {
            guard let input = inputs[step] else { continue }
            if let wrong = flow.play(input) { violations.append("\(session) \(step): \(wrong)") }
            steps.append(flow)
        }
        if !flow.isDone { violations.append("\(session) has workers that nobody runs") }
        for (key, sent) in sent where sent.session == session {
            check(key, sent, flow.keys.count { $0 == key }, steps)
        }
    }

    /// Checks what came of an action that is in the log a number of times. Its entries are by step.
    private func check(_ key: String, _ sent: Sent, _ count: Int, _ steps: [SimulatedFlow]) {
        if count > 1 { violations.append("\(key) was done \(count) times") }
        for moment in sent.moments {
            guard count > 0, steps.indices.contains(moment.step) else {
                violations.append("\(key) was acknowledged, and is lost")
                return
            }
            let flow = steps[moment.step]
            guard flow.keys.last == key, moment.rendering == flow.rendering,
                moment.outputs == [.int(flow.keys.count)]
            else {
                violations.append(
                    """
                    \(key) was answered \(moment.rendering.json) \(moment.outputs) at step \
                    \(moment.step), which the log does not give
                    """)
                return
            }
            if moment.step <= sent.after {
                violations.append("\(key) came before what was acknowledged when it was sent")
            }
        }
    }
}
