import Synchronization
import WorkflowKit

/// A call in a session, and its waiting caller.
final class SessionCall: Sendable {
    /// The moment after the call, also if it failed and what it did before is kept.
    typealias Outcome = Result<SessionMoment, any Error>

    private enum State {
        case new
        case waiting(CheckedContinuation<Outcome, Never>)
        case underWay(CheckedContinuation<Outcome, Never>)
        /// The caller was answered or cancelled.
        case answered
    }

    let key: RequestKey?
    /// True if a snapshot is stored with the effects.
    let makesSnapshot: Bool
    /// True if the call changes the flow's files, so that the earlier steps belong to other files.
    let takesOver: Bool
    /// True if this is the last call of a change: its answer shows the version of that change, and
    /// a step that it goes back from comes again with another version only.
    let isLast: Bool
    /// True if the body may run scripts.
    let runsScripts: Bool
    /// The share that pays for the script process; see ``ScriptProcesses/share``.
    let share = ScriptProcesses.share
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

    /// A call without a body, which stores the pending effects.
    static func nothing(makingSnapshot: Bool = false) -> SessionCall {
        SessionCall(nil, makesSnapshot: makingSnapshot, isLast: true, runsScripts: false) { _, _ in
        }
    }

    /// - Parameter enqueue: Called when the call may start.
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

    /// Starts the call. Returns false if the caller was cancelled.
    func begin() -> Bool {
        state.withLock { state in
            guard case .waiting(let caller) = state else { return false }
            state = .underWay(caller)
            return true
        }
    }

    /// Answers the caller, unless it was answered before.
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

    /// Answers a cancelled caller. A call that has not started never runs. The effects of one that
    /// has started are still stored if possible.
    func cancel(in id: String) {
        let isUnderWay = state.withLock { state in
            if case .underWay = state { return true }
            if case .new = state { state = .answered }
            return false
        }
        answer(.failure(isUnderWay ? StoreError.unknown(id) : CancellationError()))
    }
}

/// A session's position in the store's step numbers.
struct SessionPlace: Sendable {
    /// The first step in memory.
    let base: Int
    let first: Int
    let step: Int
    let stepCount: Int
    let screen: SessionScreen
}
