import HTTPPlugin
import NIOHTTP1
import PlainValue
import PluginStage
import Testing
import WorkerKit

@Suite struct RedirectTests {
    /// Redirects from / to /next, which answers.
    private func server(
        _ status: Int = 302, to location: String = "/next"
    ) async throws -> TestServer {
        try await TestServer { request in
            request.path == "/" ? .redirect(status, to: location) : .text("arrived")
        }
    }

    @Test(arguments: [
        (301, "POST", "GET", ""), (302, "POST", "GET", ""), (303, "PUT", "GET", ""),
        (307, "POST", "POST", "text"), (308, "POST", "POST", "text"), (301, "PUT", "PUT", "text"),
    ])
    func aRedirectIsFollowedAsBrowsersDo(
        status: Int, method: String, next: String, body: String
    ) async throws {
        let server = try await server(status)
        let outputs = try await run(
            "http.request",
            ["url": .string(server.url), "method": .string(method), "body": "text"],
            allowing: [server.grant])
        #expect(outputs.first?["body"] == "arrived")
        #expect(outputs.first?["url"] == .string(server.url + "/next"))
        #expect(server.requests.map(\.method) == [method, next])
        #expect(server.requests.map(\.body) == ["text", body])
        #expect(server.requests.last?.headers.contains(name: "content-type") == !body.isEmpty)
    }

    @Test(arguments: ["next", "/next", "./a/../next", "next#part", "//127.0.0.1:PORT/next"])
    func aRedirectMayBeRelative(location: String) async throws {
        // The port is known only after the start, so the server reads it from a header.
        let server = try await TestServer { request in
            let port = request.headers.first(name: "host")?.split(separator: ":").last ?? ""
            return request.path == "/"
                ? .redirect(302, to: location.replacing("PORT", with: port)) : .text("arrived")
        }
        _ = try await run("http.get", ["url": .string(server.url)], allowing: [server.grant])
        #expect(server.requests.map(\.path) == ["/", "/next"])
    }

    @Test func secretsDoNotLeaveTheirOrigin() async throws {
        let other = try await TestServer { _ in .text("arrived") }
        let server = try await server(to: other.url + "/next")
        let headers: Value = ["Authorization": "Bearer x", "cookie": "a=1", "x-other": "y"]
        _ = try await run(
            "http.get", ["url": .string(server.url), "headers": headers],
            allowing: [server.grant, other.grant])
        let names = ["authorization", "cookie", "x-other"]
        let first = try #require(server.requests.first)
        #expect(names.map { first.headers.contains(name: $0) } == [true, true, true])
        let second = try #require(other.requests.first)
        #expect(names.map { second.headers.contains(name: $0) } == [false, false, true])
        // Headers stay within one origin.
        let same = try await self.server()
        _ = try await run(
            "http.get", ["url": .string(same.url), "headers": headers], allowing: [same.grant])
        #expect(same.requests.last?.headers["authorization"] == ["Bearer x"])
    }

    @Test(arguments: ["http.get", "http.lines", "http.events"])
    func aRedirectToAHostThatIsNotGrantedIsRefused(worker: String) async throws {
        let other = try await TestServer { _ in .text("secret") }
        let server = try await server(to: other.url + "/next")
        let error = await failure {
            try await run(worker, ["url": .string(server.url)], allowing: [server.grant])
        }
        #expect(
            error
                == WorkerError(
                    "not_granted", "\(other.grant) is not granted",
                    help: #"grant it with Grant("http", "\#(other.grant.dropFirst(5))")"#))
        #expect(other.requests.isEmpty)
    }

    @Test(arguments: [
        "file:///etc/passwd", "ftp://127.0.0.1/", "http://user@127.0.0.1/", "http://%31/",
        "javascript:alert(1)", "http:///", "http://127.0.0.1\\@x/",
    ]) func aRedirectToNoURLIsRefused(location: String) async throws {
        let server = try await server(to: location)
        let error = await failure {
            try await run("http.get", ["url": .string(server.url)], allowing: ["http"])
        }
        #expect(error?.code == "bad_url")
        #expect(
            error?.message
                == "the redirect to \(location.debugDescription) leads to no URL of http or https")
    }

    @Test func redirectsInACircleEnd() async throws {
        let server = try await server(to: "/")
        let error = await failure {
            try await run("http.get", ["url": .string(server.url)], allowing: [server.grant])
        }
        #expect(error == WorkerError("too_many_redirects", "there are more than 10 redirects"))
        #expect(server.requests.count == 11)
    }

    @Test func aStatusOfRedirectionWithoutALocationIsAnAnswer() async throws {
        let server = try await TestServer { _ in .text("choose", 300) }
        let outputs = try await run(
            "http.get", ["url": .string(server.url)], allowing: [server.grant])
        #expect(outputs.first?["status"] == 300)
    }
}
