import HTTPServing
import PlainValue
import RawHTTP
import Testing

@testable import FlowService

struct ConnectionTests {
    private static let name = "GET /name HTTP/1.1\r\nHost: localhost\r\n\r\n"

    @Test func headersWithoutEndAreRefusedWhenTheyAreTooManyBytes() async throws {
        let server = try await TestRoutes { $0.headers = 2000 }
        for (text, status) in [
            (
                "GET /name HTTP/1.1\r\nHost: localhost\r\nX: "
                    + String(repeating: "a", count: 3000), 431
            ),
            (
                "GET /name HTTP/1.1\r\nHost: localhost\r\n"
                    + String(repeating: "X: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n", count: 60),
                431
            ), ("GET /" + String(repeating: "a", count: 200_000), 414),
        ] {
            let answer = try await RawAnswer(to: text, port: server.port)
            // A client that sends more than is read may lose the answer.
            #expect(answer.status == status || answer.status == 0)
        }
        #expect(try await server.ask(.get("/name")).status == 200)
        await server.listener.close()
    }

    @Test func connectionsBeyondTheMostAreToldToComeAgainAndPlacesAreGivenBack() async throws {
        let server = try await TestRoutes { $0.connections = 3 }
        var clients: [RawClient] = []
        for _ in 0..<3 {
            let client = try await RawClient(port: server.port, sending: Self.name)
            _ = await client.read(until: "anyone")
            clients.append(client)
        }
        let refused = try await server.ask(.get("/name"))
        #expect(refused.status == 503)
        #expect(refused.header("Retry-After") == "1")
        #expect(refused.code == "connections")
        #expect(
            server.metrics.text.contains(
                #"workflow_refused_requests_total{reason="connections"} 1"#))
        clients[0].close()
        while try await server.ask(.get("/name")).status != 200 { await Task.yield() }
        for client in clients { client.close() }
        await server.listener.close()
    }

    @Test(arguments: ["", "GET /name HTTP/1.1\r\nHos"])
    func aConnectionThatSaysNothingIsClosed(text: String) async throws {
        let server = try await TestRoutes { $0.idleTime = .seconds(1) }
        // Returns at the end of the connection.
        #expect(try await RawClient(port: server.port, sending: text).read() == "")
        await server.listener.close()
    }

    @Test func aListenerThatACancelledTaskBeginsKnowsItsPort() async throws {
        let server = try await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await TestRoutes()
        }.value
        #expect(try await server.ask(.get("/name")).status == 200)
        await server.listener.close()
    }

    @Test func aClientThatDoesNotReadWhatItHasAskedForIsGivenUp() async throws {
        let server = try await TestRoutes {
            $0.idleTime = .seconds(1)
            $0.connections = 1
        }
        let client = try await RawClient(port: server.port, reads: false)
        client.send("GET /flood HTTP/1.1\r\nHost: localhost\r\n\r\n")
        // The place becomes free only when the connection is closed.
        while try await server.ask(.get("/name")).status != 200 { await Task.yield() }
        client.close()
        await server.listener.close()
    }

    @Test func aDrainLetsARequestEndAndClosesConnectionsWithoutOne() async throws {
        let server = try await TestRoutes()
        let idle = try await RawClient(port: server.port, sending: Self.name)
        _ = await idle.read(until: "anyone")
        let busy = try await RawClient(port: server.port)
        busy.send(
            "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: 7\r\n\r\n{\"a\":")
        while server.bodies.bytes == 0 { await Task.yield() }
        server.state.drain()
        async let drained: Void = server.listener.drain(within: .seconds(3600))
        #expect(await idle.read() == "")
        busy.send("1}")
        let answer = RawAnswer(await busy.read())
        #expect(answer.json == ["a": 1])
        #expect(answer.header("Connection") == "close")
        await drained
    }

    @Test func aDrainCutsShortWhatDoesNotEndInItsTime() async throws {
        let server = try await TestRoutes()
        let client = try await RawClient(port: server.port)
        client.send("GET /flood HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = await client.read(until: "xxx")
        await server.listener.drain(within: .milliseconds(1))
        // The connection has ended.
        _ = await client.read()
    }
}
