import HTTPServing
import HTTPTypes
import HummingbirdCore
import NIOCore
import PlainValue
import RawHTTP
import Testing

@testable import FlowService

struct MessageTests {
    private let server: TestRoutes

    init() async throws {
        let stream = Route(.get, "/stream", .read) { _ in
            Response(
                status: .ok, headers: [.contentType: "text/event-stream"],
                body: ResponseBody { writer in
                    try await writer.write(ByteBuffer(string: "one"))
                    try await writer.write(ByteBuffer(string: "two"))
                    try await writer.finish(nil)
                })
        }
        server = try await TestRoutes({ _ in }, [stream])
    }

    private func ask(_ text: String) async throws -> RawAnswer {
        try await RawAnswer(to: text, port: server.port)
    }

    // MARK: Hosts

    @Test(
        arguments: [
            "", "Host: localhost\r\nHost: localhost\r\n",
            "Host: localhost\r\nHost: evil.example\r\n",
            "Host: localhost, evil.example\r\n", "Host: local host\r\n", "Host: a/b\r\n",
            "Host: localhost:x\r\n", "Host: a@localhost\r\n",
        ])
    func aRequestHasOneHost(fields: String) async throws {
        for path in ["/name", "/none"] {
            let answer = try await ask("GET \(path) HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n")
            #expect(answer.status == 400)
            #expect(answer.json["title"] == "Unreadable host")
        }
        await server.listener.close()
    }

