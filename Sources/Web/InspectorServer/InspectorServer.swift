import HTTPServing
import NIOCore
import NIOPosix

/// A server of the page that shows a session in a browser.
///
/// ```swift
/// var options = InspectorOptions(socket: path)
/// options.port = 8123
/// let server = try await InspectorServer(options)
/// print(server.address)
/// ```
///
/// Like any client, it attaches to the session's socket, once for each open page, and uses only the
/// protocol. Only clients on this computer with the token can reach it.
public final class InspectorServer: Sendable {
    /// The port that it listens at.
    public let port: Int
    /// The URL of the page, with the token.
    public let address: String
    /// The token in the URL. Programs use it too.
    public let token: String

    private let listeners: [Listener]
    private let gateway: SessionGateway

    /// Starts serving.
    ///
    /// ```swift
    /// var options = InspectorOptions(socket: path)
    /// options.folder = "Pages"  // a folder without index.html
    /// _ = try await InspectorServer(options)  // throws there is no page in Pages
    /// ```
    ///
    /// - Throws: An ``InspectorFailure`` if the folder has no page, or the port cannot be used.
    public convenience init(_ options: InspectorOptions) async throws(InspectorFailure) {
        try await self.init(options, now: { .now })
    }

    init(
        _ options: InspectorOptions, now: @escaping @Sendable () -> ContinuousClock.Instant
    ) async throws(InspectorFailure) {
        let files = try PageFiles(folder: options.folder)
        let tokens = AccessTokens(scopes: options.scopes, shares: options.limits.shares, now: now)
        let group = MultiThreadedEventLoopGroup.singleton
        let gateway = SessionGateway(options, on: group)
        let hosts = AllowedHosts(options.hosts, by: options.hostsName)
        let limits = options.limits
        let bounds = ListenerLimits(
            connections: limits.connections, headers: limits.headers,
            idle: TimeAmount(limits.idleTime), headerTime: TimeAmount(limits.headerTime))
        let count = ConnectionCount()
        let listeners: [Listener]
        do throws(ListenerFailure) {
            listeners = try await Listener.both(port: options.port) { host, port in
                try await Listener(
                    host: host, port: port, limits: bounds, count: count, group: group
                ) { port in
                    InspectorResponder(
                        options: options, hosts: hosts, tokens: tokens, files: files,
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

    /// Ends the streams of all pages and stops listening.
    public func close() async {
        await gateway.close()
        for listener in listeners { await listener.close() }
    }
}

/// The reason why a page cannot be served.
public struct InspectorFailure: Error, CustomStringConvertible {
    /// The reason.
    public let message: String
    /// A way to fix it.
    public let help: String?

    init(_ message: String, help: String? = nil) {
        self.message = message
        self.help = help
    }

    /// The message, with the help if there is any.
    public var description: String { help.map { "\(message): \($0)" } ?? message }
}
