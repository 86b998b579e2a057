import Synchronization
import WorkflowStore

/// A store that fails when it is told to, and lets a test wait for what is asked of it.
final class TroubledStore: SessionStore {
    private struct State {
        var appendFailure: StoreError?
        var loadFailure: StoreError?
        var isHeld = false
        var held: [CheckedContinuation<Void, Never>] = []
        var asked: [CheckedContinuation<Void, Never>] = []
    }

    let base: SQLiteSessionStore
    private let state = Mutex(State())

    init(_ base: SQLiteSessionStore) { self.base = base }

    func failAppends(_ error: StoreError?) { state.withLock { $0.appendFailure = error } }
    func failLoads(_ error: StoreError?) { state.withLock { $0.loadFailure = error } }
    /// From now on what is to be added waits.
    func hold() { state.withLock { $0.isHeld = true } }

    /// Lets what waits go on.
    func release() {
        let held = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.isHeld = false
            defer { state.held = [] }
            return state.held
        }
        for waiter in held { waiter.resume() }
    }

    /// Waits until something that is to be added waits.
    func untilHeld() async {
        await withCheckedContinuation { waiter in
            let isHeld = state.withLock { state -> Bool in
                if state.held.isEmpty { state.asked.append(waiter) }
                return !state.held.isEmpty
            }
            if isHeld { waiter.resume() }
        }
    }

    func append(
        _ change: SessionChange, to id: String, expecting version: Int
    ) async throws(StoreError) -> Int {
        await withCheckedContinuation { waiter in
            typealias Waiters = [CheckedContinuation<Void, Never>]
            let ready = state.withLock { state -> Waiters in
                guard state.isHeld else { return [waiter] }
                state.held.append(waiter)
                defer { state.asked = [] }
                return state.asked
            }
            for waiter in ready { waiter.resume() }
        }
        if let failure = state.withLock({ $0.appendFailure }) { throw failure }
        return try await base.append(change, to: id, expecting: version)
    }

    func load(_ id: String, reaching step: Int?) async throws(StoreError) -> SessionContents {
        if let failure = state.withLock({ $0.loadFailure }) { throw failure }
        return try await base.load(id, reaching: step)
    }

    func create(_ session: NewSession) async throws(StoreError) -> SessionSummary {
        try await base.create(session)
    }

    func summary(of id: String) async throws(StoreError) -> SessionSummary {
        try await base.summary(of: id)
    }

    func list() async throws(StoreError) -> [SessionSummary] { try await base.list() }
    func delete(_ id: String) async throws(StoreError) { try await base.delete(id) }
    func compact(_ id: String) async throws(StoreError) { try await base.compact(id) }
}
