import HTTPTypes
import HummingbirdCore
package import NIOCore
package import NIOHTTPTypes
import Synchronization

package final class ConnectionCount: Sendable {
    private let count = Atomic(0)

    package init() {}

    /// Adds a connection and returns the count.
    package func add() -> Int { count.add(1, ordering: .relaxed).newValue }
    package func remove() {
        let left = count.subtract(1, ordering: .relaxed).newValue
        assert(left >= 0)
    }
}

/// Refuses connections above the limit, before they send a request.
package final class ConnectionLimit: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias OutboundOut = HTTPResponsePart

    private let count: ConnectionCount
    private let most: Int
    private let onRefusal: @Sendable (Problem) -> Void
    private var isCounted = false
    private var isRefused = false

    package init(
        _ count: ConnectionCount, most: Int,
        onRefusal: @escaping @Sendable (Problem) -> Void = { _ in }
    ) {
        self.count = count
        self.most = most
        self.onRefusal = onRefusal
    }

    package func channelActive(context: ChannelHandlerContext) {
        isCounted = true
        isRefused = count.add() > most
        if isRefused {
            let problem = Problem.tooManyConnections(most)
            onRefusal(problem)
            var response = problem.response.secured()
            response.headers[.connection] = "close"
            context.write(wrapOutboundOut(.head(response.head)), promise: nil)
            context.write(wrapOutboundOut(.body(problem.bytes)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            context.close(promise: nil)
        }
        context.fireChannelActive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isRefused { context.fireChannelRead(data) }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        if isCounted { count.remove() }
        context.fireChannelInactive()
    }
}

extension Problem {
    fileprivate static func tooManyConnections(_ most: Int) -> Problem {
        Problem(
            .serviceUnavailable, "connections", "Too many connections",
            detail: "At most \(most) are open at a time. Connect again.", retryAfter: 1)
    }
}
