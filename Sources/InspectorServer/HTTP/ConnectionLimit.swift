import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Synchronization

/// The number of connections that are open.
final class ConnectionCount: Sendable {
    private let count = Atomic(0)

    /// Adds one; gives how many there are by then.
    func add() -> Int { count.add(1, ordering: .relaxed).newValue }
    func remove() { count.subtract(1, ordering: .relaxed) }
}

/// Refuses a connection beyond the most, before anything is asked.
final class ConnectionLimit: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let count: ConnectionCount
    private let most: Int
    private var isCounted = false
    private var isRefused = false

    init(_ count: ConnectionCount, most: Int) {
        self.count = count
        self.most = most
    }

    func channelActive(context: ChannelHandlerContext) {
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

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isRefused { context.fireChannelRead(data) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isCounted { count.remove() }
        context.fireChannelInactive()
    }
}
