import AsyncHTTPClient
import NIOCore
import NIOPosix
import Synchronization

/// The clients of this process, one for each rule: sessions that may reach different addresses never
/// share a connection.
///
/// They are made when they are first used and stay. Their threads keep no process from ending.
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
        // Within the time of each run, which is measured on the clock of its session.
        configuration.timeout = .init(connect: .seconds(30))
        // An unreachable host is an error at once; whether to try again is for the flow to say.
        configuration.connectionPool.retryConnectionEstablishment = false
        // A stream keeps its connection as long as it lasts; others must not wait for that.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1000
        // Looks at the address that was in fact connected to, so it does not matter what a name
        // leads to a moment before or after.
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
