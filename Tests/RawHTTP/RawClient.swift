package import NIOCore
import NIOPosix

/// A connection on which a test can send anything.
package final class RawClient: Sendable {
    private let channel: any Channel
    private let chunks: AsyncStream<ByteBuffer>

    /// - Parameters:
    ///   - reads: Whether it reads what the server sends.
    ///   - prepare: Adds a protocol below, such as TLS.
    package init(
        port: Int, host: String = "127.0.0.1", reads: Bool = true,
        prepare: @escaping @Sendable (any Channel) throws -> Void = { _ in }
    ) async throws {
        let (chunks, continuation) = AsyncStream<ByteBuffer>.makeStream()
        self.chunks = chunks
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: reads)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try prepare(channel)
                    try channel.pipeline.syncOperations.addHandler(Collector(continuation))
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
        private let continuation: AsyncStream<ByteBuffer>.Continuation

        init(_ continuation: AsyncStream<ByteBuffer>.Continuation) {
            self.continuation = continuation
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
