import Synchronization
import WorkflowKit

@testable import WorkflowStore

/// A store in memory: the promises of a store in the simplest form.
/// Several hosts use one by a ``MemorySessionStore`` each.
final class MemorySessionStore: SessionStore {
    fileprivate struct Session {
        var summary: SessionSummary
        /// The partition of a session with workers; 0 is nobody's.
        var partition: Int?
        var inputs: [Int: FlowInput] = [:]
        var snapshots: [Int: SessionSnapshot]
        var receipts: [String: Receipt] = [:]
        /// The steps kept by changes that dropped steps, by the resulting version.
        var cuts: [Int: Int] = [:]
    }

    /// Sessions whose workers one host runs.
    struct Partition: Sendable {
        var owner: Int
        /// Rises when another host takes it over.
        var epoch: Int
    }

    /// A promise that is broken on purpose.
    enum Flaw: CaseIterable, Sendable {
        /// A host binds sessions to a partition that another one has taken over.
        case noFence
        /// A change is appended whatever it is based on.
        case noVersionCheck
        /// The receipt of a request is not kept.
        case lostReceipt
        /// The first session is not reported to the host that takes over.
        case forgottenSession
    }

    struct State {
        fileprivate var sessions: [String: Session] = [:]
        fileprivate var code: [String: FlowCode] = [:]
        /// The last beats of hosts by number; 0 after one has left.
        var hosts: [Int: Int] = [:]
        var lastHost = 0
        var partitions: [Int: Partition] = [:]
        var lastPartition = 0
        /// The numbers of sessions changed by another host than the one that runs their workers.
        var notices: Set<Int> = []
        var lastNumber = 0
        var deletedVersion = 0

        fileprivate func session(_ id: String) throws(StoreError) -> Session {
            guard let session = sessions[id] else { throw .notFound(id) }
            return session
        }
    }

    private final class Contents: Sendable {
        let state = Mutex(State())
        let patience: Int
        let now: @Sendable () -> Int
        let flaw: Flaw?

        init(patience: Duration, now: @escaping @Sendable () -> Int, flaw: Flaw?) {
            self.patience = Int(patience / .milliseconds(1))
            self.now = now
            self.flaw = flaw
        }
    }

    /// A host: its number, and the partition of the sessions whose workers it starts.
    struct Host: Sendable {
        var number: Int?
        var partition: (number: Int, epoch: Int)?
        var hasOthers = false
        /// True after a call whose outcome is unknown.
        var isUnsure = false
    }

    private let contents: Contents
    private let host = Mutex(Host())

    /// A host loses its partitions when its last beat is `patience` old. `now` is in milliseconds.
    init(
        patience: Duration = .seconds(3600),
        now: @escaping @Sendable () -> Int = { 1_700_000_000_000 },
        flaw: Flaw? = nil
    ) { contents = Contents(patience: patience, now: now, flaw: flaw) }

    init(sharing other: MemorySessionStore) { contents = other.contents }

    /// The number of this host; `nil` if it does not beat.
    var number: Int? { host.withLock(\.number) }

    func withState<T: Sendable>(_ body: (inout State) -> T) -> T {
        contents.state.withLock { body(&$0) }
    }

    private func change<T: Sendable>(
        _ body: (inout State) throws(StoreError) -> T
    ) throws(StoreError) -> T {
        try contents.state.withLock { (state) throws(StoreError) in
            var draft = state
            let result = try body(&draft)
            state = draft
            return result
        }
    }

    /// The partition for a session whose workers a host starts; `nil` if it was taken over since.
    private func own(_ host: Host, in state: State) -> Int? {
        guard let own = host.partition, let known = state.partitions[own.number],
            known.epoch == own.epoch || contents.flaw == .noFence
        else { return nil }
        return own.number
    }

    var sender: Host { host.withLock(\.self) }

    private func summary(of session: Session, in state: State) -> SessionSummary {
        var summary = session.summary
        let owner = session.partition.flatMap { state.partitions[$0]?.owner }
        if let number, let holder = owner ?? (summary.wakeAt == nil ? nil : 0), holder != number {
            summary.holder = holder
        }
        return summary
    }

    func create(_ new: NewSession) throws(StoreError) -> SessionSummary {
        try create(new, by: sender)
    }

