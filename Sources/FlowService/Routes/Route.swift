import HTTPServing
import HTTPTypes
import HummingbirdCore

/// One kind of request that the service answers.
struct Route: Sendable {
    /// What one request of a route comes with.
    struct Call: Sendable {
        let request: Request
        let principal: Principal
        /// What stands in the path for the names in the template, in order.
        let names: [String]
        /// Finds out whether the request would still be taken, for an answer that takes long.
        var isStillGranted: @Sendable () async -> Bool = { true }

        /// The id of the session that the path names.
        var id: String { names.first ?? "" }
    }

    typealias Answer = @Sendable (Call) async throws(Problem) -> Response

    let method: HTTPRequest.Method
    /// The path, with names in braces: `/sessions/{id}/actions`. It stands in metrics and in `openapi.json` too.
    let template: String
    /// What the principal needs to be allowed; `nil` if everybody may ask, without a token too.
    let scope: ServiceScope?
    /// Whether it is there for balancers, which name no host.
    var isProbe = false
    let answer: Answer

    /// Whether the first name in its path is that of a session.
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

    /// The route of a request, and what stands in its path for the names.
    ///
    /// - Throws: A ``Problem``: `not_found` for a path that there is not, `method_not_allowed` for another method.
    func route(
        _ method: HTTPRequest.Method, _ path: String
    ) throws(Problem) -> (route: Route, names: [String]) {
        let words = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var allowed: [String] = []
        for (route, parts) in zip(routes, parts) {
            guard let names = Self.names(in: words, parts) else { continue }
            // HEAD is GET whose body nobody wants.
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
    /// A path that there is not.
    static let noRoute = Problem(
        .notFound, "not_found", "There is nothing here", detail: "/openapi.json says what there is."
    )
}