    @Test func theHostInTheTargetOfARequestCountsAndNotTheOneInTheField() async throws {
        for (target, host, status) in [
            ("http://localhost/name", "evil.example", 200),
            ("http://evil.example/name", "localhost", 403), ("/name", "evil.example", 403),
        ] {
            let answer = try await ask(
                "GET \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
            #expect(answer.status == status, "\(target) at \(host)")
        }
        await server.listener.close()
    }

    // MARK: Versions

    @Test(arguments: ["", "Host: localhost\r\n", "Host: localhost\r\nConnection: keep-alive\r\n"])
    func http10ClosesAndIsNeverChunked(fields: String) async throws {
        let whole = try await ask("GET /name HTTP/1.0\r\n\(fields)\r\n")
        #expect(whole.status == 200)
        #expect(whole.header("Connection") == "close")
        #expect(whole.json == ["name": "anyone"])
        let stream = try await ask("GET /stream HTTP/1.0\r\n\(fields)\r\n")
        #expect(stream.header("Connection") == "close")
        #expect(stream.header("Transfer-Encoding") == nil)
        #expect(stream.body == "onetwo")
        // It knows nothing of 100 Continue.
        let posted = try await ask(
            "POST /echo HTTP/1.0\r\n\(fields)Expect: 100-continue\r\n"
                + "Content-Type: application/json\r\nContent-Length: 7\r\n\r\n{\"a\":1}")
        #expect(posted.status == 200)
        await server.listener.close()
    }

    @Test func howeverAClientAsksToCloseItIsToldThatTheConnectionCloses() async throws {
        for value in ["close", "Close", "TE, close"] {
            let answer = try await ask(
                "GET /name HTTP/1.1\r\nHost: localhost\r\nConnection: \(value)\r\n\r\n")
            #expect(answer.header("Connection") == "close")
        }
        await server.listener.close()
    }

    @Test func theAnswerToWhoAsksForAnotherProtocolEndsTheConnection() async throws {
        let answer = try await ask(
            "GET /name HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n")
        #expect(answer.status == 200)
        #expect(answer.header("Connection") == "close")
        let connect = try await ask("CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n")
        #expect(connect.status == 404)
        #expect(connect.header("Connection") == "close")
        await server.listener.close()
    }

    // MARK: 100 Continue

    private static let expectant =
        "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + "Expect: 100-Continue\r\n"

    @Test func aClientThatWaitsIsToldToGoOnAndTheConnectionGoesOnToo() async throws {
        let client = try await RawClient(port: server.port)
        for _ in 0..<2 {
            client.send(Self.expectant + "Content-Length: 7\r\n\r\n")
            let interim = RawAnswer(await client.read(until: "\r\n\r\n"))
            #expect(interim.status == 100)
            client.send("{\"a\":1}")
            let answer = RawAnswer(await client.read(until: "{\"a\":1}\n"))
            #expect(answer.status == 200)
            #expect(answer.header("Connection") == nil)
        }
        client.close()
        await server.listener.close()
    }

    @Test func aClientThatWaitsIsRefusedWithoutItsBodyAndTheConnectionEnds() async throws {
        for head in [
            Self.expectant.replacing("/echo", with: "/none") + "Content-Length: 7\r\n\r\n",
            Self.expectant + "Content-Length: 100000000\r\n\r\n",
        ] {
            let answer = try await ask(head)
            #expect([404, 413].contains(answer.status))
            #expect(answer.header("Connection") == "close")
        }
        await server.listener.close()
    }

    // MARK: Answers

    @Test func eachAnswerHasItsTime() async throws {
        for text in [
            "GET /name HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            "GET /none HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            "\r\n\r\nx y z\r\n",
        ] {
            let date = try await ask(text).header("Date")
            #expect(date?.wholeMatch(of: /\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/) != nil)
        }
        await server.listener.close()
    }

    @Test func headHasTheFieldsOfGetAndNoBodyAndTheNextRequestHasItsAnswer() async throws {
        let client = try await RawClient(port: server.port)
        client.send(
            "HEAD /stream HTTP/1.1\r\nHost: localhost\r\n\r\n"
                + "HEAD /name HTTP/1.1\r\nHost: localhost\r\n\r\n"
                + "GET /name HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        let heads = await client.read().split(
            separator: "\r\n\r\n", omittingEmptySubsequences: false)
        #expect(heads.count == 4)
        #expect(heads[0].lowercased().contains("transfer-encoding: chunked"))
        #expect(!heads[0].lowercased().contains("content-length"))
        #expect(heads[1].contains("Content-Length: 18"))
        #expect(heads[3] == "{\"name\":\"anyone\"}\n")
        client.close()
        await server.listener.close()
    }

    @Test func optionsTellsTheMethodsOfAPathAndThoseOfAll() async throws {
        for (path, methods) in [
            ("/name", "GET, HEAD, OPTIONS"), ("/echo", "OPTIONS, POST"),
            ("*", "GET, HEAD, OPTIONS, POST"),
        ] {
            let answer = try await ask(
                "OPTIONS \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            #expect(answer.status == 204)
            #expect(answer.header("Allow") == methods)
            #expect(answer.header("Content-Length") == nil)
        }
        await server.listener.close()
    }

    // MARK: What cannot be parsed

    @Test(
        arguments: [
            ("FETCH /name HTTP/1.1\r\nHost: localhost\r\n\r\n", 501),
            ("GET /name HTTP/7.0\r\nHost: localhost\r\n\r\n", 505),
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
            ("GET /\(String(repeating: "a", count: 17000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
            ("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 17000))\r\n\r\n", 431),
            ("GET / HTTP/1.1\r\n" + String(repeating: "X: a\r\n", count: 101) + "\r\n", 431),
            ("GET /name HTTP/1.1\r\nHo st: localhost\r\n\r\n", 400),
            ("GET /name HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", 400),
        ])
    func whatCannotBeParsedGetsAProblemAndIsCounted(text: String, status: Int) async throws {
        let answer = try await ask(text)
        #expect(answer.status == status)
        #expect(answer.code == "bad_request")
        #expect(answer.json["status"] == .int(status))
        #expect(answer.header("Content-Type") == "application/problem+json")
        #expect(answer.header("Connection") == "close")
        #expect(answer.header("X-Content-Type-Options") == "nosniff")
        let label = "route=\"other\",method=\"other\",status=\"\(status / 100)xx\""
        #expect(server.metrics.text.contains("workflow_requests_total{\(label)} 1"))
        await server.listener.close()
    }

    @Test func whatCannotBeParsedIsAnsweredAfterTheRequestsBeforeIt() async throws {
        let client = try await RawClient(
            port: server.port,
            sending: "GET /name HTTP/1.1\r\nHost: localhost\r\n\r\nx y z\r\n\r\n")
        let text = await client.read()
        #expect(text.hasPrefix("HTTP/1.1 200 "))
        #expect(text.contains("{\"name\":\"anyone\"}\n" + "HTTP/1.1 "))
        #expect(text.contains("\"code\":\"bad_request\""))
        client.close()
        await server.listener.close()
    }
}