    /// Stores a session as a host that was known when the call was sent.
    func create(_ new: NewSession, by host: Host) throws(StoreError) -> SessionSummary {
        try new.validate()
        try new.receipt?.request.validate()
        _ = try StoredValue.text(of: new.document, "the snapshot")
        return try change { (state) throws(StoreError) in
            guard state.sessions[new.id] == nil else { throw .exists(new.id) }
            state.lastNumber += 1
            let summary = SessionSummary(
                id: new.id, number: state.lastNumber, flow: new.flow, code: new.code?.hash,
                version: state.deletedVersion + 1, change: new.change, step: 0, stepCount: 0,
                firstStep: 0,
                wakeAt: new.wakeAt, created: new.milliseconds, updated: new.milliseconds)
            var session = Session(
                summary: summary, partition: new.wakeAt == nil ? nil : own(host, in: state) ?? 0,
                snapshots: [0: SessionSnapshot(step: 0, document: new.document)])
            if summary.version > 1 { session.cuts[summary.version] = 0 }
            if var receipt = new.receipt {
                receipt.screen = summary.screen
                session.receipts[receipt.key] = receipt
            }
            if let code = new.code { try state.keep(code) }
            state.sessions[new.id] = session
            return summary
        }
    }

    func fork(_ id: String, to fork: SessionFork) throws(StoreError) -> SessionSummary {
        try NewSession.validate(id: fork.id)
        try fork.request?.validate()
        return try change { (state) throws(StoreError) in
            var session = try state.session(id)
            let steps = session.summary.steps
            let step = fork.step ?? session.summary.step
            guard steps.contains(step) else { throw .noSuchStep(step, of: id, kept: steps) }
            guard state.sessions[fork.id] == nil else { throw .exists(fork.id) }
            state.lastNumber += 1
            session.summary = SessionSummary(
                id: fork.id, number: state.lastNumber, flow: session.summary.flow,
                code: session.summary.code, version: state.deletedVersion + 1,
                change: .random(in: 0...UInt64.max),
                step: step, stepCount: step, firstStep: session.summary.firstStep, wakeAt: 0,
                created: fork.milliseconds, updated: fork.milliseconds)
            session.partition = own(sender, in: state) ?? 0
            session.cut(after: step)
            session.receipts = [:]
            let version = session.summary.version
            session.cuts = version > 1 ? [version: 0] : [:]
            if let request = fork.request {
                session.receipts[request.key] = Receipt(
                    key: request.key, digest: request.digest ?? 0, step: step, screen: version)
            }
            state.sessions[fork.id] = session
            return session.summary
        }
    }

    func append(
        _ change: SessionChange, to id: String, expecting version: Int
    ) throws(StoreError) -> Int { try append(change, to: id, expecting: version, by: sender) }

    func append(
        _ change: SessionChange, to id: String, expecting version: Int, by host: Host
    ) throws(StoreError) -> Int {
        for receipt in change.receipts { try receipt.request.validate() }
        for input in change.inputs { _ = try StoredInput(input) }
        return try self.change { (state) throws(StoreError) in
            var session = try state.session(id)
            guard session.summary.version == version || contents.flaw == .noVersionCheck,
                change.receipts.allSatisfy({ session.receipts[$0.key] == nil })
            else { throw .conflict(id) }
            let (step, stepCount) = (session.summary.step, session.summary.stepCount)
            if change.isAnotherScreen(from: step, of: stepCount, session.summary.code) {
                session.summary.screen = version + 1
            }
            if change.keeping < stepCount { session.cuts[version + 1] = change.keeping }
            session.cut(after: change.keeping)
            for (key, receipt) in session.receipts where receipt.step > change.keeping {
                if change.keeping < session.summary.stepCount {
                    session.receipts[key]?.isGivenUp = true
                }
            }
            for (index, input) in change.inputs.enumerated() {
                session.inputs[change.keeping + index + 1] = input
            }
            if let snapshot = change.snapshot { session.snapshots[snapshot.step] = snapshot }
            for var receipt in change.receipts where contents.flaw != .lostReceipt {
                receipt.screen = session.summary.screen
                session.receipts[receipt.key] = receipt
            }
            if let code = change.code {
                try state.keep(code)
                session.summary.code = code.hash
            }
            session.summary.version += 1
            session.summary.change = change.id
            session.summary.step = change.step
            session.summary.stepCount = change.stepCount
            session.summary.wakeAt = change.wakeAt
            let own = change.leavesWorkers ? nil : own(host, in: state)
            session.partition = change.wakeAt == nil ? nil : own ?? session.partition ?? 0
            if change.wakeAt != nil, own == nil { state.notices.insert(session.summary.number) }
            session.summary.firstStep = max(session.summary.firstStep, change.firstStep)
            session.summary.updated = change.milliseconds
            state.sessions[id] = session
            return version + 1
        }
    }

