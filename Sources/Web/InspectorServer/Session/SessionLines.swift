import NIOCore

/// Splits a session's bytes into lines, and reads as long as lines are wanted.
final class SessionLines: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The longest line of a greeting that is kept. Its whole rendering is not needed.
    private static let longestGreeting = 1 << 20

    private let connection: SessionConnection
    private let longest: Int
    private var bytes = ByteBuffer()
    /// The number of bytes that were searched for a line feed.
    private var searched = 0
    /// True while the rest of a line is skipped.
    private var isSkipping = false

    init(connection: SessionConnection, longest: Int) {
        self.connection = connection
        self.longest = longest
    }

    func channelActive(context: ChannelHandlerContext) {
        context.read()
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        connection.end("lost")
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var new = unwrapInboundIn(data)
        bytes.writeBuffer(&new)
        while let length = lengthOfLine() {
            let line = bytes.readSlice(length: length)
            bytes.moveReaderIndex(forwardBy: 1)
            searched = 0
            if let line, !isSkipping { connection.receive(line) }
            isSkipping = false
        }
        searched = bytes.readableBytes
        if isSkipping || searched > Self.longestGreeting && !connection.isReady {
            isSkipping = true
            bytes.clear()
            searched = 0
        }
        bytes.discardReadBytes()
        if bytes.readableBytes > longest {
            connection.end("too_large")
            context.close(promise: nil)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if connection.wantsMore() { context.read() }
        context.fireChannelReadComplete()
    }

    /// The length of the next line, if it is complete.
    private func lengthOfLine() -> Int? {
        let rest = bytes.readableBytesView.dropFirst(searched)
        return rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 - bytes.readerIndex }
    }
}
