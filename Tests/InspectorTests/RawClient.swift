import NIOCore
import NIOPosix
import PlainValue

/// A connection over which a test says what it likes.
final class RawClient: Sendable {
    private let channel: any Channel
    private let chunks: AsyncStream<ByteBuffer>

    /// - Parameter reads: Whether it takes what the server sends.
    init(port: Int, host: String = "127.0.0.1", reads: Bool = true) async throws {
        let (chunks, continuation) = AsyncStream<ByteBuffer>.makeStream()
        self.chunks = chunks
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: reads)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Collector(continuation))
                }
            }
            .connect(host: host, port: port).get()
    }

    func send(_ text: String) { channel.writeAndFlush(ByteBuffer(string: text), promise: nil) }

    /// What comes, until something stands in it; until the end of the connection without.
    func read(until end: String? = nil) async -> String {
        var text = ""
        if let end, text.contains(end) { return text }
        for await var chunk in chunks {
            text += chunk.readString(length: chunk.readableBytes) ?? ""
            if let end, text.contains(end) { return text }
        }
        return text
    }

    func close() { channel.close(promise: nil) }

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

        // The server may end a connection before all is sent.
        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}

/// An answer as it came.
struct RawAnswer {
    let status: Int
    let head: String
    let body: String

    init(_ text: String) {
        let parts = text.split(
            separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        head = String(parts.first ?? "")
        body = parts.count > 1 ? String(parts[1]) : ""
        status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }

    func header(_ name: String) -> String? {
        for line in head.split(separator: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts[0].lowercased() == name.lowercased() {
                return parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
            }
        }
        return nil
    }

    var json: Value { (try? Value(json: body)) ?? .null }
    /// The code of a problem.
    var code: String? { json["code"]?.string }
}

/// A request that can be made wrong in all its parts.
struct RawRequest {
    var method = "GET"
    var path = "/"
    var host: String? = "127.0.0.1"
    var headers: [String] = []
    var body: String?

    var text: String {
        var lines = ["\(method) \(path) HTTP/1.1", "Connection: close"]
        if let host { lines.append("Host: \(host)") }
        lines += headers
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
    }

    /// A request with a JSON body.
    static func post(_ path: String, _ body: Value, _ headers: [String] = []) -> RawRequest {
        RawRequest(
            method: "POST", path: path, headers: ["Content-Type: application/json"] + headers,
            body: body.json)
    }

    static func get(_ path: String, _ headers: [String] = []) -> RawRequest {
        RawRequest(path: path, headers: headers)
    }
}
