import HTTPServing
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import PlainValue
import RawHTTP
import Tracing
import WorkflowKit

@testable import FlowService

final class TestRoutes: RawServer, Sendable {
    let listener: Listener
    let state = ServiceState()
    let metrics = ServiceMetrics()
    let bodies: RequestBodies

    var port: Int { listener.port }

    init(
        _ change: (inout ServiceLimits) -> Void = { _ in }, logger: Logger? = nil,
        _ routes: [Route] = []
    ) async throws {
        var options = ServiceOptions(flows: [], store: "")
        options.access = .everybody
        options.limits.setTimesUnreached()
        change(&options.limits)
        let bodies = RequestBodies(options.limits)
        self.bodies = bodies
        let authentication = try await Authentication(
            .everybody, now: { 0 }, uptime: { .now }, report: { _ in })
        let responder = ServiceResponder(
            admission: Admission(options, authentication, now: { .now }),
            routes: RouteTable(Self.routes(options.limits) + routes), state: state,
            bodies: bodies, metrics: metrics,
            traces: ServiceTraces(NoOpTracer()), logger: logger ?? options.logger)
        let limits = ListenerLimits(
            connections: options.limits.connections, headers: options.limits.headers,
            idle: TimeAmount(options.limits.idleTime),
            headerTime: TimeAmount(options.limits.headerTime))
        listener = try await Listener(
            host: "127.0.0.1", port: 0, limits: limits, count: ConnectionCount(),
            group: MultiThreadedEventLoopGroup.singleton, onRefusal: responder.refuse
        ) { _ in responder }
    }

    private static func routes(_ limits: ServiceLimits) -> [Route] {
        [
            Route(.get, "/name", .read) { .json(["name": .string($0.principal.name)]) },
            Route(.post, "/echo", .act) { call throws(Problem) in
                .json(try await call.request.record(upTo: limits.body))
            },
            // Never ends.
            Route(.get, "/flood", .read) { _ in
                Response(
                    status: .ok, headers: [.contentType: "text/event-stream"],
                    body: ResponseBody { writer in
                        let bytes = ByteBuffer(repeating: UInt8(ascii: "x"), count: 64 << 10)
                        while true { try await writer.write(bytes) }
                    })
            },
        ]
    }
}
