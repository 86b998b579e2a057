import HTTPServing
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import WorkflowKit

/// Answers requests: finds the route and the principal, runs the route, and counts the request.
struct ServiceResponder: HTTPResponder {
    private struct Outcome {
        var response: Response
        var route: Route?
        var session: String?
        var principal: Principal?
        var problem: Problem?
        /// True if part of the body was not read.
        var isUnread = false
    }

    /// The time that a client may go on sending an unread body, so that it gets to read the answer.
    private static let lingering = TimeAmount.seconds(2)

    let admission: Admission
    let routes: RouteTable
    let state: ServiceState
    let bodies: RequestBodies
    let metrics: ServiceMetrics
    let traces: ServiceTraces
    let logger: Logger

    func respond(
        to request: Request, by writer: consuming ResponseWriter, on channel: any Channel
    ) async throws {
        let start = ContinuousClock.now
        let span = traces.begin(request)
        var outcome = await traces.with(span) {
            await self.outcome(of: request, on: channel)
        }
        outcome.response = outcome.response.secured()
        let isStream = outcome.response.headers[.contentType] == "text/event-stream"
        // A stream's place is free again before the client of a HEAD has its answer.
        if request.method == .head { outcome.response = outcome.response.withoutBody() }
        // Counted before it is sent, so that a client with an answer finds it counted.
        count(request, outcome, time: isStream ? nil : .now - start)
        traces.end(
            span, route: outcome.route, status: outcome.response.status.code,
            session: outcome.session,
            step: outcome.response.headers[.eTag].flatMap {
                Int($0.dropFirst().prefix { $0 != "." })
            },
            problem: outcome.problem)
        let closes = outcome.isUnread || state.isDraining
        if closes { outcome.response.headers[.connection] = "close" }
        try await writer.write(response: outcome.response.head, body: outcome.response.body)
        if outcome.isUnread {
            channel.eventLoop.scheduleTask(in: Self.lingering) { channel.close(promise: nil) }
        } else if closes {
            channel.close(promise: nil)
        }
    }

    private func outcome(of request: Request, on channel: any Channel) async -> Outcome {
        var outcome = Outcome(response: Response(status: .ok), isUnread: request.mayHaveLargeBody)
        do throws(Problem) {
            try request.checkHost()
            if request.method == .options {
                outcome.response = try options(request)
                return outcome
            }
            let (route, names) = try routes.route(request.method, request.uri.path)
            outcome.route = route
            if route.isOfSession { outcome.session = names.first }
            if !route.isProbe { try admission.hosts?.check(request.head) }
            try request.checkCodings()
            let principal = try await admission.principal(of: request, for: route)
            outcome.principal = principal
            guard route.method == .post else {
                var call = Route.Call(
                    request: request, principal: principal, names: names, path: route.path(names))
                call.isStillGranted = { [admission] in
                    await admission.stillGrants(request, route)
                }
                outcome.response = try await answer(call, of: route)
                return outcome
            }
            outcome.response = try await bodies.with(request, on: channel) {
                request throws(Problem) in
                outcome.isUnread = false
                return try await answer(
                    Route.Call(
                        request: request, principal: principal, names: names,
                        path: route.path(names)), of: route)
            }
        } catch {
            outcome.problem = error
            outcome.response = error.response
            if error.status == .unauthorized {
                outcome.response.headers[.wwwAuthenticate] = "Bearer"
            }
        }
        return outcome
    }

    private func options(_ request: Request) throws(Problem) -> Response {
        try admission.hosts?.check(request.head)
        let methods = try routes.methods(of: request.uri.path)
        return Response(
            status: .noContent, headers: [.allow: methods.joined(separator: ", ")])
    }

    /// Answers a request. The script processes that it uses count for its principal.
    private func answer(_ call: Route.Call, of route: Route) async throws(Problem) -> Response {
        let answer: Result<Response, Problem> =
            await ScriptProcesses.$share.withValue(call.principal.inputName) {
                do throws(Problem) {
                    return .success(try await route.answer(call))
                } catch {
                    return .failure(error)
                }
            }
        return try answer.get()
    }

    // MARK: Telling

    /// Counts and logs a connection that is refused, or a request that cannot be parsed.
    func refuse(_ problem: Problem) {
        metrics.request(
            route: nil, method: "other", status: problem.status.rawValue, time: nil)
        if problem.status.isRefusal { metrics.refusal(problem.code) }
        logger.info(
            "refused",
            metadata: [
                "status": "\(problem.status.rawValue)", "code": "\(problem.code)",
                "detail": "\(problem.detail)",
            ])
    }

    /// Counts and logs a request.
    private func count(_ request: Request, _ outcome: Outcome, time: Duration?) {
        let status = outcome.response.status.code
        // An unknown method is any text, and each would be a series.
        let method = outcome.route?.method.rawValue ?? "other"
        metrics.request(
            route: outcome.route?.template, method: method, status: status, time: time)
        if let problem = outcome.problem, problem.status.isRefusal {
            metrics.refusal(problem.code)
        }
        let isFault = outcome.problem?.isFault == true || status >= 500 && status != 503
        let level: Logger.Level = isFault ? .error : .info
        logger.log(level: level, "request", metadata: metadata(request, outcome, time))
    }

    private func metadata(
        _ request: Request, _ outcome: Outcome, _ time: Duration?
    ) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "method": "\(request.method.rawValue)", "path": "\(request.uri.path.prefix(200))",
            "status": "\(outcome.response.status.code)",
        ]
        if let time { metadata["ms"] = "\((time / .microseconds(1)).rounded() / 1000)" }
        if let principal = outcome.principal { metadata["principal"] = "\(principal.name)" }
        if let problem = outcome.problem {
            metadata["code"] = "\(problem.code)"
            metadata["detail"] = "\(problem.report ?? problem.detail)"
        }
        if let trace = RequestTrace(request.headers) {
            metadata["trace"] = "\(trace.trace)"
            metadata["parent"] = "\(trace.parent)"
        }
        return metadata
    }
}

extension Response {
    /// The response to HEAD, with the length of the body if that is known before.
    fileprivate func withoutBody() -> Response {
        guard body.contentLength == nil else { return createHeadResponse() }
        return Response(
            status: status, headers: headers, body: ResponseBody { try await $0.finish(nil) })
    }
}

extension Request {
    /// Refuses a body in a coding that is not decoded here.
    fileprivate func checkCodings() throws(Problem) {
        if let coding = headers[.transferEncoding], coding.lowercased() != "chunked" {
            throw Problem(
                .badRequest, "bad_request", "Unreadable body",
                detail:
                    "Its transfer coding is '\(coding.prefix(50))'. Send it chunked, "
                    + "or with its length."
            )
        }
        if let coding = headers[.contentEncoding], coding.lowercased() != "identity" {
            throw Problem(
                .unsupportedMediaType, "bad_request", "Unreadable body",
                detail: "Its content coding is '\(coding.prefix(50))'. Send it as it is.")
        }
    }

    /// True if a large body may follow. A small one is read, so that the connection can be reused.
    fileprivate var mayHaveLargeBody: Bool {
        (contentLength ?? 0) > 1 << 16 || headers[.transferEncoding] != nil
    }
}

extension Problem.Status {
    fileprivate var isRefusal: Bool {
        [.contentTooLarge, .uriTooLong, .tooManyRequests, .headersTooLarge, .serviceUnavailable]
            .contains(self)
    }
}