    func load(
        _ id: String, reaching step: Int?, through last: Int?
    ) throws(StoreError) -> SessionContents {
        let (session, summary) = try change { (state) throws(StoreError) in
            let session = try state.session(id)
            return (session, self.summary(of: session, in: state))
        }
        let (target, last) = (step ?? summary.step, last ?? summary.stepCount)
        for step in [target, last] where !summary.steps.contains(step) {
            throw .noSuchStep(step, of: id, kept: summary.steps)
        }
        let base = session.snapshots.keys.filter { $0 <= target }.max() ?? 0
        guard let snapshot = session.snapshots[base] else { throw .notFound(id) }
        return SessionContents(
            summary: summary, snapshot: snapshot,
            inputs: session.inputs.sorted { $0.key < $1.key }
                .filter { $0.key > base && $0.key <= last }.map(\.value))
    }

    func summary(of id: String) throws(StoreError) -> SessionSummary {
        try change { (state) throws(StoreError) in summary(of: try state.session(id), in: state) }
    }

    func receipts(_ keys: [String], of id: String) throws(StoreError) -> [Receipt] {
        withState { state in keys.compactMap { state.sessions[id]?.receipts[$0] } }
    }

    func keptStep(of id: String, since version: Int) throws(StoreError) -> Int? {
        withState { $0.sessions[id]?.cuts.filter { $0.key > version }.values.min() }
    }

    func list(flow: String?, after: String?, limit: Int) throws(StoreError) -> SessionPage {
        var end = Int.max
        if let after {
            guard let number = Int(after) else { throw .badPage(after.prefix(40)) }
            end = number
        }
        let found = withState { state in state.sessions.values.map { summary(of: $0, in: state) } }
            .filter { $0.number < end && (flow == nil || $0.flow == flow) }
            .sorted { $0.number > $1.number }
        let sessions = Array(found.prefix(limit))
        return SessionPage(
            sessions: sessions,
            next: found.count > limit ? sessions.last.map { "\($0.number)" } : nil)
    }

    func wakeUps() throws(StoreError) -> [WakeUp] {
        withState { $0.sessions.values.map(\.summary) }.compactMap { summary in
            summary.wakeAt.map { WakeUp(number: summary.number, milliseconds: $0) }
        }
    }

    func ids(of numbers: [Int]) throws(StoreError) -> [Int: String] {
        withState { state in
            let all = state.sessions.map { ($0.value.summary.number, $0.key) }
            return Dictionary(uniqueKeysWithValues: all).filter { numbers.contains($0.key) }
        }
    }

    func code(_ hash: String) throws(StoreError) -> FlowCode? { withState { $0.code[hash] } }

    func delete(_ id: String) throws(StoreError) {
        try change { (state) throws(StoreError) in
            guard let session = state.sessions.removeValue(forKey: id) else { throw .notFound(id) }
            state.notices.remove(session.summary.number)
            state.deletedVersion = max(state.deletedVersion, session.summary.version)
        }
    }

    func compact(_ id: String) throws(StoreError) {
        try change { (state) throws(StoreError) in
            var session = try state.session(id)
            let step = session.summary.step
            guard let latest = session.snapshots.keys.filter({ $0 <= step }).max() else { return }
            session.inputs = session.inputs.filter { $0.key > latest }
            session.snapshots = session.snapshots.filter { $0.key >= latest }
            session.summary.firstStep = latest
            state.sessions[id] = session
        }
    }
}

// The rules of the function `workflow.beat` in PostgreSQL.
extension MemorySessionStore: SharedSessionStore {
    func beat() throws(StoreError) -> StoreBeat {
        let (beat, next) = beat(by: beginBeat())
        endBeat(next)
        return beat
    }

    func beginBeat() -> Host {
        host.withLock { host in
            defer { host.isUnsure = false }
            return host
        }
    }

    func endBeat(_ next: Host) {
        host.withLock { host in
            let isUnsure = host.isUnsure
            host = next
            host.isUnsure = isUnsure
        }
    }

    func beat(by host: Host) -> (StoreBeat, Host) {
        withState { state in
            let now = contents.now()
            let me = state.register(host.number, at: now, within: contents.patience)
            var beat = StoreBeat(taken: state.takeOver(by: me.number, me.living))
            if contents.flaw == .forgottenSession, !beat.taken.isEmpty { beat.taken.removeFirst() }
            let own = state.ownPartition(of: me.number)
            beat.taken += state.adopt(into: own)
            if host.isUnsure { beat.taken = state.wakeUps(of: me.number) }
            beat.changed = state.takeNotices(of: me.number)
            beat.wasLate = host.number != nil && host.number != me.number
            let next = Host(
                number: me.number, partition: (own, state.partitions[own]?.epoch ?? 0),
                hasOthers: state.hosts.count > 1)
            return (beat, next)
        }
    }

