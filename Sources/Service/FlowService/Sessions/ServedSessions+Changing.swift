import FlowProtocol
import HTTPServing
import PlainValue
import Workflow
import WorkflowKit
import WorkflowStore

extension ServedSessions {
    enum Move: Sendable {
        case undo, redo
        case step(Int)

        func target(from step: Int) -> Int {
            switch self {
            case .undo: step - 1
            case .redo: step + 1
            case .step(let target): target
            }
        }

        /// The question to the flow's `access`.
        func question(to step: Int) -> Question {
            switch self {
            case .undo: .undo(to: step)
            case .redo: .redo(to: step)
            case .step: .goto(step: step)
            }
        }
    }

    /// The most attempts of a request if another service changes the session meanwhile.
    private static let attempts = 8

    /// Sends an action or new props. The ``Problem`` of a stored input that cannot be rendered has
    /// the session as a member, each time that the request is repeated.
    func take(
        _ call: FlowCall, in id: String, _ circumstances: Circumstances
    ) async throws(Problem) -> SessionMoment {
        let principal = circumstances.principal
        let moment = try await change(id, circumstances) { session in
            try await session.answer(circumstances.key, expecting: circumstances.tags) { session in
                let input = try session.input(of: call, for: principal)
                try session.require(principal, .input(input))
                try session.play(input, by: principal.inputName)
            }
        }
        return try whole(moment, of: id)
    }

    func retry(
        _ worker: NodePath?, in id: String, _ circumstances: Circumstances
    ) async throws(Problem) -> SessionMoment {
        let moment = try await change(id, circumstances) { session in
            try await session.answer(circumstances.key, expecting: circumstances.tags) { session in
                try session.require(circumstances.principal, .retry(worker))
                try session.retry(worker)
            }
        }
        return try whole(moment, of: id)
    }

    /// Throws a ``Problem`` with the session as a member for a failure after a stored input.
    private func whole(_ moment: SessionMoment, of id: String) throws(Problem) -> SessionMoment {
        guard let failure = moment.failure else { return moment }
        var problem = Problem(failure)
        problem.members["session"] = .record(moment.answer(of: id))
        throw problem
    }

    func move(
        _ move: Move, in id: String, _ circumstances: Circumstances
    ) async throws(Problem) -> SessionMoment {
        try await change(id, circumstances) { session in
            try await session.move(
                for: circumstances.key, expecting: circumstances.tags,
                allow: { session, step in
                    try session.require(circumstances.principal, move.question(to: step))
                }, to: move.target)
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

extension FlowSession {
    /// The input that a call stands for. Only who may read the session is told why there is none.
    fileprivate func input(
        of call: FlowCall, for principal: Principal
    ) throws -> FlowInput.Kind {
        do {
            return try call.input(in: self)
        } catch {
            try require(principal, .read(step: nil))
            throw error
        }
    }
}
