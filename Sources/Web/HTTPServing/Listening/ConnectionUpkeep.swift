import LibC
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Limits the cost of clients that do not read or have silently gone.
///
/// The send buffer is limited. A client is closed that reads nothing for some time, whose computer
/// does not answer, or that does not end the headers of a request; see ``HeadDeadline``. What HTTP
/// asks of each connection is kept by ``MessageRules``.
final class ConnectionUpkeep: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The send buffer in bytes.
    private static let sendBuffer = 256 << 10

    private let patience: TimeAmount
    private var stall: Scheduled<Void>?
    private let head: HeadDeadline
    private let rules: MessageRules

    /// - Parameters:
    ///   - patience: The time within which a client must read and its computer must answer.
    ///   - headPatience: The time within which it must send the headers of a request.
    ///   - headers: The bytes that these have at most.
    ///   - onRefusal: Called for a request that cannot be parsed.
    init(
        patience: TimeAmount, headPatience: TimeAmount, headers: Int = .max,
        onRefusal: @escaping @Sendable (Problem) -> Void = { _ in }
    ) {
        self.patience = patience
        let head = HeadDeadline(patience: headPatience)
        self.head = head
        rules = MessageRules(isLineTooLong: { head.lineLength > headers }, onRefusal: onRefusal)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        do {
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(head, position: .before(decoder))
            try pipeline.addHandler(rules, position: .after(decoder))
        } catch {
            // Without it, the time for headers would have no limit.
            context.close(promise: nil)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: head.requestBegan()
        case .body: break
        case .end: head.requestEnded()
        }
        context.fireChannelRead(data)
    }

    func channelActive(context: ChannelHandlerContext) {
        let options = context.channel.setOption(
            ChannelOptions.socketOption(.so_sndbuf), value: SocketOptionValue(Self.sendBuffer))
        // Connections of tests and of other systems may not know these options and are served too.
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
