package import HummingbirdCore
import Logging
package import NIOCore
import NIOPosix
import Timers

/// A server at a port.
package struct Listener: Sendable {
    package let port: Int
    private let task: Task<Void, Never>
    private let finish: @Sendable () async throws -> Void

    /// Listens at an address; throws the system's error if the port cannot be used.
    ///
    /// - Parameters:
    ///   - port: The port; 0 lets the system choose one.
    ///   - wrap: Adds a protocol below HTTP, such as TLS.
    ///   - onRefusal: Called for each connection above the limit and each unparsable request.
    package init<Wrapped: ServerChildChannel>(
        host: String, port: Int, limits: ListenerLimits, count: ConnectionCount,
        group: any EventLoopGroup, wrap: (HTTP1Channel) throws -> Wrapped,
        onRefusal: @escaping @Sendable (Problem) -> Void = { _ in },
        responder: @escaping @Sendable (_ port: Int) -> any HTTPResponder
    ) async throws {
        let (ports, report) = AsyncThrowingStream<Int, any Error>.makeStream()
        let channel = HTTP1Channel(
            responder: { request, writer, channel in
                try await responder(channel.localAddress?.port ?? port)
                    .respond(to: request.continuing(on: channel), by: writer, on: channel)
            },
            configuration: .init(
                additionalChannelHandlers: [
                    ConnectionLimit(count, most: limits.connections, onRefusal: onRefusal),
                    ConnectionUpkeep(
                        patience: limits.idle, headPatience: limits.headerTime,
                        headers: limits.headers, onRefusal: onRefusal),
                ], idleTimeout: limits.idle,
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: limits.headers, maxHeaderListSize: limits.headers,
                    maxHeaderFieldCount: 100)))
        let connections = OpenConnections(try wrap(channel))
        let server = Server(
            childChannelSetup: connections,
            configuration: ServerConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { report.yield($0.localAddress?.port ?? 0) }, eventLoopGroup: group,
            logger: Logger(label: "http", factory: { _ in SwiftLogNoOpLogHandler() }))
        finish = { try await server.shutdownGracefully() }
        task = Task {
            defer { connections.end() }
            do {
                try await server.run()
                report.finish()
            } catch {
                report.finish(throwing: error)
            }
        }
        // A stream ends at once for a task that is cancelled.
        self.port = try await Task { try await ports.first { _ in true } }.value ?? 0
    }

    /// Listens at an address by plain HTTP.
    package init(
        host: String, port: Int, limits: ListenerLimits, count: ConnectionCount,
        group: any EventLoopGroup, onRefusal: @escaping @Sendable (Problem) -> Void = { _ in },
        responder: @escaping @Sendable (_ port: Int) -> any HTTPResponder
    ) async throws {
        try await self.init(
            host: host, port: port, limits: limits, count: count, group: group, wrap: { $0 },
            onRefusal: onRefusal, responder: responder)
    }

    package static func one(
        host: String, port: Int, _ listen: (_ host: String, _ port: Int) async throws -> Listener
    ) async throws(ListenerFailure) -> Listener {
        do {
            return try await listen(host, port)
        } catch {
            throw ListenerFailure(port: port, error)
        }
    }

    /// Listens at both loopback addresses: IPv4, and IPv6 if there is one. Port 0 lets the system
    /// choose.
    package static func both(
        port: Int, _ listen: (_ host: String, _ port: Int) async throws -> Listener
    ) async throws(ListenerFailure) -> [Listener] {
        // A port that is free at one address may be taken at the other.
        for _ in 0..<8 {
            let first = try await one(host: "127.0.0.1", port: port, listen)
            do {
                return [first, try await listen("::1", first.port)]
            } catch {
                guard ListenerFailure(port: port, error).isTaken else { return [first] }
                await first.close()
                guard port == 0 else {
                    throw ListenerFailure(
                        port: port, "another program has it at ::1", isTaken: true)
                }
            }
        }
        throw ListenerFailure(port: port, "no free port was found", isTaken: true)
    }

    /// Stops listening and lets requests finish, but not longer than a limit. Idle connections are
    /// closed at once, others after their response.
    package func drain(within patience: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await finish() }
            group.addTask { try? await TimerClock().sleep(for: patience) }
            await group.next()
            // Ends the remaining connections.
            task.cancel()
            group.cancelAll()
        }
        await task.value
    }

    /// Stops listening and ends all connections.
    package func close() async {
        task.cancel()
        await task.value
    }
}
