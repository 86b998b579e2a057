import AsyncHTTPClient
import NIOCore
import NIOPosix
import Synchronization

/// The clients of this process, one for each rule: sessions with different rules share none. A
/// client is created on first use and stays. Its threads do not keep the process from ending.
enum Clients {
    private static let clients = Mutex<[AddressRule: HTTPClient]>([:])

    static func client(for rule: AddressRule) -> HTTPClient {
        clients.withLock { clients in
            if let known = clients[rule] { return known }
            let client = HTTPClient(
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
                configuration: configuration(rule))
            clients[rule] = client
            return client
        }
    }

    private static func configuration(_ rule: AddressRule) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.proxy = nil
        configuration.httpVersion = .http1Only
        // In addition to the time limit of each run, which uses the session's clock.
        configuration.timeout = .init(connect: .seconds(30))
        // An unreachable host is an error at once; the flow decides whether to try again.
        configuration.connectionPool.retryConnectionEstablishment = false
        // A stream occupies its connection, and other requests must not wait for it.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1000
        // Checks the address that was connected to, whatever the name resolves to before or after.
        configuration.http1_1ConnectionDebugInitializer = { channel in
            do throws(ForbiddenAddress) {
                try rule.check(channel.remoteAddress)
                return channel.eventLoop.makeSucceededVoidFuture()
            } catch {
                channel.close(promise: nil)
                return channel.eventLoop.makeFailedFuture(error)
            }
        }
        return configuration
    }
}
