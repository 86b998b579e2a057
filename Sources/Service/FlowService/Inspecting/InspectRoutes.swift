import FlowProtocol
import HTTPServing
import HTTPTypes
import HummingbirdCore
import InspectorServer
import PlainValue
import Workflow
import WorkflowKit

/// The routes of the inspector page. The copy answers requests that only read. Changes go to the
/// session like all other requests.
struct InspectRoutes: Sendable {
    /// The requests that only read or concern forks.
    private static let looks: Set<String> = [
        "diff", "eval", "find", "fork", "forms", "inputs", "interrupt", "journal", "log",
        "messages", "node", "nodes", "overview", "recording", "rendering", "states", "status",
        "timeline", "tree", "unfork", "value", "why",
    ]
    /// The requests that a service does not support: its sessions keep files, workers and steps.
    static let lacks = ["branch", "reload", "snapshot", "test", "worker"]

    let sessions: ServedSessions
    let inspections: Inspections
    let limits: ServiceLimits

    var all: [Route] {
        [
            Route(.get, "/inspect/{session}/stream", .inspect) { [self] call throws(Problem) in
                try AllowedHosts.checkSite(call.request.head)
                _ = try await sessions.moment(of: call.id, for: call.principal, .inspect)
                return try await inspections.stream(
                    of: call.id, for: call.request, call.principal.access,
                    while: call.isStillGranted, unless: { await refusal(call) })
            },
            Route(.post, "/inspect/{session}/request", .inspect, answer),
        ]
    }

    /// The reason why a stream's page may not see more of its session; `nil` if it may.
    private func refusal(_ call: Route.Call) async -> String? {
        do throws(Problem) {
            try await sessions.check(call.principal, .inspect, of: call.id)
            return nil
        } catch {
            return error.status == .serviceUnavailable ? "lost" : StreamEnd.notGranted
        }
    }

    private func answer(_ call: Route.Call) async throws(Problem) -> Response {
        let body = try await call.request.record(upTo: limits.body)
        guard let verb = body["do"]?.string else {
            throw .badField("do", "names the request.")
        }
        guard let stream = call.request.uri.parameter("stream") else {
            // A closed page ends its forks after its stream is gone.
            guard verb == "unfork" else {
                _ = try await sessions.summary(of: call.id)
                throw .badField("stream", "is the name of a stream of this session.")
            }
            return try await inspections.known(call.id).gateway.pass(
                body, of: nil, call.principal.access)
        }
        let inspection = try await inspections.known(call.id)
        let access = call.principal.access
        let isFork = try inspection.gateway.isFork(stream, for: access)
        if Self.looks.contains(verb) || isFork && !["reload", "snapshot"].contains(verb) {
            return try await inspection.gateway.pass(body, of: stream, access)
        }
        switch verb {
        case "send", "props":
            try call.principal.require(.act)
            try await take(verb, body, inspection, call)
        case "undo", "redo", "goto":
            try call.principal.require(.travel)
            _ = try await sessions.move(
                try move(verb, body, inspection), in: call.id, .init(principal: call.principal))
        case "retry":
            try call.principal.require(.travel)
            let worker = try await problems { try NodePath(workerOf: .record(body)) }
            _ = try await sessions.retry(worker, in: call.id, .init(principal: call.principal))
        default:
            throw .badField("do", "is not a request of a service's page: \(verb.prefix(50))")
        }
        // The next request sees the change.
        try await problems { try await inspection.catchUp() }
        return .json(["type": "reply", "ok": true])
    }

    private func take(
        _ verb: String, _ body: Value.Record, _ inspection: Inspection, _ call: Route.Call
    ) async throws(Problem) {
        let asked = try await problems {
            try await inspection.naming(try FlowCall(verb, body))
        }
        _ = try await sessions.take(asked, in: call.id, .init(principal: call.principal))
    }

    private func move(
        _ verb: String, _ body: Value.Record, _ inspection: Inspection
    ) throws(Problem) -> ServedSessions.Move {
        switch verb {
        case "undo": return .undo
        case "redo": return .redo
        default:
            guard let step = try body.step(), (0...1 << 53).contains(step) else {
                throw .badField("step", "is the number of a step.")
            }
            return .step(inspection.base + step)
        }
    }
}

extension Principal {
    /// The page's rights in the inspector's terms.
    fileprivate var access: Access {
        let granted =
            [
                (.view, .inspect), (.act, .act), (.travel, .travel), (.evaluate, .evaluate),
            ] as [(InspectorScope, ServiceScope)]
        return Access(
            token: name, scopes: granted.filter { has($0.1) }.map(\.0),
            isOwner: self == .anyone)
    }

    fileprivate func require(_ scope: ServiceScope) throws(Problem) {
        guard has(scope) else { throw .notGranted(scope) }
    }
}

extension Inspection {
    nonisolated var about: Value.Record {
        [
            "first": .int(base),
            "lacks": .list(of: InspectRoutes.lacks.map { .string($0) }),
        ]
    }
}
