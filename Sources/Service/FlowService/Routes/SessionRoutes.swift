import FlowProtocol
import HTTPServing
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOPosix
import PlainValue
import Workflow
import WorkflowKit
import WorkflowLua
import WorkflowStore

struct SessionRoutes: Sendable {
    let sessions: ServedSessions
    let limits: ServiceLimits

    var all: [Route] { collection + reading + changing }

    // MARK: All sessions

    private var collection: [Route] {
        [
            // The list includes the sessions of everybody. No flow is asked.
            Route(.get, "/sessions", .inspect, list), Route(.post, "/sessions", .create, create),
        ]
    }

    private func list(_ call: Route.Call) async throws(Problem) -> Response {
        let limit = try call.request.uri.number("limit") ?? 100
        guard (1...1000).contains(limit) else {
            throw .badField("limit", "is a number from 1 to 1000.")
        }
        let flow = try call.request.uri.text("flow")
        let after = try call.request.uri.text("after")
        let page = try await problems {
            try await sessions.store.list(flow: flow, after: after, limit: limit)
        }
        var record: Value.Record = [
            "sessions": .list(of: page.sessions.map { .record($0.document) })
        ]
        record["next"] = page.next.map { .string($0) }
        return .json(record)
    }

    private func create(_ call: Route.Call) async throws(Problem) -> Response {
        let body = try await call.body(limits, ["flow", "id", "props"])
        guard let flow = try body.field("flow", "a text", \.string) else {
            throw .badField("flow", "is the name of a flow.")
        }
        let props = try body.field("props", "an object") { $0.record.map(Value.record) }
        let circumstances = try call.circumstances(body)
        let id = try call.newID(in: body, circumstances)
        let document = try await sessions.create(id, of: flow, props: props, circumstances)
        return .json(document, status: .created, headers: document.location)
    }

    // MARK: Reading

