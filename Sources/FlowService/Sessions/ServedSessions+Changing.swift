import FlowServing
import HTTPServing
import PlainValue
import WorkflowStore

extension ServedSessions {
    /// A move to another step.
    enum Move: Sendable {
        case undo, redo
        case step(Int)

        /// The move as a flow's `access` gets it.
        var document: Value {
            switch self {
            case .undo: ["do": "undo"]
            case .redo: ["do": "redo"]
            case .step(let step): ["do": "goto", "step": .int(step)]
            }
        }
    }

    /// The most attempts of a request if another service changes the session meanwhile.
    private static let attempts = 8

    /// Sends an action or new props to a session.
    ///
    /// - Throws: A ``Problem``. For a stored input that cannot be rendered it has the session as a member, each time that
    ///   the request is repeated.
    func take(
        _ call: FlowCall, in id: String, _ circumstances: Circumstances
    ) async throws(Problem) -> SessionMoment {
        let principal = circumstances.principal
        let moment = try await change(id, circumstances) { session in
            try await session.answer(circumstances.key, expecting: circumstances.tags) { session in
                try session.require(principal, call.document)
                try call.take(in: session, by: principal.inputName)
            }
        }
        guard let failure = moment.failure else { return moment }
        var problem = Problem(failure)
        problem.members["session"] = .record(moment.answer(of: id))
        throw problem
    }

    /// Goes to another step.
    func move(
        _ move: Move, in id: String, _ circumstances: Circumstances
    ) async throws(Problem) -> SessionMoment {
        try await change(id, circumstances) { session in
            try await session.perform { session in
                try session.require(circumstances.principal, move.document)
            }
            let (key, tags) = (circumstances.key, circumstances.tags)
            return switch move {
            case .undo: try await session.undo(key: key, expecting: tags)
            case .redo: try await session.redo(key: key, expecting: tags)
            case .step(let target): try await session.go(to: target, key: key, expecting: tags)
            }
        }
    }

    /// Changes a session, again if another service changed it in the store meanwhile.
    private func change(
        _ id: String, _ circumstances: Circumstances,
        _ body: @escaping @Sendable (StoredSession) async throws -> SessionMoment
    ) async throws(Problem) -> SessionMoment {
        do {
            return try await once(id, circumstances) {
                try await self.queues.with(id) { try await self.attempt(id, body) }
            }
        } catch  where error.code == "other_step" {
            // The answer includes the current state.
            var problem = error
            let now = try await document(of: id, for: circumstances.principal)
            problem.members["session"] = .record(now)
            throw problem
        }
    }

    private func attempt(
        _ id: String, _ body: @escaping @Sendable (StoredSession) async throws -> SessionMoment
    ) async throws -> SessionMoment {
        var attempt = 1
        while true {
            do {
                return try await pool.resume(id, body)
            } catch let error as StoreError
                where error.code == .conflict && attempt < Self.attempts
            {
                attempt += 1
            }
        }
    }
}
