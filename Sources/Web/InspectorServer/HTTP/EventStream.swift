import HTTPServing
import HummingbirdCore
import NIOCore
import PlainValue

/// The server-sent events of one page.
struct EventStream: Sendable {
    /// Keeps the stream open while the response holds it.
    let place: StreamPlace
    let access: Access
    let flow: String?
    /// Further fields of the first event.
    let about: Value.Record
    /// True if the page may still read; checked at each heartbeat.
    let isStillGranted: @Sendable () async -> Bool
    let heartbeat: TimeAmount
    let eventLoop: any EventLoop

    /// The response. Its body ends with the session, the server or the browser.
    func response(to request: Request) -> Response {
        let connection = place.connection
        let stream = EventResponse(
            heartbeat: heartbeat, on: eventLoop, isStillGranted: isStillGranted,
            beat: { connection.beat() }, close: { connection.close($0) })
        return stream.response(to: request) { writer in
            try await writer.write(hello)
            var isOver = false
            while !isOver {
                let event = await place.connection.nextEvent()
                if case .end = event { isOver = true }
                try await writer.write(Self.bytes(of: event))
            }
        }
    }

    private static func bytes(of event: SessionEvent) -> ByteBuffer {
        switch event {
        case .heartbeat: EventBytes.heartbeat
        case .line(let line): EventBytes.event(data: line)
        case .end(let reason): EventBytes.event("bye", ["reason": .string(reason)])
        }
    }

    private var hello: ByteBuffer {
        var record = about
        record["stream"] = .string(place.name)
        record["scopes"] = .list(of: access.scopes.map { .string($0.rawValue) })
        record["flow"] = flow.map { .string($0) }
        return EventBytes.event("hello", record)
    }
}
