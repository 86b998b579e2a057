import HTTPServing
import HummingbirdCore
import HummingbirdTLS
import LibC
import NIOCore
import NIOPosix
import NIOSSL
import WorkflowLua

extension Listener {
    /// At one address, or at both loopback addresses.
    static func all(
        _ options: ServiceOptions, _ certificates: ServerCertificates?,
        _ responder: ServiceResponder
    ) async throws(FlowError) -> [Listener] {
        let bounds = ListenerLimits(
            connections: options.limits.connections, headers: options.limits.headers,
            idle: TimeAmount(options.limits.idleTime),
            headerTime: TimeAmount(options.limits.headerTime))
        let count = ConnectionCount()
        let group = MultiThreadedEventLoopGroup.singleton
        let tls = certificates?.configuration
        func listen(_ host: String, _ port: Int) async throws -> Listener {
            guard let tls else {
                return try await Listener(
                    host: host, port: port, limits: bounds, count: count, group: group,
                    onRefusal: responder.refuse
                ) { _ in responder }
            }
            return try await Listener(
                host: host, port: port, limits: bounds, count: count, group: group,
                wrap: { try TLSChannel($0, tlsConfiguration: tls) },
                onRefusal: responder.refuse
            ) { _ in responder }
        }
        do throws(ListenerFailure) {
            guard options.host != "localhost" else {
                return try await Listener.both(port: options.port, listen)
            }
            return [try await Listener.one(host: options.host, port: options.port, listen)]
        } catch {
            throw FlowError(.takenPort, error.port, error.reason)
        }
    }
}

extension ServiceOptions {
    var isLocal: Bool { Self.isLocal(host) }

    /// True if only this computer can reach an address.
    package static func isLocal(_ host: String) -> Bool {
        ["localhost", "::1"].contains(host) || host.hasPrefix("127.") && host.isIPv4Address
    }
}

extension String {
    fileprivate var isIPv4Address: Bool {
        var address = in_addr()
        return inet_pton(AF_INET, self, &address) == 1
    }
}