    private var reading: [Route] {
        [
            Route(.get, "/sessions/{session}", .read, read),
            Route(.get, "/sessions/{session}/events", .read, follow),
            Route(.get, "/sessions/{session}/forms", .read) { [self] call throws(Problem) in
                let forms = try await sessions.ask(call.id, for: call.principal, .read(step: nil)) {
                    $0.forms()
                }
                return .json(forms.record ?? [:])
            },
            Route(.get, "/sessions/{session}/scopes", .read) { [self] call throws(Problem) in
                let scopes = try await sessions.ask(call.id, for: call.principal, .read(step: nil))
                {
                    $0.scopes(of: call.principal)
                }
                return .json(["scopes": .list(of: scopes.map { .string($0) })])
            },
            Route(.get, "/sessions/{session}/snapshot", .read) { [self] call throws(Problem) in
                let document = try await sessions.ask(
                    call.id, for: call.principal, .snapshot
                ) { try $0.snapshot().document }
                return .json(document.record ?? [:])
            },
            Route(.get, "/sessions/{session}/recording", .read) { [self] call throws(Problem) in
                let text = try await sessions.recording(of: call.id, for: call.principal)
                return Response(
                    status: .ok, headers: [.contentType: "application/jsonl"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
            },
        ]
    }

    private func read(_ call: Route.Call) async throws(Problem) -> Response {
        let step = try call.request.uri.number("step")
        let document: Value.Record
        do throws(Problem) {
            document = try await sessions.document(of: call.id, at: step, for: call.principal)
        } catch  where error.code == "no_such_step" {
            throw Problem(.notFound, error.code, error.title, detail: error.detail)
        }
        let tag = document["tag"]?.string ?? ""
        if let tags = try Conditions(call.request).tags {
            guard tags.contains(tag) else { throw .otherTag }
        }
        let headers = document.headers
        if call.request.knows(tag) {
            return Response(status: .notModified, headers: headers)
        }
        return .json(document, headers: headers)
    }

    private func follow(_ call: Route.Call) async throws(Problem) -> Response {
        var place: EventPlace?
        if let text = call.request.headers.value(of: "Last-Event-ID"), !text.isEmpty {
            guard let known = EventPlace(text) else {
                throw .badField("Last-Event-ID", "is the id of an event of this session.")
            }
            place = known
        }
        let stream = SessionStream(
            sessions: sessions, id: call.id, principal: call.principal, place: place,
            heartbeat: TimeAmount(limits.heartbeatInterval),
            isStillGranted: call.isStillGranted,
            eventLoop: MultiThreadedEventLoopGroup.singleton.next())
        return try await stream.response(to: call.request)
    }

    // MARK: Changing

    private var changing: [Route] {
        [
            Route(.post, "/sessions/{session}/actions", .act) { [self] call throws(Problem) in
                try await take("send", ["action", "node", "sink", "with", "at"], call)
            },
            Route(.post, "/sessions/{session}/props", .act) { [self] call throws(Problem) in
                try await take("props", ["props"], call)
            },
            Route(.post, "/sessions/{session}/undo", .travel) { [self] call throws(Problem) in
                try await move(.undo, call, try await call.body(limits, []))
            },
            Route(.post, "/sessions/{session}/redo", .travel) { [self] call throws(Problem) in
                try await move(.redo, call, try await call.body(limits, []))
            },
            Route(.post, "/sessions/{session}/goto", .travel) { [self] call throws(Problem) in
                let body = try await call.body(limits, ["step"])
                guard let step = try body.step() else {
                    throw .badField("step", "is the number of a step.")
                }
                return try await move(.step(step), call, body)
            },
            Route(.post, "/sessions/{session}/retry", .travel) { [self] call throws(Problem) in
                let body = try await call.body(limits, ["node", "worker", "key"])
                if body["worker"] == nil, let field = body.first?.key {
                    throw .badField(field, "is used with 'worker' only.")
                }
                if let node = body["node"]?.string, NodePath(node) == nil {
                    throw Problem(FlowError(.noPath, node))
                }
                let worker = try await problems { try NodePath(workerOf: .record(body)) }
                let moment = try await sessions.retry(
                    worker, in: call.id, try call.circumstances(body))
                return answer(moment, of: call.id)
            },
            Route(.post, "/sessions/{session}/branch", .travel, branch),
            Route(.post, "/sessions/{session}/close", .act) { [self] call throws(Problem) in
                _ = try await call.body(limits, [])
                try await sessions.close(
                    call.id, for: call.principal, expecting: try Conditions(call.request).tags)
                return Response(status: .noContent)
            },
            Route(.delete, "/sessions/{session}", .delete) { [self] call throws(Problem) in
                try await sessions.delete(
                    call.id, for: call.principal, expecting: try Conditions(call.request).tags)
                return Response(status: .noContent)
            },
        ]
    }

    private func take(
        _ verb: String, _ fields: Set<String>, _ call: Route.Call
    ) async throws(Problem) -> Response {
        let body = try await call.body(limits, fields)
        let request: FlowCall
        do throws(FlowError) {
            request = try FlowCall(verb, body)
        } catch {
            throw Problem(error)
        }
        let moment = try await sessions.take(request, in: call.id, try call.circumstances(body))
        return answer(moment, of: call.id)
    }

    private func move(
        _ move: ServedSessions.Move, _ call: Route.Call, _ body: Value.Record
    ) async throws(Problem) -> Response {
        answer(
            try await sessions.move(move, in: call.id, try call.circumstances(body)), of: call.id)
    }

    private func answer(_ moment: SessionMoment, of id: String) -> Response {
        let document = moment.answer(of: id)
        return .json(document, headers: document.headers)
    }

    private func branch(_ call: Route.Call) async throws(Problem) -> Response {
        let body = try await call.body(limits, ["step", "id"])
        let step = try body.step()
        let circumstances = try call.circumstances(body)
        let other = try call.newID(in: body, circumstances)
        let document = try await sessions.branch(call.id, to: other, at: step, circumstances)
        return .json(document, status: .created, headers: document.location)
    }
}

extension Value.Record {
    fileprivate var headers: HTTPFields { [.eTag: "\"\(self["tag"]?.string ?? "")\""] }

    fileprivate var location: HTTPFields {
        var headers = headers
        headers[.location] = "/sessions/\(self["id"]?.string ?? "")"
        return headers
    }
}

extension Problem {
    fileprivate static let otherTag = Problem(
        .preconditionFailed, "other_step", "Session changed",
        detail: "The session has none of the ETags of If-Match.")
}
