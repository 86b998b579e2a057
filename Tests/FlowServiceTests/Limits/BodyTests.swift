import HTTPServing
import PlainValue
import RawHTTP
import Testing

@testable import FlowService

struct BodyTests {
    private static let head =
        "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

    @Test func aBodyOfAsManyBytesAsAreTakenIsReadAndOneMoreIsTooLarge() async throws {
        let server = try await TestRoutes { $0.body = 100 }
        let text = String(repeating: "a", count: 100 - #"{"a":""}"#.utf8.count)
        let fits = try await server.ask(.post("/echo", ["a": .string(text)]))
        #expect(fits.status == 200)
        #expect(fits.json == ["a": .string(text)])
        let answer = try await server.ask(.post("/echo", ["a": .string(text + "a")]))
        #expect(answer.status == 413)
        #expect(answer.code == "too_large")
        #expect(answer.json["detail"] == "It has at most 100 bytes.")
        #expect(server.bodies.bytes == 0)
        await server.listener.close()
    }

    @Test func aBodyThatAnnouncesAGigabyteIsRefusedBeforeAnyOfItIsRead() async throws {
        let server = try await TestRoutes()
        let text = Self.head + "Content-Length: 1000000000\r\n\r\n"
        let answer = try await RawAnswer(to: text, port: server.port, until: "\r\n\r\n")
        #expect(answer.status == 413)
        await server.listener.close()
    }

    @Test func aBodyInPiecesThatSaysNoSizeIsReadUpToTheBoundAndNotFurther() async throws {
        let server = try await TestRoutes { $0.body = 1000 }
        let client = try await RawClient(port: server.port)
        client.send(Self.head + "Transfer-Encoding: chunked\r\n\r\n")
        let piece = "100\r\n" + String(repeating: " ", count: 256) + "\r\n"
        for _ in 0..<4 { client.send(piece) }
        #expect(RawAnswer(await client.read(until: "\r\n\r\n")).status == 413)
        client.close()
        await server.listener.close()
    }

    @Test func theSumOfAllBodiesIsBoundedAndWhoComesLaterIsToldToComeAgain() async throws {
        let server = try await TestRoutes {
            $0.body = 1000
            $0.bodies = 1500
        }
        let first = try await RawClient(port: server.port)
        first.send(
            Self.head + "Content-Length: 1000\r\n\r\n{\"a\":" + String(repeating: " ", count: 985))
        while server.bodies.bytes < 990 { await Task.yield() }
        let second = try await server.ask(
            .post("/echo", ["a": .string(String(repeating: "a", count: 900))]))
        #expect(second.status == 503)
        #expect(second.code == "overloaded")
        #expect(second.header("Retry-After") == "1")
        first.send("       1 }")
        #expect(RawAnswer(await first.read(until: "}")).json == ["a": 1])
        first.close()
        await server.listener.close()
    }

    @Test func aBodyThatDoesNotComeToItsEndCostsTheConnection() async throws {
        let server = try await TestRoutes { $0.bodyTime = .zero }
        let text = Self.head + "Content-Length: 10\r\n\r\n{"
        #expect(try await RawAnswer(to: text, port: server.port).status != 200)
        // The request handler notices the end later than the client.
        while server.bodies.bytes != 0 { await Task.yield() }
        await server.listener.close()
    }

    @Test(
        arguments: [
            ("", "line 1, column 1: expected a value, found the end of the text"),
            ("[]", "it is a list"),
            ("{", "line 1, column 2: expected a key in double quotes, found the end of the text"),
            ("{\"a\":1}x", "line 1, column 8: expected the end of the text, found 'x'"),
            ("\u{FEFF}[]", "it is a list"),
            ("{\"a\":1e999}", "line 1, column 6: a number is too large for a float"),
            ("{\"a\":1,\"a\":2}", "line 1, column 8: the key \"a\" appears twice"),
        ])
    func whatIsNotAJSONObjectIsRefused(body: String, reason: String) async throws {
        let server = try await TestRoutes()
        let answer = try await server.ask(
            RawRequest(
                method: "POST", path: "/echo", headers: ["Content-Type: application/json"],
                body: body))
        #expect(answer.status == 400)
        #expect(answer.code == "bad_request")
        #expect(answer.json["detail"] == .string("Its body is to be a JSON object: \(reason)."))
        await server.listener.close()
    }
}
