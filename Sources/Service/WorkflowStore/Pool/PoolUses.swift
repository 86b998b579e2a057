import Synchronization
import WorkflowKit

/// The functions that run with sessions of a pool, and the calls that wait for them. When a session
/// is given up, all who wait are answered at once.
final class PoolUses: Sendable {
    private struct State {
        var answers: [ObjectIdentifier: (subject: CallWatch.Subject, answer: any AwaitedAnswer)] =
            [:]
        /// The sessions that were given up, and the number of their stuck calls.
        var stuck: [CallWatch.Subject: Int] = [:]
    }

    private let state = Mutex(State())

    var stuckCount: Int { state.withLock { $0.stuck.values.reduce(0, +) } }

    /// Adds an answer that somebody waits for. Throws `stuck` if the session was given up.
    func add(_ answer: some AwaitedAnswer, of subject: CallWatch.Subject) throws(StoreError) {
        let isStuck = state.withLock { state in
            guard state.stuck.isEmpty || state.stuck[subject] == nil else { return true }
            state.answers[ObjectIdentifier(answer)] = (subject, answer)
            return false
        }
        if isStuck { throw .stuck(subject.session) }
    }

    func remove(_ answer: some AwaitedAnswer) {
        state.withLock { $0.answers[ObjectIdentifier(answer)] = nil }
    }

    /// Answers all who wait for a session, and refuses it until ``readmit(_:)``.
    func giveUp(_ subject: CallWatch.Subject) {
        let answers = state.withLock { state in
            state.stuck[subject, default: 0] += 1
            return state.answers.values.filter { $0.subject == subject }
        }
        for (_, answer) in answers { answer.fail(.stuck(subject.session)) }
    }

    func readmit(_ subject: CallWatch.Subject) {
        state.withLock { state in
            let left = (state.stuck[subject] ?? 1) - 1
            state.stuck[subject] = left == 0 ? nil : left
        }
    }
}

/// An answer that can be replaced by an error.
protocol AwaitedAnswer: AnyObject, Sendable {
    func fail(_ error: StoreError)
}

/// The answer of a function, which is given once. One task waits for it.
final class Answer<Value: Sendable>: AwaitedAnswer {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, any Error>)
        case given(Result<Value, any Error>)
        case taken
    }

    private let state = Mutex(State.open)

    func fail(_ error: StoreError) { give(.failure(error)) }

    /// Gives the answer, unless there is one.
    func give(_ answer: Result<Value, any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .open:
                state = .given(answer)
                return nil
            case .awaited(let waiting):
                state = .taken
                return waiting
            case .given, .taken: return nil
            }
        }
        waiting?.resume(with: answer)
    }

    func take() async throws -> Value {
        try await withCheckedThrowingContinuation { waiting in
            let given = state.withLock { state -> Result<Value, any Error>? in
                if case .given(let answer) = state {
                    state = .taken
                    return answer
                }
                state = .awaited(waiting)
                return nil
            }
            if let given { waiting.resume(with: given) }
        }
    }
}
