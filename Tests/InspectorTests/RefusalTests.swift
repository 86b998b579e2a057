import PlainValue
import RawHTTP
import Testing

@testable import InspectorServer

struct RefusalTests {
    // MARK: Names and sites

    @Test(
        arguments: [
            "evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example",
            "notlocalhost", "[::2]", "127.0.0.2", "localhost@evil.example", "",
        ])
    func theNameOfAnotherHostIsRefused(_ host: String) async throws {
        let site = try await Site()
        for request in [
            RawRequest(host: host), RawRequest(path: "/stream", host: host, headers: [site.bearer]),
        ] {
            let answer = try await site.ask(request)
            #expect(answer.status == 403 || answer.status == 400, "\(answer)")
            #expect(answer.code == "foreign_host" || answer.status == 400)
        }
        var login = RawRequest.post("/login", ["token": .string(site.server.token)])
        login.host = host
        #expect(try await site.ask(login).header("Set-Cookie") == nil)
        await site.close()
    }

    @Test func aRequestWithoutTheNameOfAHostIsRefused() async throws {
        let site = try await Site()
        let answer = try await site.ask(RawRequest(host: nil))
        #expect([400, 403].contains(answer.status))
        await site.close()
    }

    @Test func theNamesOfThisComputerAndThoseThatAreAllowedAreTaken() async throws {
        let site = try await Site { $0.hosts = ["box.example"] }
        for host in [
            "127.0.0.1", "localhost", "LOCALHOST:1", "flow.localhost", "[::1]", "[::1]:8080",
            "box.example", "box.example:8443",
        ] { #expect(try await site.ask(RawRequest(host: host)).status == 200, "\(host)") }
        await site.close()
    }

    @Test(
        arguments: [
            ["Origin: http://evil.example"], ["Origin: null"], ["Origin: http://127.0.0.1:1"],
            ["Origin: http://localhost"], ["Sec-Fetch-Site: cross-site"],
            ["Sec-Fetch-Site: same-site"],
            ["Origin: http://127.0.0.1", "Sec-Fetch-Site: cross-site"],
        ])
    func whatAPageOfAnotherSiteMakesABrowserAskIsRefused(_ headers: [String]) async throws {
        let site = try await Site()
        let token = Value.string(site.server.token)
        for request in [
            RawRequest.post("/login", ["token": token], headers),
            .post("/request", ["do": "status"], headers + [site.bearer]),
            .post("/share", ["scopes": ["view"]], headers + [site.bearer]),
            .get("/stream", headers + [site.bearer]),
        ] {
            let answer = try await site.ask(request)
            #expect(answer.status == 403)
            #expect(answer.code == "foreign_origin")
        }
        #expect(site.session.requests.isEmpty)
        await site.close()
    }

    @Test func whatItsOwnPageAsksIsTakenAtAnyOfItsNames() async throws {
        let site = try await Site()
        for host in ["127.0.0.1:\(site.port)", "localhost:\(site.port)"] {
            var request = RawRequest.post(
                "/login", ["token": .string(site.server.token)],
                ["Origin: http://\(host)", "Sec-Fetch-Site: same-origin"])
            request.host = host
            #expect(try await site.ask(request).status == 200)
        }
        await site.close()
    }

    // MARK: Tokens

    @Test func aWrongTokenIsRefusedAndAfterTenOfThemEveryTokenForASecond() async throws {
        let site = try await Site()
        let cookie = ["Cookie: inspector-\(site.port)-0=\(site.server.token)"]
        let wrong = String(site.server.token.dropLast()) + "!"
        for token in [wrong, "", site.server.token + "x", "ä"] + Array(repeating: wrong, count: 6) {
            let answer = try await site.ask(.post("/login", ["token": .string(token)]))
            #expect(answer.status == 403)
            #expect(answer.code == "wrong_token")
            #expect(answer.header("Set-Cookie") == nil)
        }
        let right = RawRequest.post("/login", ["token": .string(site.server.token)])
        let silent = try await site.ask(right)
        #expect(silent.status == 429)
        #expect(silent.header("Retry-After") == "1")
        // Clients that have logged in can continue.
        #expect(try await site.ask(.post("/request", ["do": "status"], cookie)).status == 200)
        site.time.move(by: .milliseconds(999))
        #expect(try await site.ask(right).status == 429)
        site.time.move(by: .milliseconds(1))
        #expect(try await site.ask(right).status == 200)
        await site.close()
    }

    @Test func whatIsAskedWithoutATokenIsRefused() async throws {
        let site = try await Site()
        for headers in [
            [], ["Cookie: inspector-\(site.port)-0=nothing"], ["Authorization: Basic abc"],
            ["Cookie: inspector-1-0=\(site.server.token)"],
            ["Cookie: inspector-\(site.port)=\(site.server.token)"],
        ] {
            for request in [
                RawRequest.get("/stream", headers), .post("/request", ["do": "status"], headers),
                .post("/share", ["scopes": ["view"]], headers),
            ] { #expect(try await site.ask(request).status == 401) }
        }
        #expect(try await site.ask(.get("/stream?token=\(site.server.token)")).status == 401)
        #expect(site.session.requests.isEmpty)
        await site.close()
    }

    // MARK: Sizes and forms

    @Test func aBodyThatIsTooLargeIsRefusedWhetherItSaysSoOrNot() async throws {
        let site = try await Site { $0.limits.body = 1000 }
        let head =
            "POST /request HTTP/1.1\r\nHost: localhost\r\n\(site.bearer)\r\n"
            + "Content-Type: application/json\r\n"
        for text in [
            head + "Content-Length: 1001\r\n\r\n",
            head + "Transfer-Encoding: chunked\r\n\r\n3e9\r\n"
                + String(repeating: " ", count: 1001) + "\r\n",
        ] {
            let answer = try await RawAnswer(to: text, port: site.port)
            #expect(answer.status == 413)
            #expect(answer.code == "too_large")
        }
        await site.close()
    }

    @Test func headersThatAreTooLargeOrTooManyAreRefused() async throws {
        let site = try await Site()
        for headers in [
            ["X-Long: " + String(repeating: "x", count: 20_000)],
            (0..<200).map { "X-Header-\($0): x" },
        ] { #expect(try await site.ask(.get("/", headers)).status == 431) }
        #expect(try await site.ask(.get("/")).status == 200)
        await site.close()
    }

    @Test(
        arguments: [
            ("application/json", "[1]", 400), ("application/json", "{", 400),
            ("application/json", "{}", 400), ("application/json", "{\"do\":1}", 400),
            ("text/plain", "{\"do\":\"status\"}", 415),
            ("application/x-www-form-urlencoded", "{\"do\":\"status\"}", 415),
            ("application/json; charset=utf-8", "{\"do\":\"status\"}", 200),
        ])
    func aBodyThatIsNotAJSONObjectOrDoesNotSayThatItIsJSONIsRefused(
        _ type: String, _ body: String, _ status: Int
    ) async throws {
        let site = try await Site()
        let request = RawRequest(
            method: "POST", path: "/request",
            headers: ["Content-Type: \(type)", site.bearer], body: body)
        #expect(try await site.ask(request).status == status)
        await site.close()
    }

    @Test(arguments: ["follow", "narrow", "patches", "quit"])
    func aRequestToChangeWhatAConnectionIsForIsRefused(_ verb: String) async throws {
        let site = try await Site()
        let request = RawRequest.post("/request", ["do": .string(verb)], [site.bearer])
        #expect(try await site.ask(request).code == "bad_request")
        await site.close()
    }

    @Test(arguments: ["HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])
    func otherMethodsAreRefused(_ method: String) async throws {
        let site = try await Site()
        let answer = try await site.ask(
            RawRequest(method: method, headers: ["Origin: http://evil.example"]))
        #expect(answer.status == 405)
        #expect(!answer.head.lowercased().contains("access-control"))
        await site.close()
    }

    // MARK: Numbers

    @Test func connectionsBeyondTheMostAreRefusedAtOnceWithATimeToComeBack() async throws {
        let site = try await Site { $0.limits.connections = 16 }
        var kept: [RawClient] = []
        for _ in 0..<16 {
            let client = try await RawClient(port: site.port)
            client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = await client.read(until: "\r\n\r\n")
            kept.append(client)
        }
        for _ in 0..<1000 {
            let client = try await RawClient(port: site.port)
            let answer = RawAnswer(await client.read())
            #expect(answer.status == 503)
            #expect(answer.header("Retry-After") == "1")
            client.close()
        }
        kept[0].send("GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(await kept[0].read(until: "not_found").contains("404"))
        for client in kept { client.close() }
        // The server notices the closed connections later.
        while try await site.ask(.get("/")).status != 200 {}
        await site.close()
    }

    @Test func streamsBeyondTheMostAreRefused() async throws {
        let site = try await Site { $0.limits.streams = 3 }
        var streams: [RawClient] = []
        for _ in 0..<3 { streams.append(try await site.openStream().client) }
        let refused = try await site.ask(.get("/stream", [site.bearer]))
        #expect(refused.status == 503)
        #expect(refused.header("Retry-After") != nil)
        streams[0].close()
        // A place becomes free when the server notices that.
        while true {
            let (client, text) = try await site.openStream(until: "\r\n\r\n")
            client.close()
            if RawAnswer(text).status == 200 { break }
        }
        await site.close()
    }

    @Test func moreLinksThanTheServerKeepsAreRefused() async throws {
        let site = try await Site { $0.limits.shares = 2 }
        let request = RawRequest.post("/share", ["scopes": ["view"]], [site.bearer])
        for status in [200, 200, 503] { #expect(try await site.ask(request).status == status) }
        await site.close()
    }
}
