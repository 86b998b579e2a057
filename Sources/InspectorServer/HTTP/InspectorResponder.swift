import HTTPTypes
import HummingbirdCore
import NIOCore
import PlainValue

/// Answers the requests of pages and programs.
struct InspectorResponder: Sendable {
    /// An answer, and what is to be done when it is sent or cannot be.
    private struct Answer {
        var response: Response
        var whenSent: () -> Void = {}
    }

    let settings: InspectorSettings
    let hosts: AllowedHosts
    let tokens: AccessTokens
    let files: PageFiles
    let streams: Streams
    let sessions: SharedConnections
    let group: any EventLoopGroup
    /// The name of the cookie: browsers keep those of all ports of a computer together.
    let cookie: String

    /// Answers a request.
    func respond(
        to request: Request, by writer: consuming ResponseWriter, on channel: any Channel
    ) async throws {
        var isTooLarge = false
        let answer: Answer
        do throws(Problem) {
            answer = try await self.answer(request)
        } catch {
            answer = Answer(response: error.response)
            // The rest of the body is not read.
            isTooLarge = error.status == .contentTooLarge
        }
        defer { answer.whenSent() }
        var response = answer.response.secured()
        if isTooLarge { response.headers[.connection] = "close" }
        try await writer.write(response: response.head, body: response.body)
        if isTooLarge { channel.close(promise: nil) }
    }

    private func answer(_ request: Request) async throws(Problem) -> Answer {
        try hosts.check(request.head)
        let path = request.uri.path
        switch (request.method, path) {
        case (.get, "/stream"):
            try hosts.checkSite(request.head)
            return try await openStream(request)
        case (.post, "/login"): return Answer(response: try await logIn(request))
        case (.post, "/share"): return Answer(response: try await share(request))
        case (.post, "/request"): return Answer(response: try await pass(request))
        case (.get, _): return Answer(response: try file(path, for: request))
        default:
            throw Problem(
                .methodNotAllowed, "bad_request", "This cannot be done here",
                detail: "Files and /stream are for GET; /login, /share and /request for POST.")
        }
    }

    // MARK: Files

    private func file(_ path: String, for request: Request) throws(Problem) -> Response {
        let name =
            switch path {
            case "/": "index.html"
            case "/play": "play.html"
            default: String(path.dropFirst())
            }
        guard let file = files.file(named: name), let type = file.type else { throw .notFound }
        let headers: HTTPFields = [
            .contentType: type, .eTag: file.tag, .cacheControl: "no-cache",
        ]
        if request.headers[.ifNoneMatch] == file.tag {
            return Response(status: .notModified, headers: headers)
        }
        return Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: file.bytes))
    }

    // MARK: Access

    private func logIn(_ request: Request) async throws(Problem) -> Response {
        let body = try await body(of: request, upTo: 4096)
        guard let token = body["token"]?.string else { throw .badRequest }
        let access = try tokens.access(by: token, isCookie: false)
        var response = Self.json(["scopes": Self.names(of: access.scopes)])
        response.headers.set(
            "Set-Cookie", to: "\(cookie)=\(token); HttpOnly; SameSite=Strict; Path=/")
        return response
    }

    private func share(_ request: Request) async throws(Problem) -> Response {
        let access = try access(of: request)
        let body = try await body(of: request, upTo: 4096)
        guard let names = body["scopes"]?.list else { throw .badRequest }
        let scopes = InspectorScope.allCases.filter { names.contains(.string($0.rawValue)) }
        guard scopes.count == names.count, !scopes.isEmpty else {
            throw Problem(
                .badRequest, "bad_request", "There is no such scope",
                detail: "The scopes are view, act, travel and evaluate.")
        }
        guard scopes.allSatisfy(access.scopes.contains) else { throw .notGranted }
        return Self.json(["token": .string(try tokens.share(scopes))])
    }

    /// What the one who asks may do.
    private func access(of request: Request) throws(Problem) -> Access {
        if let header = request.headers[.authorization] {
            let words = header.split(separator: " ")
            guard words.count == 2, words[0].lowercased() == "bearer" else { throw .noToken }
            return try tokens.access(by: String(words[1]), isCookie: false)
        }
        guard let token = request.cookie(named: cookie) else { throw .noToken }
        do throws(Problem) {
            return try tokens.access(by: token, isCookie: true)
        } catch {
            // An old one, of a program that had the port before.
            throw error.retryAfter == nil ? .noToken : error
        }
    }

    // MARK: The session

    private func openStream(_ request: Request) async throws(Problem) -> Answer {
        let access = try access(of: request)
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
        let name = streams.add(opened.connection, of: access)
        let stream = EventStream(
            connection: opened.connection, name: name, access: access, flow: opened.flow,
            heartbeat: .seconds(Int64(settings.limits.heartbeatSeconds)), eventLoop: group.next())
        return Answer(response: stream.response(to: request)) { streams.remove(name) }
    }

    /// Passes a request on to the session.
    private func pass(_ request: Request) async throws(Problem) -> Response {
        let access = try access(of: request)
        let body = try await body(of: request, upTo: settings.limits.body)
        guard let verb = body["do"]?.string else { throw .badRequest }
        // These say what a connection is for, which others may use too.
        guard !["follow", "narrow", "patches", "quit"].contains(verb) else {
            throw .badRequest
        }
        let connection =
            if let name = request.uri.parameter("stream") {
                try streams.connection(of: name, for: access)
            } else {
                try await sessions.connection(for: access.scopes)
            }
        let reply = try await connection.request(body)
        if reply.error?["code"] == "not_granted" { throw .notGranted }
        return Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: reply.line))
    }

    // MARK: Bodies

    /// The object that a request has as its body; only the page itself gets so far.
    private func body(of request: Request, upTo most: Int) async throws(Problem) -> Value.Record {
        try hosts.checkSite(request.head)
        let type = request.headers[.contentType]?.split(separator: ";").first
        guard type?.lowercased() == "application/json" else {
            throw Problem(
                .unsupportedMediaType, "bad_request", "The body is no JSON",
                detail: "Its Content-Type is application/json.")
        }
        let tooLarge = Problem(
            .contentTooLarge, "too_large", "The request is too large",
            detail: "It has at most \(most) bytes.")
        if let count = request.headers[.contentLength].flatMap({ Int($0) }), count > most {
            throw tooLarge
        }
        let bytes: ByteBuffer
        do {
            bytes = try await request.body.collect(upTo: most)
        } catch is NIOTooManyBytesError {
            throw tooLarge
        } catch {
            throw .badRequest
        }
        let value = bytes.withUnsafeReadableBytes { try? Value(json: $0) }
        guard let record = value?.record else { throw .badRequest }
        return record
    }

    private static func json(_ record: Value.Record) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: Value.record(record).json + "\n")))
    }

    private static func names(of scopes: [InspectorScope]) -> Value {
        .list(Value.List(scopes.map { .string($0.rawValue) }))
    }
}

extension Problem {
    fileprivate static let noToken = Problem(
        .unauthorized, "no_token", "Nobody has logged in",
        detail: "Open the address that the program has printed, with all that follows the #.")

    fileprivate static let notGranted = Problem(
        .forbidden, "not_granted", "This link may not do that",
        detail: "Its scopes do not have it.")
}
