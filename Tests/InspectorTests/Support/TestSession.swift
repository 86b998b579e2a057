import NIOCore
import NIOPosix
import PlainValue
import Synchronization
import TestSupport

final class TestSession: Sendable {
    private let folder: Folder
    private let channel: any Channel
    private let state = Mutex(State())

    private struct State {
        var requests: [Value] = []
        var clients: [any Channel] = []
    }

    let path: String

    var requests: [Value] { state.withLock(\.requests) }
    var clientCount: Int { state.withLock(\.clients.count) }

    /// - Parameter answer: The lines that answer a request; nil for a successful reply.
    init(_ answer: @escaping @Sendable (Value) -> [Value]? = { _ in nil }) async throws {
        folder = try Folder()
        path = folder.path("socket")
        let took = Mutex<(@Sendable (Value, any Channel) -> Void)?>(nil)
        let joined = Mutex<(@Sendable (any Channel) -> Void)?>(nil)
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                joined.withLock { $0 }?(channel)
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        RequestLines { took.withLock { $0 }?($0, channel) })
                }
            }
            .bind(unixDomainSocketPath: path).get()
        joined.withLock { joined in
            joined = { [weak self] channel in self?.state.withLock { $0.clients.append(channel) } }
        }
        took.withLock { took in
            took = { [weak self] request, channel in
                self?.state.withLock { $0.requests.append(request) }
                for line in answer(request) ?? Self.answer(request) {
                    Self.write(line, to: channel)
                }
            }
        }
    }

    func tell(_ line: Value) {
        for client in state.withLock(\.clients) { Self.write(line, to: client) }
    }

    func close() async throws {
        for client in state.withLock(\.clients) { client.close(promise: nil) }
        try await channel.close()
    }

    static func reply(_ request: Value, _ value: Value? = nil) -> Value {
        var reply: Value.Record = ["type": "reply", "ok": true]
        reply["id"] = request["id"]
        reply["value"] = value
        return .record(reply)
    }

    static func failure(_ request: Value, _ code: String) -> Value {
        var reply: Value.Record = [
            "type": "reply", "ok": false, "error": ["code": .string(code), "message": "no"],
        ]
        reply["id"] = request["id"]
        return .record(reply)
    }

    private static func answer(_ request: Value) -> [Value] {
        switch request["do"] {
        case "follow": [reply(request), ["type": "news", "step": 0, "of": 0]]
        case "status": [reply(request, ["flow": "todo"])]
        case "echo": [reply(request, request)]
        default: [reply(request)]
        }
    }

    private static func write(_ line: Value, to channel: any Channel) {
        channel.writeAndFlush(ByteBuffer(string: line.json + "\n"), promise: nil)
    }
}

private final class RequestLines: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var text: [UInt8] = []
    private let take: (Value) -> Void

    init(_ take: @escaping (Value) -> Void) { self.take = take }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        text += unwrapInboundIn(data).readableBytesView
        while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
            if let value = try? Value(json: text[..<end]) { take(value) }
            text.removeFirst(end + 1)
        }
    }
}
