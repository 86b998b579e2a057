import HummingbirdCore
import LibC
import Logging
import NIOCore
import NIOPosix

/// A port of this computer that serves until its task is cancelled.
struct Listener: Sendable {
    let port: Int
    private let task: Task<Void, Never>

    /// Listens at an address.
    ///
    /// - Throws: The system's error if the port cannot be had.
    init(
        host: String, port: Int, limits: InspectorLimits, count: ConnectionCount,
        group: any EventLoopGroup,
        responder: @escaping @Sendable (_ port: Int) -> InspectorResponder
    ) async throws {
        let (ports, report) = AsyncThrowingStream<Int, any Error>.makeStream()
        let channel = HTTP1Channel(
            responder: { request, writer, channel in
                try await responder(channel.localAddress?.port ?? port)
                    .respond(to: request, by: writer, on: channel)
            },
            configuration: .init(
                additionalChannelHandlers: [ConnectionLimit(count, most: limits.connections)],
                idleTimeout: .seconds(Int64(limits.idleSeconds)),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: limits.headers, maxHeaderListSize: limits.headers,
                    maxHeaderFieldCount: 100)))
        let server = Server(
            childChannelSetup: channel,
            configuration: ServerConfiguration(address: .hostname(host, port: port)),
            onServerRunning: { report.yield($0.localAddress?.port ?? 0) },
            eventLoopGroup: group,
            logger: Logger(label: "inspector", factory: { _ in SwiftLogNoOpLogHandler() }))
        task = Task {
            do {
                try await server.run()
                report.finish()
            } catch {
                report.finish(throwing: error)
            }
        }
        var first = ports.makeAsyncIterator()
        self.port = try await first.next() ?? 0
    }

    /// Listens at the addresses by which this computer reaches itself: that of IPv4, and that of IPv6 if it has one.
    ///
    /// - Parameters:
    ///   - port: The port; 0 lets the system choose one.
    ///   - responder: What answers at a port.
    static func both(
        port: Int, limits: InspectorLimits, group: any EventLoopGroup,
        responder: @escaping @Sendable (_ port: Int) -> InspectorResponder
    ) async throws(InspectorFailure) -> [Listener] {
        let count = ConnectionCount()
        func listen(_ host: String, _ port: Int) async throws -> Listener {
            try await Listener(
                host: host, port: port, limits: limits, count: count, group: group,
                responder: responder)
        }
        // A port that is free at one address may be taken at the other.
        for _ in 0..<8 {
            let first: Listener
            do {
                first = try await listen("127.0.0.1", port)
            } catch {
                throw InspectorFailure(
                    "the page cannot be served at port \(port): \(Self.reason(error))",
                    help: "choose another port, or leave it out")
            }
            do {
                return [first, try await listen("::1", first.port)]
            } catch let error as IOError where error.errnoCode == EADDRINUSE {
                await first.close()
                guard port == 0 else {
                    throw InspectorFailure(
                        "the page cannot be served at port \(port): another program has it at ::1",
                        help: "choose another port, or leave it out")
                }
            } catch {
                return [first]
            }
        }
        throw InspectorFailure("no free port was found")
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? IOError else { return "\(error)" }
        return String(cString: strerror(error.errnoCode))
    }

    /// Listens no more, and ends all connections.
    func close() async {
        task.cancel()
        await task.value
    }
}
