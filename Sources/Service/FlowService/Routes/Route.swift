import HTTPServing
import HTTPTypes
import HummingbirdCore
import WorkflowKit

struct Route: Sendable {
    struct Call: Sendable {
        let request: Request
        let principal: Principal
        /// The path's values for the names in the template, in order.
        let names: [String]
        /// The path without percent-encoding, which is one however it was written.
        let path: String
        /// True if the request would still be allowed; for a long answer.
        var isStillGranted: @Sendable () async -> Bool = { true }

        /// The session id in the path.
        var id: String { names.first ?? "" }
    }

    typealias Answer = @Sendable (Call) async throws(Problem) -> Response

    let method: HTTPRequest.Method
    /// The path with names in braces, such as `/sessions/{id}/actions`, as in metrics.
    let template: String
    /// The required scope; `nil` if no token is needed.
    let scope: ServiceScope?
    /// True if the route is a probe of load balancers, which send no host name.
    var isProbe = false
    let answer: Answer

    /// The path with these names in the places of those of the template.
    func path(_ names: [String]) -> String {
        var names = names[...]
        return template.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("{") ? names.popFirst() ?? "" : String($0) }
            .joined(separator: "/")
    }

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

struct RouteTable: Sendable {
    let routes: [Route]
    private let parts: [[Substring]]

    init(_ routes: [Route]) {
        self.routes = routes
        parts = routes.map {
            Array($0.template.split(separator: "/", omittingEmptySubsequences: false).dropFirst())
        }
    }

    /// - Throws: A ``Problem`` with the code `not_found` or `method_not_allowed`.
    func route(
        _ method: HTTPRequest.Method, _ path: String
    ) throws(Problem) -> (route: Route, names: [String]) {
        let words = Self.words(in: path)
        for (route, parts) in zip(routes, parts) {
            guard let names = Self.names(in: words, parts) else { continue }
            // HEAD is GET without the body.
            if route.method == method || method == .head && route.method == .get {
                return (route, names)
            }
        }
        let allowed = try methods(of: path)
        var problem = Problem(
            .methodNotAllowed, "method_not_allowed", "Method not allowed",
            detail: "\(path.prefix(200)) takes \(allowed.joined(separator: ", ")).")
        problem.allow = allowed
        throw problem
    }

    /// The methods of a path, sorted; those of all for `*`. Throws a ``Problem`` for an unknown
    /// path.
    func methods(of path: String) throws(Problem) -> [String] {
        let words = Self.words(in: path)
        let found = zip(routes, parts).filter { _, parts in
            path == "*" || Self.names(in: words, parts) != nil
        }
        guard !found.isEmpty else { throw .noRoute }
        var methods = Set(found.map(\.0.method))
        if methods.contains(.get) { methods.insert(.head) }
        return methods.union([.options]).map(\.rawValue).sorted()
    }

    /// The parts of a path without percent-encoding; none if that is invalid.
    private static func words(in path: String) -> [String] {
        var words: [String] = []
        for part in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            guard let word = part.percentDecoded else { return [] }
            words.append(word)
        }
        return words
    }

    private static func names(in words: [String], _ parts: [Substring]) -> [String]? {
        guard words.count == parts.count else { return nil }
        var names: [String] = []
        for (word, part) in zip(words, parts) {
            if part.utf8.first == UInt8(ascii: "{") {
                guard !word.isEmpty else { return nil }
                names.append(word)
            } else if word != part {
                return nil
            }
        }
        return names
    }
}

extension Problem {
    static let noRoute = Problem(
        .notFound, "not_found", "No such path", detail: "/openapi.json says what there is."
    )
}
