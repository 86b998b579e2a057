import LibC
import NIOCore
import NIOHTTPTypes

/// Bounds what a client costs that does not read, or is gone without saying so.
///
/// What the system keeps for a reader is bounded; one that takes nothing for a while, or whose computer does not answer, is
/// given up.
final class ConnectionUpkeep: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The bytes that the system keeps for a client until they are acknowledged.
    private static let sendBuffer = 256 << 10

    private let patience: TimeAmount
    private var stall: Scheduled<Void>?

    /// - Parameter patience: The time in which a client has to take something, and its computer to answer.
    init(patience: TimeAmount) { self.patience = patience }

    func channelActive(context: ChannelHandlerContext) {
        let options = context.channel.setOption(
            ChannelOptions.socketOption(.so_sndbuf), value: SocketOptionValue(Self.sendBuffer))
        // A connection of a test, or of another system, may not know them; it is served all the same.
        options.whenFailure { _ in }
        #if os(Linux)
            let answer = ChannelOptions.socket(
                SocketOptionLevel(IPPROTO_TCP), SocketOptionName(TCP_USER_TIMEOUT))
            context.channel.setOption(
                answer, value: SocketOptionValue(patience.nanoseconds / 1_000_000)
            ).whenFailure { _ in }
        #endif
        context.fireChannelActive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stall?.cancel()
        stall = nil
        if !context.channel.isWritable {
            let channel = context.channel
            stall = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
        }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        stall?.cancel()
        stall = nil
        context.fireChannelInactive()
    }
}
