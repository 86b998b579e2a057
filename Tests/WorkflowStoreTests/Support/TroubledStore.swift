import Synchronization
import WorkflowStore

/// A store that fails on demand, and lets a test wait for its calls.
final class TroubledStore: SessionStore {
    enum Trouble: Hashable, Sendable {
        /// Nothing is stored, and the call fails.
        case fails(StoreError)
        /// The change is stored, but the call fails.
        case failsAfterwards(StoreError)
        /// The call waits until ``TroubledStore/release()``.
        case isSilent
    }

    private struct State {
        var appendFailure: StoreError?
        var loadFailure: StoreError?
        var isHeld = false
        var held: [CheckedContinuation<Void, Never>] = []
        var asked: [CheckedContinuation<Void, Never>] = []
        var calls = 0
        var appends = 0
        /// The troubles of calls, by their numbers.
        var troubles: [Int: Trouble] = [:]
    }

    let base: any SessionStore
    private let state = Mutex(State())

    init(_ base: any SessionStore) { self.base = base }

    func failAppends(_ error: StoreError?) { state.withLock { $0.appendFailure = error } }
    func failLoads(_ error: StoreError?) { state.withLock { $0.loadFailure = error } }
    func hold() { state.withLock { $0.isHeld = true } }
    /// Sets what happens to the next calls, numbered from 0.
    func trouble(_ troubles: [Int: Trouble]) {
        state.withLock { state in
            state.calls = 0
            state.troubles = troubles
        }
    }

    /// The number of calls since ``trouble(_:)``.
    var callCount: Int { state.withLock { $0.calls } }
    var appendCount: Int { state.withLock { $0.appends } }

    func release() {
        let held = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.isHeld = false
            defer { state.held = [] }
            return state.held
        }
        for waiter in held { waiter.resume() }
    }

    func untilHeld() async {
        await withCheckedContinuation { waiter in
            let isHeld = state.withLock { state -> Bool in
                if state.held.isEmpty { state.asked.append(waiter) }
                return !state.held.isEmpty
            }
            if isHeld { waiter.resume() }
        }
    }

    var isSilent: Bool { state.withLock { !$0.held.isEmpty } }

    private func wait(if isHeld: (State) -> Bool) async {
        await withCheckedContinuation { waiter in
            typealias Waiters = [CheckedContinuation<Void, Never>]
            let ready = state.withLock { state -> Waiters in
                guard isHeld(state) else { return [waiter] }
                state.held.append(waiter)
                defer { state.asked = [] }
                return state.asked
            }
            for waiter in ready { waiter.resume() }
        }
    }

    private func troubled<T>(
        _ body: () async throws(StoreError) -> T
    ) async throws(StoreError) -> T {
        let trouble = state.withLock { state in
            defer { state.calls += 1 }
            return state.troubles[state.calls]
        }
        switch trouble {
        case .fails(let error)?: throw error
        case .isSilent?: await wait { _ in true }
        case .failsAfterwards(let error)?:
            _ = try await body()
            throw error
        case nil: break
        }
        return try await body()
    }

    func append(
        _ change: SessionChange, to id: String, expecting version: Int
    ) async throws(StoreError) -> Int {
        state.withLock { $0.appends += 1 }
        await wait(if: \.isHeld)
        if let failure = state.withLock({ $0.appendFailure }) { throw failure }
        return try await troubled { () throws(StoreError) in
            try await base.append(change, to: id, expecting: version)
        }
    }

    func load(
        _ id: String, reaching step: Int?, through last: Int?
    ) async throws(StoreError) -> SessionContents {
        if let failure = state.withLock({ $0.loadFailure }) { throw failure }
        return try await troubled { () throws(StoreError) in
            try await base.load(id, reaching: step, through: last)
        }
    }

    func create(_ session: NewSession) async throws(StoreError) -> SessionSummary {
        try await troubled { () throws(StoreError) in try await base.create(session) }
    }

    func summary(of id: String) async throws(StoreError) -> SessionSummary {
        try await troubled { () throws(StoreError) in try await base.summary(of: id) }
    }

    func receipts(_ keys: [String], of id: String) async throws(StoreError) -> [Receipt] {
        try await troubled { () throws(StoreError) in try await base.receipts(keys, of: id) }
    }

    func fork(_ id: String, to fork: SessionFork) async throws(StoreError) -> SessionSummary {
        try await base.fork(id, to: fork)
    }

    func list(flow: String?, after: String?, limit: Int) async throws(StoreError) -> SessionPage {
        try await base.list(flow: flow, after: after, limit: limit)
    }

    func keptStep(of id: String, since version: Int) async throws(StoreError) -> Int? {
        try await base.keptStep(of: id, since: version)
    }

    func wakeUps() async throws(StoreError) -> [WakeUp] { try await base.wakeUps() }
    func ids(of numbers: [Int]) async throws(StoreError) -> [Int: String] {
        try await base.ids(of: numbers)
    }
    func code(_ hash: String) async throws(StoreError) -> FlowCode? { try await base.code(hash) }
    func delete(_ id: String) async throws(StoreError) { try await base.delete(id) }
    func compact(_ id: String) async throws(StoreError) { try await base.compact(id) }
}
