import WorkflowStore

/// A host's link to the store: each call takes time, and may fail before or after it takes effect.
final class SimulatedStore: SharedSessionStore {
    let base: MemorySessionStore
    private let link: SimulatedLink

    init(_ base: MemorySessionStore, over link: SimulatedLink) {
        self.base = base
        self.link = link
    }

    private func call<T: Sendable>(
        _ name: String, shown: @escaping @Sendable (T) -> String = { _ in "done" },
        _ body: @escaping @Sendable (MemorySessionStore) throws(StoreError) -> T
    ) async throws(StoreError) -> T {
        let result = await withCheckedContinuation { waiting in
            link.ask(
                name, shown, onLoss: base.noteLostAnswer,
                { [base] in
                    do throws(StoreError) { return .success(try body(base)) } catch {
                        return .failure(error)
                    }
                }
            ) { waiting.resume(returning: $0) }
        }
        return try result.get()
    }

    func create(_ session: NewSession) async throws(StoreError) -> SessionSummary {
        let sender = base.sender
        return try await call("create \(session.id)") { base throws(StoreError) in
            try base.create(session, by: sender)
        }
    }

    func append(
        _ change: SessionChange, to id: String, expecting version: Int
    ) async throws(StoreError) -> Int {
        let name = """
            append \(id) \(version) \(change.keeping)+\(change.inputs.count) \
            \(change.snapshot == nil ? "" : "snapshot ")\(change.wakeAt.map { "\($0)" } ?? "-") \
            \(change.leavesWorkers ? "leaves" : "")
            """
        let sender = base.sender
        return try await call(name, shown: { "\($0)" }) { base throws(StoreError) in
            try base.append(change, to: id, expecting: version, by: sender)
        }
    }

    func load(
        _ id: String, reaching step: Int?, through last: Int?
    ) async throws(StoreError) -> SessionContents {
        try await call("load \(id)", shown: { "\($0.summary.version)" }) {
            base throws(StoreError) in try base.load(id, reaching: step, through: last)
        }
    }

    func summary(of id: String) async throws(StoreError) -> SessionSummary {
        try await call("summary \(id)", shown: { "\($0.version)" }) { base throws(StoreError) in
            try base.summary(of: id)
        }
    }

    func receipts(_ keys: [String], of id: String) async throws(StoreError) -> [Receipt] {
        try await call("receipts \(id)", shown: { "\($0.count)" }) { base throws(StoreError) in
            try base.receipts(keys, of: id)
        }
    }

    func keptStep(of id: String, since version: Int) async throws(StoreError) -> Int? {
        try await call("keptStep \(id)") { base throws(StoreError) in
            try base.keptStep(of: id, since: version)
        }
    }

    func ids(of numbers: [Int]) async throws(StoreError) -> [Int: String] {
        try await call("ids \(numbers)") { base throws(StoreError) in try base.ids(of: numbers) }
    }

    func code(_ hash: String) async throws(StoreError) -> FlowCode? {
        try await call("code") { base throws(StoreError) in try base.code(hash) }
    }

    func beat() async throws(StoreError) -> StoreBeat {
        let sender = base.beginBeat()
        let (beat, next) = try await call(
            SimulatedLink.beat,
            shown: { (beat: StoreBeat, _: MemorySessionStore.Host) in
                "\(beat.taken.map(\.number)) \(beat.changed)\(beat.wasLate ? " late" : "")"
            }
        ) { base throws(StoreError) in base.beat(by: sender) }
        base.endBeat(next)
        return beat
    }

    func changed(since versions: [String: Int]) async throws(StoreError) -> [String] {
        try await call("changed", shown: { "\($0)" }) { base throws(StoreError) in
            try base.changed(since: versions)
        }
    }

    func leave() async throws(StoreError) {
        try await call("leave") { base throws(StoreError) in try base.leave() }
    }

    var hasOtherHosts: Bool { base.hasOtherHosts }
    var trouble: StoreError? { nil }
    var durability: [String: String] { [:] }
    func checkPlace() throws(StoreError) {}
    func close() throws(StoreError) {}

    // The hosts of a simulation do not call these.

    func fork(_ id: String, to fork: SessionFork) throws(StoreError) -> SessionSummary {
        try base.fork(id, to: fork)
    }

    func list(flow: String?, after: String?, limit: Int) throws(StoreError) -> SessionPage {
        try base.list(flow: flow, after: after, limit: limit)
    }

    func wakeUps() throws(StoreError) -> [WakeUp] { try base.wakeUps() }
    func delete(_ id: String) throws(StoreError) { try base.delete(id) }
    func compact(_ id: String) throws(StoreError) { try base.compact(id) }
}

/// The way between a host and the store.
/// `@unchecked Sendable` because only the scheduler's thread uses it, which the scheduler checks.
final class SimulatedLink: @unchecked Sendable {
    static let beat = "beat"

    /// Of so many calls one fails before and one after it took effect; `nil` for none.
    var failures: Int?
    var beatDelay: Duration?
    var cutUntil = Duration.zero
    /// True at the end, when each call fails at once.
    var isOver = false
    private let scheduler: SeededScheduler
    private let tell: (String) -> Void

    /// - Parameter tell: Called with each call when it takes effect or fails.
    init(_ scheduler: SeededScheduler, tell: @escaping (String) -> Void) {
        self.scheduler = scheduler
        self.tell = tell
    }

    private func duration() -> Duration { .microseconds(100 + scheduler.number(below: 2000)) }

    func ask<T>(
        _ name: String, _ shown: @escaping (T) -> String, onLoss: @escaping () -> Void,
        _ body: @escaping () -> Result<T, StoreError>,
        _ answer: @escaping (Result<T, StoreError>) -> Void
    ) {
        scheduler.requireThread()
        if isOver { return answer(.failure(StoreError(.closed, "the simulation is over"))) }
        let lost = StoreError(.io, "the link to the store is broken")
        var (there, back) = (duration(), duration())
        let isCut = cutUntil > scheduler.time
        if isCut {
            let left = cutUntil - scheduler.time
            if scheduler.happens(oneOf: 2) { there += left } else { back += left }
        }
        if name == Self.beat, let delay = beatDelay {
            beatDelay = nil
            if scheduler.happens(oneOf: 2) { there += delay } else { back += delay }
        }
        let odds = isCut ? 4 : failures
        let fate = odds.map { scheduler.number(below: $0) }
        scheduler.after(there) { [self] in
            if fate == 0 {
                tell("\(name): lost")
                return scheduler.after(back) {
                    onLoss()
                    answer(.failure(lost))
                }
            }
            let result = body()
            let outcome =
                switch result {
                case .success(let value): shown(value)
                case .failure(let error): error.code.rawValue
                }
            tell("\(name): \(outcome)\(fate == 1 ? ", unknown" : "")")
            scheduler.after(back) {
                if fate == 1 { onLoss() }
                answer(fate == 1 ? .failure(lost) : result)
            }
        }
    }
}
