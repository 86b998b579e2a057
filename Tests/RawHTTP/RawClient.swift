package import NIOCore
import NIOPosix

/// A connection on which a test can send anything.
package final class RawClient: Sendable {
    private let channel: any Channel
    private let chunks: AsyncStream<ByteBuffer>

    /// - Parameters:
    ///   - request: Bytes to send at once: a test may miss the seconds a server waits for a head.
    ///   - reads: True to read the answer of the server.
    ///   - prepare: Adds a protocol below, such as TLS.
    package init(
        port: Int, host: String = "127.0.0.1", sending request: String? = nil, reads: Bool = true,
        prepare: @escaping @Sendable (any Channel) throws -> Void = { _ in }
    ) async throws {
        let (chunks, continuation) = AsyncStream<ByteBuffer>.makeStream()
        self.chunks = chunks
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: reads).channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try prepare(channel)
                    try channel.pipeline.syncOperations.addHandler(Collector(continuation, request))
                }
            }
            .connect(host: host, port: port).get()
    }

    package func send(_ text: String) {
        channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
    }

    /// Reads until the input contains a text, or without one to the end of the connection.
    package func read(until end: String? = nil) async -> String {
        var text = ""
        if let end, text.contains(end) { return text }
        for await var chunk in chunks {
            text += chunk.readString(length: chunk.readableBytes) ?? ""
            if let end, text.contains(end) { return text }
        }
        return text
    }

    package func close() { channel.close(promise: nil) }

    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private let continuation: AsyncStream<ByteBuffer>.Continuation
        private let request: String?

        init(_ continuation: AsyncStream<ByteBuffer>.Continuation, _ request: String?) {
            self.continuation = continuation
            self.request = request
        }

        func channelActive(context: ChannelHandlerContext) {
            guard let request else { return }
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request)), promise: nil)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            continuation.yield(unwrapInboundIn(data))
        }

        func channelInactive(context: ChannelHandlerContext) { continuation.finish() }

        // The server may end a connection before everything was sent.
        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}
