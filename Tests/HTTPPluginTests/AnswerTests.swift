import Foundation
import HTTPPlugin
import NIOHTTP1
import PlainValue
import PluginStage
import Synchronization
import TestSupport
import Testing
import Timers
import WorkerKit

@Suite struct AnswerTests {
    @Test func theWorkersTellTheirShapes() {
        let body = "body?: string, json?: any, "
        let answer =
            "{ status: integer, url: string, headers: table<string, string>, body?: string, "
            + "base64?: string, json?: any }"
        let retry = "retry?: { attempts?: integer, first?: number, most?: number }"
        #expect(
            HTTPPlugin.plugin.workers.map { "\($0.name) \($0.input) -> \($0.output)" } == [
                "http.get { url: string, headers?: table<string, string>, timeout?: number, "
                    + "max_bytes?: integer, \(retry) } -> \(answer)",
                "http.post { url: string, headers?: table<string, string>, \(body)"
                    + "timeout?: number, max_bytes?: integer, \(retry) } -> \(answer)",
                "http.request { method: string, url: string, headers?: table<string, string>, "
                    + "\(body)timeout?: number, max_bytes?: integer, \(retry) } -> \(answer)",
                "http.lines { url: string, method?: string, headers?: table<string, string>, "
                    + "\(body)timeout?: number, idle_timeout?: number, max_bytes?: integer } -> "
                    + "{ status?: integer, url?: string, headers?: table<string, string>, "
                    + "line?: string }",
                "http.events { url: string, method?: string, headers?: table<string, string>, "
                    + "\(body)last_event_id?: string, timeout?: number, idle_timeout?: number, "
                    + "max_bytes?: integer } -> "
                    + "{ id?: string, event: string, data: string, retry?: integer }",
            ])
    }

    @Test func aRequestThatIsAnsweredLeavesNoTimer() async throws {
        let server = try await TestServer { _ in .text("here") }
        let clock = TestClock(.held)
        for _ in 1...300 {
            let outputs = try await run(
                "http.get", ["url": .string(server.url), "timeout": 86400],
                allowing: [server.grant], clock: clock)
            #expect(outputs[0]["status"] == 200)
        }
        #expect(clock.waits.count >= 300)
        while clock.asleep > 0 { await Task.yield() }
    }

    @Test func anAnswerHasStatusHeadersAndBody() async throws {
        let server = try await TestServer { _ in
            .whole(
                200,
                [
                    "Content-Type": "text/plain", "X-Twice": "a", "X-Twice": "b",
                    "Set-Cookie": "a=1, 2", "Set-Cookie": "b=2",
                ], Array("hellö".utf8))
        }
        let outputs = try await run(
            "http.get", ["url": .string(server.url)], allowing: [server.grant])
        #expect(
            outputs == [
                [
                    "status": 200, "url": .string(server.url + "/"), "body": "hellö",
                    "headers": [
                        "content-type": "text/plain", "x-twice": "a, b", "content-length": "6",
                        "set-cookie": "a=1, 2\nb=2",
                    ],
                ]
            ])
        let request = try #require(server.requests.first)
        #expect(request.method == "GET")
        #expect(request.headers["host"] == ["127.0.0.1:\(server.port)"])
        #expect(request.headers["user-agent"] == ["workflow-http/1.0"])
        #expect(request.headers["accept-encoding"] == ["identity"])
    }

    @Test(arguments: [404, 500]) func aStatusOfFailureIsAnOutput(status: Int) async throws {
        let server = try await TestServer { _ in .text("gone", status) }
        let outputs = try await run(
            "http.get", ["url": .string(server.url)], allowing: [server.grant])
        #expect(outputs.first?["status"] == .int(status))
        #expect(outputs.first?["body"] == "gone")
    }

    @Test(
        arguments: [
            ("application/json", "{\"a\":[1,2.0]}", ["a": [1, 2.0]]),
            ("application/problem+json; charset=utf-8", "{\"a\":1}", ["a": 1]),
            ("application/json", "no json", nil), ("text/plain", "{\"a\":1}", nil),
            (
                "application/json",
                String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000), nil
            ),
        ] as [(String, String, Value?)])
    func aBodyThatIsJSONIsReadAsSuch(type: String, body: String, json: Value?) async throws {
        let server = try await TestServer { _ in .text(body, type: type) }
        let outputs = try await run(
            "http.get", ["url": .string(server.url)], allowing: [server.grant])
        #expect(outputs.first?["json"] == json)
        #expect(outputs.first?["body"] == .string(body))
    }

    @Test func aBodyThatIsNoTextIsBase64() async throws {
        let server = try await TestServer { request in
            .whole(
                200,
                [
                    "content-type": request.path == "/old"
                        ? "text/plain; charset=\"ISO-8859-1\"" : "image/png"
                ], [0x68, 0xFC])
        }
        let image = try await run(
            "http.get", ["url": .string(server.url)], allowing: [server.grant])
        #expect(image.first?["base64"] == "aPw=")
        #expect(image.first?["body"] == nil)
        let old = try await run(
            "http.get", ["url": .string(server.url + "/old")], allowing: [server.grant])
        #expect(old.first?["body"] == "hü")
        #expect(old.first?["base64"] == nil)
    }

    @Test func whatIsPostedArrives() async throws {
        let server = try await TestServer { _ in .text("", 201) }
        let url = Value.string(server.url + "/items")
        _ = try await run(
            "http.post", ["url": url, "json": ["a": [1, 2.5, "ü"]]], allowing: [server.grant])
        _ = try await run(
            "http.post", ["url": url, "body": "a=1", "headers": ["Content-Type": "x/y"]],
            allowing: [server.grant])
        _ = try await run(
            "http.request", ["url": url, "method": "put", "body": "text"],
            allowing: [server.grant])
        _ = try await run(
            "http.request", ["url": url, "method": "HEAD"], allowing: [server.grant])
        #expect(server.requests.map(\.method) == ["POST", "POST", "PUT", "HEAD"])
        #expect(server.requests.map(\.body) == ["{\"a\":[1,2.5,\"ü\"]}", "a=1", "text", ""])
        #expect(
            server.requests.map { $0.headers["content-type"] } == [
                ["application/json"], ["x/y"], ["text/plain; charset=utf-8"], [],
            ])
    }

    @Test func aURLIsSentInOneSpelling() async throws {
        let server = try await TestServer { _ in .text("") }
        _ = try await run(
            "http.get",
            ["url": .string("HTTP://127.0.0.1:\(server.port)/ü/%41/100%?q[]={a}&b=\"c\"#part")],
            allowing: [server.grant])
        _ = try await run(
            "http.get", ["url": .string("\(server.url)?q=1")], allowing: [server.grant])
        #expect(
            server.requests.map(\.path) == [
                "/%C3%BC/%41/100%25?q%5B%5D=%7Ba%7D&b=%22c%22", "/?q=1",
            ])
    }

    @Test(
        arguments: [
            (
                ["headers": ["Host": "other.example"]], "the header 'Host' cannot be set",
                "it is made from the URL and the body"
            ),
            (
                ["headers": ["a": "b\r\nhost: x"]],
                "the header 'a' has a line break or a control character", nil
            ), (["headers": ["a b": "c"]], "\"a b\" is not the name of a header", nil),
            (["body": "a", "json": 1], "there is both a body and a json", "give one"),
            (
                ["method": "CONNECT"], "\"CONNECT\" is not a method",
                "take one such as GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS"
            ),
            (["method": "GET /x HTTP/1.1\r\n"], "\"GET /x HTTP/1.1\\r\\n\" is not a method", nil),
            (["timeout": 0], "timeout is 0", "it can be from 0.001 to 86400 seconds"),
            (["max_bytes": 100_000_000], "max_bytes is 100000000", "it can be from 1 to 7340032"),
        ] as [(Value.Record, String, String?)])
    func whatCannotBeSentIsRefused(fields: Value.Record, message: String, help: String?) async {
        var input: Value.Record = ["url": "http://localhost:1", "method": "GET"]
        for (key, value) in fields { input[key] = value }
        let error = await failure {
            try await run("http.request", .record(input), allowing: ["http=localhost"])
        }
        #expect(error?.code == "bad_input")
        #expect(error?.message == message)
        if let help { #expect(error?.help == help) }
    }

    @Test func aProxyOfTheEnvironmentIsNotUsed() async throws {
        let server = try await TestServer { _ in .text("direct") }
        for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"] {
            setenv(name, "http://127.0.0.1:1", 1)
        }
        let outputs = try await run(
            "http.get", ["url": .string(server.url)], allowing: [server.grant])
        #expect(outputs.first?["body"] == "direct")
    }
}
