import InspectorServer
import RawHTTP
import Synchronization

@testable import InspectorServer

final class Site: RawServer, Sendable {
    let session: TestSession
    let server: InspectorServer

    var port: Int { server.port }
    var bearer: String { "Authorization: Bearer \(server.token)" }

    init(
        session: TestSession? = nil, change: (inout InspectorOptions) -> Void = { _ in }
    ) async throws {
        let session = if let session { session } else { try await TestSession() }
        self.session = session
        let time = TestTime()
        self.time = time
        var options = InspectorOptions(socket: session.path)
        // However slow the machine is, nothing ends for its time, and nothing is sent meanwhile.
        options.limits.idleTime = .seconds(3600)
        options.limits.headerTime = .seconds(3600)
        options.limits.heartbeatInterval = .seconds(3600)
        options.limits.farewell = .seconds(60)
        change(&options)
        server = try await InspectorServer(options, now: { time.now })
    }

    let time: TestTime

    func openStream(
        _ headers: [String]? = nil, path: String = "/stream", until end: String = "\"news\""
    ) async throws -> (client: RawClient, text: String) {
        let client = try await RawClient(
            port: port, sending: RawRequest.get(path, headers ?? [bearer]).text)
        return (client, await client.read(until: end))
    }

    func close() async {
        await server.close()
        try? await session.close()
    }
}

/// A clock that stands still unless it is moved.
final class TestTime: Sendable {
    private let time = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { time.withLock { $0 } }
    func move(by duration: Duration) { time.withLock { $0 += duration } }
}
