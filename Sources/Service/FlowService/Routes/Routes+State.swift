import HTTPServing
import HTTPTypes
import HummingbirdCore
import NIOCore
import PlainValue
import WorkflowKit
import WorkflowStore

extension Route {
    /// The health routes, open to everybody.
    static func state(_ state: ServiceState, of sessions: ServedSessions) -> [Route] {
        [
            probe("/healthz") { _ in
                let settings = sessions.store.durability.sorted { $0.key < $1.key }
                return .json([
                    "status": "ok",
                    "store": .record(
                        Value.Record(settings.map { ($0.key, .string($0.value)) })),
                ])
            },
            probe("/readyz") { _ throws(Problem) in
                guard !state.isDraining else { throw .draining }
                let stuck = sessions.pool.stuckCallCount
                guard stuck == 0 else { throw .stuck(stuck) }
                if let trouble = sessions.store.trouble { throw Problem(trouble) }
                return .json(["status": "ready"])
            },
        ]
    }

    static func metrics(
        _ metrics: ServiceMetrics, of sessions: ServedSessions, bodies: RequestBodies
    ) -> Route {
        Route(.get, "/metrics", nil) { _ in
            metrics.set(.openSessions, to: await sessions.pool.openCount)
            metrics.set(.streams, to: sessions.readers.count)
            metrics.set(.bodies, to: bodies.bytes)
            if let counts = sessions.processes?.counts {
                metrics.set(.processes, to: counts.held)
                metrics.set(.busyProcesses, to: counts.lent)
                metrics.set(.processWaits, to: counts.waits)
                metrics.set(.processHandovers, to: counts.handovers)
                metrics.set(.processDeaths, to: counts.deaths)
            }
            let beats = sessions.beats.counts.numbers
            metrics.set(.beats, to: beats.beats)
            metrics.set(.failedBeats, to: beats.failed)
            metrics.set(.takenSessions, to: beats.taken)
            metrics.set(.losses, to: beats.losses)
            metrics.set(.stuckCalls, to: sessions.pool.stuckCallCount)
            metrics.set(.memory, to: HostMemory.residentBytes)
            return Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text)))
        }
    }

    static func flows(_ flows: [ServedFlow]) -> Route {
        Route(.get, "/flows", .read) { _ in .json(["flows": .list(of: flows.map(\.record))]) }
    }

    private static func probe(_ path: String, _ answer: @escaping Answer) -> Route {
        var route = Route(.get, path, nil, answer)
        route.isProbe = true
        return route
    }
}

extension Problem {
    fileprivate static func stuck(_ count: Int) -> Problem {
        var problem = Problem(
            .serviceUnavailable, "stuck", "Stuck calls",
            detail: """
                Each keeps a thread busy. The other sessions can be used; start the service again. \
                Its log names the sessions.
                """,
            retryAfter: 60)
        problem.members["calls"] = .int(count)
        return problem
    }

    fileprivate static let draining = Problem(
        .serviceUnavailable, "draining", "Service ending",
        detail: "Ask another one, or ask again when it is back.", retryAfter: 1)
}
