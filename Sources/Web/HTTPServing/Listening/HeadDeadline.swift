import NIOCore

/// Closes a connection whose client does not send all headers of a request in time. It sees the
/// bytes before they are decoded. ``ConnectionUpkeep`` tells it what comes of them.
final class HeadDeadline: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let patience: TimeAmount
    private var isInRequest = false
    /// The bytes of the first line of the latest request.
    private(set) var lineLength = 0
    private var isInLine = false
    private var deadline: Scheduled<Void>?

    init(patience: TimeAmount) { self.patience = patience }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isInRequest, deadline == nil {
            let channel = context.channel
            deadline = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
            (lineLength, isInLine) = (0, true)
        }
        if isInLine {
            let bytes = unwrapInboundIn(data).readableBytesView
            let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
            lineLength += (end ?? bytes.endIndex) - bytes.startIndex
            isInLine = end == nil
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        cancel()
        context.fireChannelInactive()
    }

    /// Called when the headers of a request are there.
    func requestBegan() {
        isInRequest = true
        isInLine = false
        cancel()
    }

    /// Called when the body of a request is there.
    func requestEnded() { isInRequest = false }

    private func cancel() {
        deadline?.cancel()
        deadline = nil
    }
}
