import HTTPServing
import HTTPTypes
import HummingbirdCore

/// A kind of request.
struct Route: Sendable {
    /// One request of a route.
    struct Call: Sendable {
        let request: Request
        let principal: Principal
        /// The path's values for the names in the template, in order.
        let names: [String]
        /// True if the request would still be allowed; for a long answer.
        var isStillGranted: @Sendable () async -> Bool = { true }

        /// The session id in the path.
        var id: String { names.first ?? "" }
    }

    typealias Answer = @Sendable (Call) async throws(Problem) -> Response

    let method: HTTPRequest.Method
    /// The path with names in braces, such as `/sessions/{id}/actions`. Metrics and `openapi.json` use it
    /// too.
    let template: String
    /// The required scope; `nil` if no token is needed.
    let scope: ServiceScope?
    /// True for a probe of load balancers, which sends no host name.
    var isProbe = false
    let answer: Answer

    /// True if the first name in the path is a session id.
    var isOfSession: Bool { template.hasPrefix("/sessions/{") }

    init(
        _ method: HTTPRequest.Method, _ template: String, _ scope: ServiceScope?,
        _ answer: @escaping Answer
    ) {
        self.method = method
        self.template = template
        self.scope = scope
        self.answer = answer
    }
}

/// The routes of the service.
struct RouteTable: Sendable {
    let routes: [Route]
    private let parts: [[Substring]]

    init(_ routes: [Route]) {
        self.routes = routes
        parts = routes.map {
            Array($0.template.split(separator: "/", omittingEmptySubsequences: false).dropFirst())
        }
    }

    /// The route of a request, and the path's values for its names.
    ///
    /// - Throws: A ``Problem``: `not_found` for an unknown path, `method_not_allowed` for another method.
    func route(
        _ method: HTTPRequest.Method, _ path: String
    ) throws(Problem) -> (route: Route, names: [String]) {
        let words = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var allowed: [String] = []
        for (route, parts) in zip(routes, parts) {
            guard let names = Self.names(in: words, parts) else { continue }
            // HEAD is GET without the body.
            if route.method == method || method == .head && route.method == .get {
                return (route, names)
            }
            allowed.append(route.method.rawValue)
        }
        guard !allowed.isEmpty else { throw .noRoute }
        var problem = Problem(
            .methodNotAllowed, "method_not_allowed", "This cannot be done here",
            detail: "\(path) takes \(allowed.sorted().joined(separator: ", ")).")
        problem.allow = allowed.sorted()
        throw problem
    }

    private static func names(in words: ArraySlice<Substring>, _ parts: [Substring]) -> [String]? {
        guard words.count == parts.count else { return nil }
        var names: [String] = []
        for (word, part) in zip(words, parts) {
            if part.hasPrefix("{") {
                guard !word.isEmpty, let name = word.percentDecoded else {
                    return nil
                }
                names.append(name)
            } else if word != part {
                return nil
            }
        }
        return names
    }
}

extension Problem {
    /// The problem of an unknown path.
    static let noRoute = Problem(
        .notFound, "not_found", "There is nothing here", detail: "/openapi.json says what there is."
    )
}
