import HTTPServing
import HTTPTypes
import HummingbirdCore
import NIOCore
import PlainValue

/// Answers the requests of pages and programs.
struct InspectorResponder: HTTPResponder {
    let options: InspectorOptions
    let hosts: AllowedHosts
    let tokens: AccessTokens
    let files: PageFiles
    let gateway: SessionGateway
    /// The start of the cookies' names. It has the port because browsers share cookies between a
    /// host's ports. The token's number follows.
    let cookie: String

    func respond(
        to request: Request, by writer: consuming ResponseWriter, on channel: any Channel
    ) async throws {
        var isTooLarge = false
        var response: Response
        do throws(Problem) {
            response = try await answer(request)
        } catch {
            response = error.response
            // The rest of the body is not read.
            isTooLarge = error.status == .contentTooLarge
        }
        response = response.secured()
        if isTooLarge { response.headers[.connection] = "close" }
        try await writer.write(response: response.head, body: response.body)
        if isTooLarge { channel.close(promise: nil) }
    }

    private func answer(_ request: Request) async throws(Problem) -> Response {
        try request.checkHost()
        try hosts.check(request.head)
        let path = request.uri.path
        switch (request.method, path) {
        case (.get, "/stream"):
            try AllowedHosts.checkSite(request.head)
            let access = try access(of: request)
            return try await gateway.stream(
                for: request, access, telling: ["as": .int(tokens.number(of: access))])
        case (.post, "/login"): return try await logIn(request)
        case (.post, "/share"): return try await share(request)
        case (.post, "/request"): return try await pass(request)
        case (.get, _): return try file(path, for: request)
        default:
            throw Problem(
                .methodNotAllowed, "bad_request", "Method not allowed",
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
        guard let response = files.file(named: name)?.response(to: request) else { throw .notFound }
        return response
    }

    // MARK: Access

    private func logIn(_ request: Request) async throws(Problem) -> Response {
        let body = try await body(of: request, upTo: 4096)
        guard let token = body["token"]?.string else { throw .badRequest }
        let access = try tokens.access(by: [token])
        let number = tokens.number(of: access)
        var response = Response.json([
            "scopes": Self.names(of: access.scopes), "as": .int(number),
        ])
        response.headers.set(
            "Set-Cookie", to: "\(cookie)-\(number)=\(token); HttpOnly; SameSite=Strict; Path=/")
        return response
    }

    private func share(_ request: Request) async throws(Problem) -> Response {
        let access = try access(of: request)
        let body = try await body(of: request, upTo: 4096)
        guard let names = body["scopes"]?.list else { throw .badRequest }
        let scopes = InspectorScope.allCases.filter { names.contains(.string($0.rawValue)) }
        guard scopes.count == names.count, !scopes.isEmpty else {
            throw Problem(
                .badRequest, "bad_request", "No such scope",
                detail: "The scopes are view, act, travel and evaluate.")
        }
        guard scopes.allSatisfy(access.scopes.contains) else { throw .notGranted }
        return .json(["token": .string(try tokens.share(scopes))])
    }

    /// The rights of the client: those of its token, or those of the login that the request names
    /// with `as`, or else the widest of all its logins.
    private func access(of request: Request) throws(Problem) -> Access {
        if let header = request.headers[.authorization] {
            let words = header.split(separator: " ")
            guard words.count == 2, words[0].lowercased() == "bearer" else { throw .noToken }
            return try tokens.access(by: [String(words[1])])
        }
        let name = try request.uri.number("as").map { "\(cookie)-\($0)" }
        let found = request.cookies.filter {
            if let name { $0.name == name } else { $0.name.hasPrefix("\(cookie)-") }
        }
        guard !found.isEmpty else { throw .noToken }
        do throws(Problem) {
            return try tokens.access(by: found.map(\.value), areCookies: true)
        } catch {
            // They may belong to an earlier program at this port.
            throw error.retryAfter == nil ? .noToken : error
        }
    }

    // MARK: The session

    private func pass(_ request: Request) async throws(Problem) -> Response {
        let access = try access(of: request)
        let body = try await body(of: request, upTo: options.limits.body)
        return try await gateway.pass(body, of: request.uri.parameter("stream"), access)
    }

    // MARK: Bodies

    /// The JSON object of a request from the page itself.
    private func body(of request: Request, upTo most: Int) async throws(Problem) -> Value.Record {
        try AllowedHosts.checkSite(request.head)
        do throws(Problem) {
            return try await request.record(upTo: most)
        } catch {
            throw error.status == .badRequest ? .badRequest : error
        }
    }

    private static func names(of scopes: [InspectorScope]) -> Value {
        .list(of: scopes.map { .string($0.rawValue) })
    }
}

extension Problem {
    fileprivate static let noToken = Problem(
        .unauthorized, "no_token", "Missing token",
        detail: "Open the address that the program has printed, with all that follows the #.")

    static let notFound = Problem(
        .notFound, "not_found", "No such path", detail: "The page is at /.")
}
