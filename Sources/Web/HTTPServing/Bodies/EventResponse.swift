import HTTPTypes
package import HummingbirdCore
package import NIOCore

/// The reasons for which a stream of events ends, as its last event says.
package enum StreamEnd {
    /// The reader may no longer read. What waits for it is not sent.
    package static let notGranted = "not_granted"
}

extension Response {
    /// A stream of server-sent events with heartbeats.
    ///
    /// - Parameters:
    ///   - isStillGranted: True if the reader may still read; checked at each heartbeat.
    ///   - beat: Called at each heartbeat.
    ///   - close: Called when the reader may no longer read (`not_granted`) or has gone (`gone`).
    ///   - write: Writes the events until the stream ends.
    package static func events(
        to request: Request, heartbeat: TimeAmount, on eventLoop: any EventLoop,
        isStillGranted: @escaping @Sendable () async -> Bool,
        beat: @escaping @Sendable () -> Void, close: @escaping @Sendable (_ reason: String) -> Void,
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
