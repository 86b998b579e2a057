import HTTPServing
import HTTPTypes
import HummingbirdCore
import PlainValue
import Testing

@testable import FlowService

struct RouteTests {
    private let table = RouteTable([
        Route(.get, "/sessions", .read) { _ in .json([:]) },
        Route(.get, "/sessions/{id}", .read) { _ in .json([:]) },
        Route(.delete, "/sessions/{id}", .delete) { _ in .json([:]) },
    ])

    @Test func aPathIsFoundByItsTemplateAndWhatStandsForANameIsDecoded() throws {
        let (route, names) = try table.route(.get, "/sessions/caf%C3%A9%2F1")
        #expect(route.template == "/sessions/{id}")
        #expect(names == ["café/1"])
    }

    @Test(
        arguments: [
            "/sessions/", "/sessions/%", "/sessions/%4", "/sessions/%zz", "/sessions/%ff", "/x",
            "/sessions/a%00", "/sessions/a%00b", "/sessions/a%0A", "/sessions/%7f",
        ])
    func pathsThatStandForNoTextOrHaveAnEmptyNameAreNotThere(path: String) throws {
        let problem = #expect(throws: Problem.self) { try table.route(.get, path) }
        #expect(problem?.status == .notFound)
    }

    @Test func anotherMethodIsRefusedWithThoseThatThereAre() throws {
        let problem = #expect(throws: Problem.self) { try table.route(.put, "/sessions/a") }
        #expect(problem?.status == .methodNotAllowed)
        #expect(problem?.response.headers[.allow] == "DELETE, GET, HEAD, OPTIONS")
        #expect(try table.methods(of: "/sessions") == ["GET", "HEAD", "OPTIONS"])
        #expect(try table.methods(of: "*") == ["DELETE", "GET", "HEAD", "OPTIONS"])
        #expect(throws: Problem.self) { try table.methods(of: "/x") }
    }

    @Test func aPathIsTheSameHoweverItIsWritten() throws {
        for path in ["/sessions/a b", "/sessions/a%20b", "/%73essions/%61%20%62"] {
            let (route, names) = try table.route(.get, path)
            #expect(names == ["a b"])
            #expect(route.path(names) == "/sessions/a b")
        }
    }
}
