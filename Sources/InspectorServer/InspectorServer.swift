import HTTPServing
import NIOCore
import NIOPosix

/// A server of the page that shows a session in a browser.
///
/// It attaches to the session's socket as any program may, one connection for each page that is open, and knows nothing of
/// the session beyond the protocol. It can be reached from this computer only, by those who know its token.
public final class InspectorServer: Sendable {
    /// The port at which it listens.
    public let port: Int
    /// The address of the page, with the token.
    public let address: String
    /// The token in the address, with which programs ask too.
    public let token: String

    private let listeners: [Listener]
    private let gateway: SessionGateway

    /// Starts to serve.
    public convenience init(_ settings: InspectorSettings) async throws(InspectorFailure) {
        try await self.init(settings, now: { .now })
    }

    /// The same by another clock.
    init(
        _ settings: InspectorSettings, now: @escaping @Sendable () -> ContinuousClock.Instant
    ) async throws(InspectorFailure) {
        let files = try PageFiles(folder: settings.folder)
        let tokens = AccessTokens(
            scopes: settings.scopes, shares: settings.limits.shares, now: now)
        let group = MultiThreadedEventLoopGroup.singleton
        let gateway = SessionGateway(settings, on: group)
        let hosts = AllowedHosts(settings.hosts)
        let limits = settings.limits
        let bounds = ListenerLimits(
            connections: limits.connections, headers: limits.headers,
            idle: .seconds(Int64(limits.idleSeconds)))
        let count = ConnectionCount()
        let listeners: [Listener]
        do throws(ListenerFailure) {
            listeners = try await Listener.both(port: settings.port) { host, port in
                try await Listener(
                    host: host, port: port, limits: bounds, count: count, group: group
                ) { port in
                    InspectorResponder(
                        settings: settings, hosts: hosts, tokens: tokens, files: files,
                        gateway: gateway, cookie: "inspector-\(port)")
                }
            }
        } catch {
            throw InspectorFailure(
                "the page cannot be served at port \(error.port): \(error.reason)",
                help: "choose another port, or leave it out")
        }
        self.gateway = gateway
        self.listeners = listeners
        port = listeners.first?.port ?? 0
        token = tokens.first
        address = "http://127.0.0.1:\(port)/#token=\(token)"
    }

    /// Ends all pages' streams, which are told so, and listens no more.
    public func close() async {
        await gateway.close()
        for listener in listeners { await listener.close() }
    }
}
