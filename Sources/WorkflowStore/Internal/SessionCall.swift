import Synchronization
import WorkflowKit

/// Something that is to be done in a session, and the caller who waits for what comes of it.
final class SessionCall: Sendable {
    typealias Outcome = Result<SessionMoment, any Error>

    private enum State {
        /// Nobody waits yet.
        case new
        case waiting(CheckedContinuation<Outcome, Never>)
        case underWay(CheckedContinuation<Outcome, Never>)
        /// The caller has an answer, or wants none.
        case answered
    }

    /// The request that it is part of.
    let key: RequestKey?
    /// Whether a snapshot is to be kept with what comes of it.
    let makesSnapshot: Bool
    /// Whether the flow's files are others after it, so that the steps before are not theirs.
    let takesOver: Bool
    /// Whether it is the last one of a change: so its answer tells the version that it shows.
    let isLast: Bool
    /// Whether the body may run scripts.
    let runsScripts: Bool
    let body: @Sendable (isolated FlowSession, SessionPlace) throws -> Void
    private let state = Mutex(State.new)

    init(
        _ key: RequestKey?, makesSnapshot: Bool = false, takesOver: Bool = false,
        isLast: Bool = false, runsScripts: Bool = true,
        _ body: @escaping @Sendable (isolated FlowSession, SessionPlace) throws -> Void
    ) {
        self.key = key
        self.makesSnapshot = makesSnapshot
        self.takesOver = takesOver
        self.isLast = isLast
        self.runsScripts = runsScripts
        self.body = body
    }

    /// A call that does nothing, so that what came by itself is kept.
    static func nothing(makingSnapshot: Bool = false) -> SessionCall {
        SessionCall(nil, makesSnapshot: makingSnapshot, isLast: true, runsScripts: false) { _, _ in
        }
    }

    /// Waits for the answer.
    ///
    /// - Parameter enqueue: Called when the call is ready to be begun.
    func outcome(
        isolation: isolated (any Actor)? = #isolation, _ enqueue: () -> Void
    ) async -> Outcome {
        await withCheckedContinuation { caller in
            let isNew = state.withLock { state in
                guard case .new = state else { return false }
                state = .waiting(caller)
                return true
            }
            if isNew { enqueue() } else { caller.resume(returning: .failure(CancellationError())) }
        }
    }

    /// Begins with it.
    ///
    /// - Returns: Whether it is still wanted.
    func begin() -> Bool {
        state.withLock { state in
            guard case .waiting(let caller) = state else { return false }
            state = .underWay(caller)
            return true
        }
    }

    /// Gives the caller the answer, unless there was one before.
    func answer(_ outcome: Outcome) {
        let caller = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            defer { state = .answered }
            switch state {
            case .new, .answered: return nil
            case .waiting(let caller), .underWay(let caller): return caller
            }
        }
        caller?.resume(returning: outcome)
    }

    /// Answers a caller who was cancelled: what was not begun is never done, what was begun is kept if the store keeps it.
    func cancel(in id: String) {
        let isUnderWay = state.withLock { state in
            if case .underWay = state { return true }
            if case .new = state { state = .answered }
            return false
        }
        answer(.failure(isUnderWay ? StoreError.unknown(id) : CancellationError()))
    }
}

/// Where a session stands, with the steps counted as the store counts them.
struct SessionPlace: Sendable {
    /// The first step that is in memory.
    let base: Int
    /// The first step that can be gone back to.
    let first: Int
    let step: Int
    let stepCount: Int
}
