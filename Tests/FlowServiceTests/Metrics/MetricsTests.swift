import CoreMetrics
import HTTPServing
import HTTPTypes
import RawHTTP
import Testing

@testable import FlowService

struct MetricsTests {
    @Test func countersGaugesAndHistogramsAreToldAsPrometheusReadsThem() {
        let metrics = PrometheusMetrics([
            MetricFamily("a_total", .counter, "As."), MetricFamily("b_bytes", .gauge, "Bs."),
            MetricFamily("c_seconds", .histogram([0.1, 1]), "Cs."),
            MetricFamily("d_total", .counter, "None of them."),
        ])
        Counter(label: "a_total", dimensions: [("of", "x\"\\\ny")], factory: metrics).increment(
            by: 2)
        Counter(label: "a_total", dimensions: [("of", "b")], factory: metrics).increment()
        Counter(label: "a_total", dimensions: [("of", "b")], factory: metrics).increment()
        Meter(label: "b_bytes", factory: metrics).set(7)
        Meter(label: "b_bytes", factory: metrics).set(5)
        let timer = CoreMetrics.Timer(
            label: "c_seconds", dimensions: [("of", "b")], factory: metrics)
        timer.recordNanoseconds(100_000_000)
        timer.recordNanoseconds(500_000_000)
        timer.recordNanoseconds(2_000_000_000)
        #expect(
            metrics.text == """
                # HELP a_total As.
                # TYPE a_total counter
                a_total{of="b"} 2
                a_total{of="x\\"\\\\\\ny"} 2
                # HELP b_bytes Bs.
                # TYPE b_bytes gauge
                b_bytes 5
                # HELP c_seconds Cs.
                # TYPE c_seconds histogram
                c_seconds_bucket{of="b",le="0.1"} 1
                c_seconds_bucket{of="b",le="1"} 2
                c_seconds_bucket{of="b",le="+Inf"} 3
                c_seconds_sum{of="b"} 2.6
                c_seconds_count{of="b"} 3

                """)
    }

    @Test func requestsAreCountedByTemplateMethodAndClassWhateverElseTheyAre() async throws {
        let server = try await TestRoutes { _ in }
        for path in ["/name", "/name?x=1", "/a", "/b", "/name/c"] {
            _ = try await server.ask(.get(path))
        }
        var odd = RawRequest.get("/name")
        odd.method = "PUT"
        _ = try await server.ask(odd)
        let counted = server.metrics.text.split(separator: "\n").filter {
            $0.hasPrefix("workflow_requests_total")
        }
        #expect(
            counted == [
                #"workflow_requests_total{route="/name",method="GET",status="2xx"} 2"#,
                #"workflow_requests_total{route="other",method="other",status="4xx"} 4"#,
            ])
        await server.listener.close()
    }

    @Test func aServiceTellsItsMetricsToEverybody() async throws {
        let service = try await TestService()
        _ = try await service.get("/flows")
        let answer = try await service.get("/metrics", [])
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "text/plain; version=0.0.4")
        #expect(answer.body.contains("# TYPE workflow_request_duration_seconds histogram\n"))
        #expect(answer.body.contains("\nprocess_resident_memory_bytes "))
        await service.service.drain()
    }

    @Test func aTraceIsTakenAsItIsWrittenOrNotAtAll() {
        func trace(_ text: String) -> RequestTrace? {
            RequestTrace([HTTPField.Name("traceparent") ?? .accept: text])
        }
        let (trace32, span) = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331")
        #expect(trace("00-\(trace32)-\(span)-01")?.trace == trace32)
        #expect(trace("00-\(trace32)-\(span)-01")?.parent == span)
        #expect(trace("01-\(trace32)-\(span)-01-more")?.trace == trace32)
        for text in [
            "", "00", "00-\(trace32)-\(span)", "00-\(trace32)-\(span)-01-more",
            "ff-\(trace32)-\(span)-01", "00-\(trace32.uppercased())-\(span)-01",
            "00-\(String(repeating: "0", count: 32))-\(span)-01",
            "00-\(trace32)-0000000000000000-01", "00-\(trace32.dropLast())-\(span)-01",
        ] { #expect(trace(text) == nil) }
    }
}
