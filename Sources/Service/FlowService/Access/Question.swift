import HTTPServing
import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua
import WorkflowStore

/// A principal's question to a session, in the one form that the flow's `access` judges.
enum Question: Sendable {
    /// The session has begun, and is not stored yet.
    case create
    /// To see a step, by default the present one.
    case read(step: Int?)
    case follow, inspect, snapshot, recording, close, delete
    case input(FlowInput.Kind)
    /// To go to a step.
    case undo(to: Int), redo(to: Int), goto(step: Int)
    /// To give again what the flow refused, of the worker at a path or of all.
    case retry(NodePath?)
    /// To make another session of the steps up to one, by default the present one.
    case branch(step: Int?)

    /// The question as `access` gets it.
    func value(in session: isolated FlowSession) -> Value {
        switch self {
        case .create: ["do": "create", "props": session.props]
        case .read(let step): ["do": "read", "step": .int(step ?? session.storedStep)]
        case .follow: ["do": "follow"]
        case .inspect: ["do": "inspect"]
        case .snapshot: ["do": "snapshot"]
        case .recording: ["do": "recording"]
        case .close: ["do": "close"]
        case .delete: ["do": "delete"]
        case .input(.action(let action, let node)):
            node.components.count == 1
                ? ["do": "send", "action": action]
                : ["do": "send", "action": action, "node": .string(node.description)]
        case .input(.props(let props)): ["do": "props", "props": props]
        case .input(.worker): ["do": "worker"]
        case .undo(let step): ["do": "undo", "step": .int(step)]
        case .redo(let step): ["do": "redo", "step": .int(step)]
        case .goto(let step): ["do": "goto", "step": .int(step)]
        case .retry(let worker): .record(Self.retry(of: worker))
        case .branch(let step): ["do": "branch", "step": .int(step ?? session.storedStep)]
        }
    }

    private static func retry(of worker: NodePath?) -> Value.Record {
        var question: Value.Record = ["do": "retry"]
        guard let worker, let last = worker.components.last else { return question }
        question["node"] = .string(worker.parent.description)
        question["worker"] = .string(last.name)
        if !last.key.isEmpty { question["key"] = .string(last.key) }
        return question
    }
}

extension FlowSession {
    /// The shown step, counted as the store does.
    var storedStep: Int { options.firstStep + step }

    /// Asks the flow's `access`. Throws a ``Problem`` if it refuses, or the `FlowError` of the
    /// function.
    func require(_ principal: Principal, _ question: Question) throws {
        guard try allows(principal, question.value(in: self)) else {
            throw Problem.forbidden(principal)
        }
    }
}

extension FlowSession {
    /// The scopes of a principal that the flow leaves it; an `undo` decides on `travel`.
    func scopes(of principal: Principal) -> [String] {
        let undo = Question.undo(to: max(storedStep - 1, options.firstStep))
        let mayTravel = (try? require(principal, undo)) != nil
        return principal.scopes.filter { mayTravel || $0 != ServiceScope.travel.rawValue }
    }
}

extension StoredSession {
    /// The current state, if the flow's `access`, if any, allows to see it.
    func moment(for principal: Principal, _ question: Question) async throws -> SessionMoment {
        let asks = try await look { $0.past.flow?.asksForAccess ?? false }
        guard asks else { return try await moment() }
        return try await moment(if: { try $0.require(principal, question) })
    }
}

extension Problem {
    static func forbidden(_ principal: Principal) -> Problem {
        Problem(
            .forbidden, "not_granted", "Access denied by the flow",
            detail: "Its access function says so for \(principal.name).")
    }
}