    /// Has the next beat tell of all of this host's sessions, as the outcome of a call is unknown.
    func noteLostAnswer() { host.withLock { $0.isUnsure = true } }

    func changed(since versions: [String: Int]) throws(StoreError) -> [String] {
        withState { state in
            versions.filter { state.sessions[$0.key]?.summary.version != $0.value }
                .map(\.key).sorted()
        }
    }

    func leave() throws(StoreError) {
        let number = host.withLock { host in
            defer { host = Host() }
            return host.number
        }
        guard let number else { return }
        withState { if $0.hosts[number] != nil { $0.hosts[number] = 0 } }
    }

    func checkPlace() throws(StoreError) {}
    var hasOtherHosts: Bool { host.withLock(\.hasOthers) }
    var trouble: StoreError? { nil }
    var durability: [String: String] { [:] }
    func close() throws(StoreError) {}
}

extension MemorySessionStore.State {
    /// Renews the row of a host. One that was given up becomes a new host. Returns its number, and
    /// the last beats of hosts that are alive. One that was late itself cannot tell of the others,
    /// but for those that have left.
    fileprivate mutating func register(
        _ known: Int?, at now: Int, within patience: Int
    ) -> (number: Int, living: ClosedRange<Int>) {
        var living = (now - patience)...(now + patience)
        guard let known, let seen = hosts[known] else {
            lastHost += 1
            hosts[lastHost] = now
            return (lastHost, living)
        }
        if !living.contains(seen) { living = 1...Int.max }
        hosts[known] = now
        return (known, living)
    }

    fileprivate mutating func takeOver(by number: Int, _ living: ClosedRange<Int>) -> [WakeUp] {
        var gone: Set<Int> = []
        for (partition, known) in partitions {
            let seen = hosts[known.owner]
            if known.owner == number || seen.map(living.contains) == true { continue }
            partitions[partition] = .init(owner: number, epoch: known.epoch + 1)
            gone.insert(partition)
        }
        hosts = hosts.filter { $0.key == number || living.contains($0.value) }
        return wakeUps { $0.map(gone.contains) == true }
    }

    /// The partition for new workers, made by the first beat. Others without sessions are removed.
    fileprivate mutating func ownPartition(of number: Int) -> Int {
        let owned = partitions.filter { $0.value.owner == number }
        guard let own = owned.first(where: { $0.value.epoch == 1 })?.key else {
            lastPartition += 1
            partitions[lastPartition] = .init(owner: number, epoch: 1)
            return lastPartition
        }
        for other in owned.keys
        where other != own && !sessions.values.contains(where: { $0.partition == other }) {
            partitions[other] = nil
        }
        return own
    }

    /// Takes the sessions with workers that are nobody's.
    fileprivate mutating func adopt(into own: Int) -> [WakeUp] {
        let found = wakeUps { $0 == 0 }
        for id in sessions.keys where sessions[id]?.partition == 0 { sessions[id]?.partition = own }
        return found
    }

    private func wakeUps(_ isIncluded: (Int?) -> Bool) -> [WakeUp] {
        sessions.values.filter { isIncluded($0.partition) }.compactMap { session in
            session.summary.wakeAt.map { WakeUp(number: session.summary.number, milliseconds: $0) }
        }.sorted { $0.number < $1.number }
    }

    fileprivate func wakeUps(of number: Int) -> [WakeUp] {
        wakeUps { $0.map { partitions[$0]?.owner == number } == true }
    }

    fileprivate mutating func takeNotices(of number: Int) -> [Int] {
        let changed = sessions.values.filter { session in
            let owner = session.partition.flatMap { partitions[$0]?.owner }
            return notices.contains(session.summary.number) && (owner == nil || owner == number)
        }.map(\.summary.number).sorted()
        notices.subtract(changed)
        return changed
    }

    func inputs(of id: String) -> [Int: FlowInput] { sessions[id]?.inputs ?? [:] }

    func summary(of id: String) -> SessionSummary? { sessions[id]?.summary }

    var orphanCount: Int { sessions.values.count { ($0.partition ?? 0) == 0 } }
}

extension MemorySessionStore.Session {
    fileprivate mutating func cut(after step: Int) {
        inputs = inputs.filter { $0.key <= step }
        snapshots = snapshots.filter { $0.key <= step }
    }
}

extension MemorySessionStore.State {
    fileprivate mutating func keep(_ code: FlowCode) throws(StoreError) {
        if let known = self.code[code.hash], known != code {
            throw StoreError(.exists, "there are other files of this hash")
        }
        self.code[code.hash] = code
    }
}
