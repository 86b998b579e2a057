import InMemoryTracing
import PlainValue
import RawHTTP
import Testing
import Tracing

@testable import FlowService

struct TraceTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"

    private let tracer = ParentTracer()

    private func service() async throws -> TestService {
        try await TestService { [tracer] options, _ in options.tracer = tracer }
    }

    private func spans(_ name: String) -> [FinishedInMemorySpan] {
        tracer.memory.finishedSpans.filter { $0.operationName == name }
    }

    @Test func aRequestIsASpanInTheTraceOfWhoAsksLinkedWithTheStep() async throws {
        let service = try await service()
        _ = try await service.ask(
            .post("/sessions", ["flow": "counter", "id": "a"], [service.bearer]))
        let parent = "traceparent: 00-\(Self.trace)-b7ad6b7169203331-01"
        let answer = try await service.ask(
            .post("/sessions/a/actions", ["action": ["type": "add"]], [service.bearer, parent]))
        #expect(answer.status == 200)
        await service.service.drain()

        let span = try #require(spans("POST /sessions/{session}/actions").first)
        #expect(span.traceID == Self.trace)
        #expect(span.parentSpanID == "b7ad6b7169203331")
        #expect(span.kind == .server)
        #expect(span.attributes["http.response.status_code"]?.toSpanAttribute() == .int64(200))
        #expect(span.attributes["workflow.session"]?.toSpanAttribute() == .string("a"))
        #expect(span.attributes["workflow.step"]?.toSpanAttribute() == .int64(1))
        let link = try #require(span.links.first?.context.inMemorySpanContext)
        #expect("00-\(link.traceID)-\(link.spanID)-01" == SessionTrace(of: "a", at: 1).parent)
        #expect(tracer.memory.activeSpans.isEmpty)
    }

    @Test func theStepsOfASessionAreSpansInItsOwnTraceWhoeverPlaysIt() async throws {
        let service = try await service()
        for id in ["a", "b"] {
            _ = try await service.ask(
                .post("/sessions", ["flow": "counter", "id": .string(id)], [service.bearer]))
        }
        for id in ["a", "a", "b"] {
            _ = try await service.ask(
                .post("/sessions/\(id)/actions", ["action": ["type": "add"]], [service.bearer]))
        }
        await service.service.drain()
        let steps = spans("step").compactMap { span -> String? in
            guard let parent = span.parentSpanID else { return nil }
            return "00-\(span.traceID)-\(parent)-01"
        }
        for (id, count) in [("a", 2), ("b", 1)] {
            for step in 1...count {
                #expect(steps.filter { $0 == SessionTrace(of: id, at: step).parent }.count == 1)
            }
        }
        #expect(
            SessionTrace(of: "a", at: 1).parent
                == "00-ca978112ca1bbdcafac231b39a23dc4d-773232abe9343f0e-01")
    }

    @Test func aRefusalIsToldWithItsCodeAndWhatIsNotThereDoesNotNameASpan() async throws {
        let service = try await service()
        _ = try await service.ask(
            .post("/sessions/none/actions", ["action": ["type": "add"]], [service.bearer]))
        _ = try await service.get("/made/up", [service.bearer])
        await service.service.drain()
        let span = try #require(spans("POST /sessions/{session}/actions").first)
        #expect(span.attributes["error.type"]?.toSpanAttribute() == .string("not_found"))
        #expect(span.links.isEmpty)
        #expect(span.status == nil)
        #expect(spans("request").count == 1)
    }
}

private struct ParentTracer: Tracer {
    let memory = InMemoryTracer()

    func startSpan<Instant: TracerInstant>(
        _ name: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file: String, line: UInt
    ) -> InMemorySpan {
        memory.startSpan(
            name, context: context(), ofKind: kind, at: instant(), function: function, file: file,
            line: line)
    }

    func forceFlush() { memory.forceFlush() }

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        let parts = (extractor.extract(key: "traceparent", from: carrier) ?? "").split(
            separator: "-")
        guard parts.count == 4 else { return }
        let ids = [
            InMemoryTracer.traceIDKey: String(parts[1]), InMemoryTracer.spanIDKey: String(parts[2]),
        ]
        memory.extract(ids, into: &context, using: IDs())
    }

    func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier { memory.inject(context, into: &carrier, using: injector) }

    private struct IDs: Extractor {
        func extract(key: String, from ids: [String: String]) -> String? { ids[key] }
    }
}
