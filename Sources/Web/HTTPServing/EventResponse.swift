import HTTPTypes
package import HummingbirdCore
package import NIOCore

/// The reasons for which a stream of events ends, as its last event says.
package enum StreamEnd {
    /// The reader may no longer read. What waits for it is not sent.
    package static let notGranted = "not_granted"
}

/// A stream of server-sent events with heartbeats.
package struct EventResponse: Sendable {
    let heartbeat: TimeAmount
    let eventLoop: any EventLoop
    let isStillGranted: @Sendable () async -> Bool
    let beat: @Sendable () -> Void
    let close: @Sendable (_ reason: String) -> Void

    /// - Parameters:
    ///   - heartbeat: The interval of heartbeats.
    ///   - eventLoop: The event loop of the timer.
    ///   - isStillGranted: True if the reader may still read; checked at each heartbeat.
    ///   - beat: Called at each heartbeat.
    ///   - close: Called when the reader may no longer read (`not_granted`) or has gone (`gone`).
    package init(
        heartbeat: TimeAmount, on eventLoop: any EventLoop,
        isStillGranted: @escaping @Sendable () async -> Bool,
        beat: @escaping @Sendable () -> Void, close: @escaping @Sendable (_ reason: String) -> Void
    ) {
        self.heartbeat = heartbeat
        self.eventLoop = eventLoop
        self.isStillGranted = isStillGranted
        self.beat = beat
        self.close = close
    }

    /// The response to a request.
    ///
    /// - Parameter write: Writes the events until the stream ends.
    package func response(
        to request: Request,
        _ write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
    ) -> Response {
        var response = Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                let beats = eventLoop.scheduleRepeatedTask(
                    initialDelay: heartbeat, delay: heartbeat
                ) { _ in
                    beat()
                    Task { if await !isStillGranted() { close(StreamEnd.notGranted) } }
                }
                defer { beats.cancel() }
                try await request.body.consumeWithInboundCloseHandler { _ in
                    try await writer.write(EventBytes.retry)
                    try await write(&writer)
                } onInboundClosed: {
                    close("gone")
                }
                try await writer.finish(nil)
            })
        response.headers.set("X-Accel-Buffering", to: "no")
        return response
    }
}
