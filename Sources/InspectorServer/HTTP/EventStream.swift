import HTTPTypes
import HummingbirdCore
import NIOCore
import PlainValue

/// The server-sent events of one page.
struct EventStream: Sendable {
    let connection: SessionConnection
    let name: String
    let access: Access
    let flow: String?
    let heartbeat: TimeAmount
    let eventLoop: any EventLoop

    /// The response, whose body ends with the session, the server or the browser.
    func response(to request: Request) -> Response {
        var response = Response(
            status: .ok, headers: [.contentType: "text/event-stream"],
            body: ResponseBody { writer in
                let beats = eventLoop.scheduleRepeatedTask(
                    initialDelay: heartbeat, delay: heartbeat
                ) { _ in connection.beat() }
                defer { beats.cancel() }
                try await request.body.consumeWithInboundCloseHandler { _ in
                    try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
                    try await writer.write(hello)
                    var isOver = false
                    while !isOver {
                        let event = await connection.nextEvent()
                        if case .end = event { isOver = true }
                        try await writer.write(Self.bytes(of: event))
                    }
                } onInboundClosed: {
                    connection.close("gone")
                }
                try await writer.finish(nil)
            })
        response.headers.set("X-Accel-Buffering", to: "no")
        return response
    }

    private static func bytes(of event: SessionEvent) -> ByteBuffer {
        switch event {
        case .heartbeat: return ByteBuffer(string: ":\n\n")
        case .line(var line):
            var bytes = ByteBuffer(string: "data: ")
            bytes.writeBuffer(&line)
            bytes.writeString("\n\n")
            return bytes
        case .end(let reason): return named("bye", ["reason": .string(reason)])
        }
    }

    private var hello: ByteBuffer {
        var record: Value.Record = [
            "stream": .string(name),
            "scopes": .list(Value.List(access.scopes.map { .string($0.rawValue) })),
        ]
        record["flow"] = flow.map { .string($0) }
        return Self.named("hello", record)
    }

    private static func named(_ name: String, _ record: Value.Record) -> ByteBuffer {
        ByteBuffer(string: "event: \(name)\ndata: \(Value.record(record).json)\n\n")
    }
}
