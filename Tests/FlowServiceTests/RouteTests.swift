import HTTPServing
import HTTPTypes
import HummingbirdCore
import PlainValue
import Testing

@testable import FlowService

@Suite("Routes") struct RouteTests {
    private let table = RouteTable([
        Route(.get, "/sessions", .read) { _ in .json([:]) },
        Route(.get, "/sessions/{id}", .read) { _ in .json([:]) },
        Route(.delete, "/sessions/{id}", .delete) { _ in .json([:]) },
    ])

    @Test("A path is found by its template, and what stands for a name is decoded")
    func names() throws {
        let (route, names) = try table.route(.get, "/sessions/caf%C3%A9%2F1")
        #expect(route.template == "/sessions/{id}")
        #expect(names == ["café/1"])
    }

    @Test(
        "Paths that stand for no text, or have an empty name, are not there",
        arguments: [
            "/sessions/", "/sessions/%", "/sessions/%4", "/sessions/%zz", "/sessions/%ff", "/x",
            "/sessions/a%00", "/sessions/a%00b", "/sessions/a%0A", "/sessions/%7f",
        ])
    func unknown(path: String) throws {
        let problem = #expect(throws: Problem.self) { try table.route(.get, path) }
        #expect(problem?.status == .notFound)
    }

    @Test("Another method is refused with those that there are") func methods() throws {
        let problem = #expect(throws: Problem.self) { try table.route(.put, "/sessions/a") }
        #expect(problem?.status == .methodNotAllowed)
        #expect(problem?.response.headers[.allow] == "DELETE, GET, HEAD, OPTIONS")
        #expect(try table.methods(of: "/sessions") == ["GET", "HEAD", "OPTIONS"])
        #expect(try table.methods(of: "*") == ["DELETE", "GET", "HEAD", "OPTIONS"])
        #expect(throws: Problem.self) { try table.methods(of: "/x") }
    }

    @Test("A path is the same however it is written") func encoded() throws {
        for path in ["/sessions/a b", "/sessions/a%20b", "/%73essions/%61%20%62"] {
            let (route, names) = try table.route(.get, path)
            #expect(names == ["a b"])
            #expect(route.path(names) == "/sessions/a b")
        }
    }
}
