import HTTPServing
import HTTPTypes
import HummingbirdCore
import Tracing
import WorkflowLua
import WorkflowStore

/// Traces the service: a span for each request in the caller's trace, and a span for each change of
/// a session in the session's trace.
struct ServiceTraces: Sendable {
    struct RequestSpan {
        fileprivate let tracer: any Tracer
        fileprivate let span: any Span
    }

    private let tracer: (any Tracer)?

    /// - Parameter tracer: The tracer. A no-op tracer costs nothing.
    init(_ tracer: any Tracer) { self.tracer = tracer is NoOpTracer ? nil : tracer }

    // MARK: Requests

    func begin(_ request: Request) -> RequestSpan? {
        guard let tracer else { return nil }
        var context = ServiceContext.topLevel
        tracer.extract(request.headers, into: &context, using: HeaderExtractor())
        // The path is any text, and backends count by name. So the route is added once it is known.
        let span = tracer.startSpan("request", context: context, ofKind: .server)
        return RequestSpan(tracer: tracer, span: span)
    }

    /// Runs a request in its span, so that its logs and traces belong to the span.
    func with<Result>(_ span: RequestSpan?, _ body: () async -> Result) async -> Result {
        guard let span else { return await body() }
        return await ServiceContext.withValue(span.span.context) { await body() }
    }

    /// Ends the span of an answered request. It links to the span of the step in the answer.
    func end(
        _ request: RequestSpan?, route: Route?, status: Int, session: String?, step: Int?,
        problem: Problem?
    ) {
        guard let request else { return }
        let span = request.span
        if let route {
            span.operationName = "\(route.method.rawValue) \(route.template)"
            span.attributes["http.request.method"] = route.method.rawValue
            span.attributes["http.route"] = route.template
        }
        span.attributes["http.response.status_code"] = status
        if let session {
            span.attributes["workflow.session"] = session
            if let step {
                span.attributes["workflow.step"] = step
                let context = Self.context(of: session, at: step, by: request.tracer)
                span.addLink(SpanLink(context: context, attributes: [:]))
            }
        }
        if let problem { span.attributes["error.type"] = problem.code }
        if status >= 500 { span.setStatus(SpanStatus(code: .error, message: problem?.title)) }
        span.end()
    }

    // MARK: Sessions

    func tell(_ news: SessionNews, of id: String) {
        guard let tracer else { return }
        let moment = news.moment
        let span = tracer.startSpan(
            "step", context: Self.context(of: id, at: moment.step, by: tracer), ofKind: .internal)
        span.attributes["workflow.session"] = id
        span.attributes["workflow.step"] = moment.step
        let outputs = news.outputs.reduce(0) { $0 + $1.outputs.count }
        if outputs > 0 { span.attributes["workflow.outputs"] = outputs }
        if let failure = moment.failure {
            span.attributes["error.type"] = failure.code.rawValue
            span.setStatus(SpanStatus(code: .error, message: failure.message))
        }
        span.end()
    }

    private static func context(
        of session: String, at step: Int, by tracer: any Tracer
    ) -> ServiceContext {
        var context = ServiceContext.topLevel
        let carrier = ["traceparent": SessionTrace(of: session, at: step).parent]
        tracer.extract(carrier, into: &context, using: DictionaryExtractor())
        return context
    }
}

private struct HeaderExtractor: Extractor {
    func extract(key: String, from headers: HTTPFields) -> String? { headers.value(of: key) }
}

private struct DictionaryExtractor: Extractor {
    func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
}
