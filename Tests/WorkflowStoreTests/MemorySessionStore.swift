import Synchronization
import WorkflowKit

@testable import WorkflowStore

/// A store in memory: the promises of a store in the simplest form.
final class MemorySessionStore: SessionStore {
    fileprivate struct Session {
        var summary: SessionSummary
        /// The inputs by the steps they lead to.
        var inputs: [Int: FlowInput] = [:]
        /// The snapshots by step.
        var snapshots: [Int: SessionSnapshot]
        var receipts: [String: Receipt] = [:]
        /// The steps kept by changes that dropped steps, by the resulting version.
        var cuts: [Int: Int] = [:]
    }

    fileprivate struct State {
        var sessions: [String: Session] = [:]
        var code: [String: FlowCode] = [:]
        var lastNumber = 0
        /// The highest version of a deleted session.
        var deletedVersion = 0

        func session(_ id: String) throws(StoreError) -> Session {
            guard let session = sessions[id] else { throw .notFound(id) }
            return session
        }
    }

    private let state = Mutex(State())

    private func change<T: Sendable>(
        _ body: (inout State) throws(StoreError) -> T
    ) throws(StoreError) -> T {
        try state.withLock { (state) throws(StoreError) in
            var draft = state
            let result = try body(&draft)
            state = draft
            return result
        }
    }

    func create(_ new: NewSession) async throws(StoreError) -> SessionSummary {
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
                summary: summary, snapshots: [0: SessionSnapshot(step: 0, document: new.document)])
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

    func fork(_ id: String, to fork: SessionFork) async throws(StoreError) -> SessionSummary {
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
            session.cut(after: step)
            session.receipts = [:]
            let version = session.summary.version
            session.cuts = version > 1 ? [version: 0] : [:]
            if let request = fork.request {
                session.receipts[request.key] = Receipt(
                    key: request.key, digest: request.digest, step: step, screen: version)
            }
            state.sessions[fork.id] = session
            return session.summary
        }
    }

    func append(
        _ change: SessionChange, to id: String, expecting version: Int
    ) async throws(StoreError) -> Int {
        for receipt in change.receipts { try receipt.request.validate() }
        for input in change.inputs { _ = try StoredInput(input) }
        return try self.change { (state) throws(StoreError) in
            var session = try state.session(id)
            guard session.summary.version == version,
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
            for var receipt in change.receipts {
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
            session.summary.firstStep = max(session.summary.firstStep, change.firstStep)
            session.summary.updated = change.milliseconds
            state.sessions[id] = session
            return version + 1
        }
    }

    func load(
        _ id: String, reaching step: Int?, through last: Int?
    ) async throws(StoreError) -> SessionContents {
        let session = try state.withLock { (state) throws(StoreError) in try state.session(id) }
        let summary = session.summary
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

    func summary(of id: String) async throws(StoreError) -> SessionSummary {
        try state.withLock { (state) throws(StoreError) in try state.session(id).summary }
    }

    func receipts(_ keys: [String], of id: String) async throws(StoreError) -> [Receipt] {
        state.withLock { state in keys.compactMap { state.sessions[id]?.receipts[$0] } }
    }

    func keptStep(of id: String, since version: Int) async throws(StoreError) -> Int? {
        state.withLock { $0.sessions[id]?.cuts.filter { $0.key > version }.values.min() }
    }

    func list(
        flow: String?, after: String?, limit: Int
    ) async throws(StoreError) -> SessionPage {
        var end = Int.max
        if let after {
            guard let number = Int(after) else { throw .badPage(after) }
            end = number
        }
        let found = state.withLock { $0.sessions.values.map(\.summary) }
            .filter { $0.number < end && (flow == nil || $0.flow == flow) }
            .sorted { $0.number > $1.number }
        let sessions = Array(found.prefix(limit))
        return SessionPage(
            sessions: sessions,
            next: found.count > limit ? sessions.last.map { "\($0.number)" } : nil)
    }

    func wakeUps() async throws(StoreError) -> [WakeUp] {
        state.withLock { $0.sessions.values.map(\.summary) }.compactMap { summary in
            summary.wakeAt.map { WakeUp(number: summary.number, milliseconds: $0) }
        }
    }

    func ids(of numbers: [Int]) async throws(StoreError) -> [Int: String] {
        state.withLock { state in
            let all = state.sessions.map { ($0.value.summary.number, $0.key) }
            return Dictionary(uniqueKeysWithValues: all).filter { numbers.contains($0.key) }
        }
    }

    func code(_ hash: String) async throws(StoreError) -> FlowCode? {
        state.withLock { $0.code[hash] }
    }

    func delete(_ id: String) async throws(StoreError) {
        try change { (state) throws(StoreError) in
            guard let session = state.sessions.removeValue(forKey: id) else {
                throw .notFound(id)
            }
            state.deletedVersion = max(state.deletedVersion, session.summary.version)
        }
    }

    func compact(_ id: String) async throws(StoreError) {
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

extension MemorySessionStore.Session {
    /// Drops the steps after a step.
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
