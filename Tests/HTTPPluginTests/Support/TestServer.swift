import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing

final class TestServer: Sendable {
    struct Request: Sendable {
        let method: String
        let path: String
        let headers: HTTPHeaders
        let body: String
    }

    enum Reply: Sendable {
        case whole(Int, HTTPHeaders, [UInt8])
        /// Texts to send as they arrive.
        case stream(HTTPHeaders, AsyncStream<String>)
        /// Fewer bytes than announced, then the end of the connection.
        case cut
        /// No answer at all.
        case none

        static func text(
            _ text: String, _ status: Int = 200, type: String = "text/plain"
        ) -> Reply { .whole(status, ["content-type": type], Array(text.utf8)) }

        static func redirect(_ status: Int, to location: String) -> Reply {
            .whole(status, ["location": location], [])
        }
    }

    private final class Record: Sendable { let requests = Mutex<[Request]>([]) }

    private let channel: any Channel
    private let record = Record()
    let arrivals: AsyncStream<Request>

    /// The port, which stays known after it was closed.
    let port: Int
    var url: String { "http://127.0.0.1:\(port)" }
    var grant: String { "http=127.0.0.1:\(port)" }
    var requests: [Request] { record.requests.withLock { $0 } }

    init(_ answer: @escaping @Sendable (Request) -> Reply) async throws {
        let (arrivals, continuation) = AsyncStream<Request>.makeStream()
        self.arrivals = arrivals
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { [record] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(
                        RequestHandler { request in
                            record.requests.withLock { $0.append(request) }
                            continuation.yield(request)
                            return answer(request)
                        })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = try #require(channel.localAddress?.port)
    }

    deinit { channel.close(promise: nil) }

    func shutDown() async throws { try await channel.close() }
}

private final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let answer: @Sendable (TestServer.Request) -> TestServer.Reply
    private var head: HTTPRequestHead?
    private var body = ""

    init(_ answer: @escaping @Sendable (TestServer.Request) -> TestServer.Reply) {
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = ""
        case .body(let bytes): body += String(buffer: bytes)
        case .end:
            guard let head else { return }
            let reply = answer(
                .init(
                    method: head.method.rawValue, path: head.uri, headers: head.headers,
                    body: body))
            let channel = context.channel
            Task { try? await reply.send(on: channel, isHead: head.method == .HEAD) }
        }
    }
}

extension TestServer.Reply {
    fileprivate func send(on channel: any Channel, isHead: Bool) async throws {
        func send(_ part: HTTPServerResponsePart) async throws {
            try await channel.writeAndFlush(part)
        }
        func begin(_ status: Int, _ headers: HTTPHeaders) async throws {
            try await send(
                .head(.init(version: .http1_1, status: .init(statusCode: status), headers: headers))
            )
        }
        switch self {
        case .whole(let status, var headers, let bytes):
            if status != 204, !headers.contains(name: "transfer-encoding") {
                headers.replaceOrAdd(name: "content-length", value: "\(bytes.count)")
            }
            try await begin(status, headers)
            if !isHead, !bytes.isEmpty {
                try await send(.body(.byteBuffer(ByteBuffer(bytes: bytes))))
            }
            try await send(.end(nil))
        case .stream(let headers, let texts):
            try await begin(200, headers)
            for await text in texts { try await send(.body(.byteBuffer(ByteBuffer(string: text)))) }
            try await send(.end(nil))
        case .cut:
            try await begin(200, ["content-length": "100"])
            try await send(.body(.byteBuffer(ByteBuffer(string: "half"))))
            try await channel.close()
        case .none: break
        }
    }
}
