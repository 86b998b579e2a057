package import HTTPServing
import HTTPTypes
package import HummingbirdCore
package import NIOCore
package import PlainValue

/// Passes requests of pages to a session's socket, and the session's news to the pages' streams.
/// Clients were authenticated before.
package final class SessionGateway: Sendable {
    private let options: InspectorOptions
    private let group: any EventLoopGroup
    private let streams: Streams
    private let sessions: SharedConnections

    /// - Parameter onLeave: Called when a stream has ended.
    package init(
        _ options: InspectorOptions, on group: any EventLoopGroup,
        onLeave: @escaping @Sendable () -> Void = {}
    ) {
        self.options = options
        self.group = group
        streams = Streams(most: options.limits.streams, onLeave: onLeave)
        sessions = SharedConnections(options, on: group)
    }

    /// The number of streams, including those being opened.
    package var streamCount: Int { streams.count }

    /// Opens a stream of news of the session, or of the fork that the request names.
    ///
    /// The stream ends with its response, even if that is not sent.
    ///
    /// - Parameters:
    ///   - about: Further fields of the first event.
    ///   - isStillGranted: True if the page may still read; checked from time to time.
    ///   - refusal: Returns the reason why the page may not see more, for ``endRefused()``.
    package func stream(
        for request: Request, _ access: Access, telling about: Value.Record = [:],
        while isStillGranted: @escaping @Sendable () async -> Bool = { true },
        unless refusal: @escaping @Sendable () async -> String? = { nil }
    ) async throws(Problem) -> Response {
        let session = try request.uri.number("session")
        try streams.expect(access)
        let opened: (connection: SessionConnection, flow: String?)
        do throws(Problem) {
            opened = try await SessionConnection.open(
                options, on: group, scopes: access.scopes, session: session, keepsEvents: true)
        } catch {
            streams.giveUp(access)
            throw error
        }
        let place = streams.add(
            opened.connection, of: access, isFork: session != nil, unless: refusal)
        // It was not known yet when those of others were checked.
        if let reason = await refusal() { opened.connection.close(reason) }
        var hello = about
        hello["stream"] = .string(place.name)
        hello["scopes"] = .list(of: access.scopes.map { .string($0.rawValue) })
        hello["flow"] = opened.flow.map { .string($0) }
        let connection = place.connection
        return .events(
            to: request, heartbeat: TimeAmount(options.limits.heartbeatInterval),
            on: group.next(), isStillGranted: isStillGranted, beat: { connection.beat() },
            close: { connection.close($0) }
        ) { [hello] writer in
            try await writer.write(EventBytes.event("hello", hello))
            var isOver = false
            while !isOver {
                // The place keeps the stream open while the response holds it.
                let event = await place.connection.nextEvent()
                if case .end = event { isOver = true }
                try await writer.write(event.bytes)
            }
        }
    }

    /// Ends the streams whose pages may not see more. Called before something new is shown.
    package func endRefused() async { await streams.endRefused() }

    /// True if a stream belongs to a fork; throws a ``Problem`` if the client has no such stream.
    package func isFork(_ stream: String, for access: Access) throws(Problem) -> Bool {
        try streams.stream(stream, for: access).isFork
    }

    /// Passes a request to the session; `stream` is the name of its stream, if it has one.
    package func pass(
        _ body: Value.Record, of stream: String?, _ access: Access
    ) async throws(Problem) -> Response {
        guard let verb = body["do"]?.string else { throw .badRequest }
        // These change a connection, which other requests share.
        guard !["follow", "narrow", "patches", "quit"].contains(verb) else {
            throw .badRequest
        }
        let connection =
            if let stream {
                try streams.stream(stream, for: access).connection
            } else {
                try await sessions.connection(for: access.scopes)
            }
        let reply = try await connection.request(body)
        if reply.error?["code"] == "not_granted" { throw .notGranted }
        return Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: reply.line))
    }

    /// Ends all streams with a reason and opens no more.
    package func close(_ reason: String = "closed") async {
        streams.close(reason)
        await streams.untilEmpty(within: options.limits.farewell)
        await sessions.close()
    }
}

extension Problem {
    static let badRequest = Problem(
        .badRequest, "bad_request", "Unreadable request",
        detail: "A request is a JSON object with a \"do\".")

    static let notGranted = Problem(
        .forbidden, "not_granted", "Missing scope", detail: "Its scopes do not have it.")
}
