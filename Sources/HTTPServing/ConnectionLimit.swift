import HTTPTypes
package import NIOCore
package import NIOHTTPTypes
import Synchronization

package final class ConnectionCount: Sendable {
    private let count = Atomic(0)

    package init() {}

    /// Adds a connection and returns the count.
    package func add() -> Int { count.add(1, ordering: .relaxed).newValue }
    package func remove() { count.subtract(1, ordering: .relaxed) }
}

/// Refuses connections above the limit, before they send a request.
package final class ConnectionLimit: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart
    package typealias OutboundOut = HTTPResponsePart

    private let count: ConnectionCount
    private let most: Int
    private var isCounted = false
    private var isRefused = false

    package init(_ count: ConnectionCount, most: Int) {
        self.count = count
        self.most = most
    }

    package func channelActive(context: ChannelHandlerContext) {
        isCounted = true
        isRefused = count.add() > most
        if isRefused {
            let head = HTTPResponse(
                status: .serviceUnavailable,
                headerFields: [.connection: "close", .contentLength: "0", .retryAfter: "1"])
            context.write(wrapOutboundOut(.head(head)), promise: nil)
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
