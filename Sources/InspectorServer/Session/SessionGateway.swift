package import HTTPServing
import HTTPTypes
package import HummingbirdCore
package import NIOCore
package import PlainValue

/// Carries what pages ask to the socket of one session, and what the session tells to their streams.
///
/// Who asks, and what they may do, was found out before.
package final class SessionGateway: Sendable {
    private let settings: InspectorSettings
    private let group: any EventLoopGroup
    private let streams: Streams
    private let sessions: SharedConnections

    /// - Parameters:
    ///   - settings: Those that say where the session is, and the limits.
    ///   - onLeave: Called when a stream has ended.
    package init(
        _ settings: InspectorSettings, on group: any EventLoopGroup,
        onLeave: @escaping @Sendable () -> Void = {}
    ) {
        self.settings = settings
        self.group = group
        streams = Streams(most: settings.limits.streams, onLeave: onLeave)
        sessions = SharedConnections(settings, on: group)
    }

    /// How many streams there are, with those that are being opened.
    package var streamCount: Int { streams.count }

    /// Opens a stream of the session's news, or of those of a fork if the request names one.
    ///
    /// The stream ends with its response, whether that is sent or not.
    ///
    /// - Parameters:
    ///   - about: What the page is told of the session at first, beside what it may do.
    ///   - isStillGranted: Whether the page may go on; asked from time to time.
    package func stream(
        for request: Request, _ access: Access, telling about: Value.Record = [:],
        while isStillGranted: @escaping @Sendable () async -> Bool = { true }
    ) async throws(Problem) -> Response {
        let session = try request.uri.number("session")
        try streams.expect()
        let opened: (connection: SessionConnection, flow: String?)
        do throws(Problem) {
            opened = try await SessionConnection.open(
                settings, on: group, scopes: access.scopes, session: session, keepsEvents: true)
        } catch {
            streams.giveUp()
            throw error
        }
        let place = streams.add(opened.connection, of: access, isFork: session != nil)
        let stream = EventStream(
            place: place, access: access, flow: opened.flow, about: about,
            isStillGranted: isStillGranted,
            heartbeat: .seconds(Int64(settings.limits.heartbeatSeconds)), eventLoop: group.next())
        return stream.response(to: request)
    }

    /// Whether a stream is one of a fork.
    ///
    /// - Throws: A ``Problem`` if there is no such stream of this client.
    package func isFork(_ stream: String, for access: Access) throws(Problem) -> Bool {
        try streams.stream(stream, for: access).isFork
    }

    /// Passes a request on to the session.
    ///
    /// - Parameter stream: The name of the stream that the request belongs to, if it belongs to one.
    package func pass(
        _ body: Value.Record, of stream: String?, _ access: Access
    ) async throws(Problem) -> Response {
        guard let verb = body["do"]?.string else { throw .badRequest }
        // These say what a connection is for, which others may use too.
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

    /// Ends all streams, which are told the reason, and opens no other.
    package func close(_ reason: String = "closed") async {
        streams.close(reason)
        await streams.untilEmpty(within: .milliseconds(500))
        await sessions.close()
    }
}

extension Problem {
    static let badRequest = Problem(
        .badRequest, "bad_request", "The request cannot be read",
        detail: "A request is a JSON object with a \"do\".")

    static let notGranted = Problem(
        .forbidden, "not_granted", "This link may not do that",
        detail: "Its scopes do not have it.")
}
