import NIOHTTP1
import PlainValue
import PluginStage
import TestSupport
import Testing
import WorkerKit

@testable import HTTPPlugin

@Suite struct StreamTests {
    private func streaming(
        _ type: String = "text/event-stream"
    ) async throws -> (TestServer, AsyncStream<String>.Continuation) {
        let (texts, continuation) = AsyncStream<String>.makeStream()
        return (try await TestServer { _ in .stream(["content-type": type], texts) }, continuation)
    }

    @Test func linesAreGivenAsTheyArrive() async throws {
        let (server, texts) = try await streaming("text/plain")
        let stage = try Stage(allowing: [server.grant])
        var outputs = try await stage.startInTime("http.lines", ["url": .string(server.url)])
            .makeAsyncIterator()
        let head = try await outputs.next()
        #expect(head?["status"] == 200)
        #expect(head?["url"] == .string(server.url + "/"))
        #expect(head?["headers"]?["content-type"] == "text/plain")
        // Each line arrives before the server sends the next one.
        for (text, line) in [("one\n", "one"), ("tw", nil), ("o\r\n", "two"), ("\n", "")] {
            texts.yield(text)
            if let line { #expect(try await outputs.next() == ["line": .string(line)]) }
        }
        texts.yield("last")
        texts.finish()
        #expect(try await outputs.next() == ["line": "last"])
        #expect(try await outputs.next() == nil)
    }

    @Test func aStatusOfFailureIsTheFirstOutputOfLines() async throws {
        let server = try await TestServer { _ in .text("no\nway\n", 404) }
        let outputs = try await run(
            "http.lines", ["url": .string(server.url)], allowing: [server.grant])
        #expect(outputs.first?["status"] == 404)
        #expect(outputs.dropFirst() == [["line": "no"], ["line": "way"]])
    }

    @Test func aLineThatIsTooLongOrNoTextIsRefused() async throws {
        let server = try await TestServer { request in
            .whole(
                200, [:], request.path == "/" ? Array("12345\n".utf8) : [0x61, 0x0A, 0xFF, 0x0A])
        }
        let long = await failure {
            try await run(
                "http.lines", ["url": .string(server.url), "max_bytes": 4],
                allowing: [server.grant])
        }
        #expect(
            long
                == WorkerError("too_large", "a line has more than 4 bytes", help: "raise max_bytes")
        )
        let bad = await failure {
            try await run(
                "http.lines", ["url": .string(server.url + "/bad")], allowing: [server.grant])
        }
        #expect(
            bad
                == WorkerError(
                    "not_text", "line 2 of the answer is not UTF-8",
                    help: "take http.get, which gives such a body as base64"))
    }

    @Test(arguments: ["http.lines", "http.events"])
    func aStreamThatFallsSilentTimesOut(worker: String) async throws {
        let (server, texts) = try await streaming()
        let gate = TestClock(.held)
        let stage = try Stage(allowing: [server.grant])
        var outputs = try await stage.start(
            worker, ["url": .string(server.url), "idle_timeout": 60], clock: gate
        ).makeAsyncIterator()
        texts.yield("data: 1\n\n")
        _ = try await outputs.next()
        gate.open()
        var error: WorkerError?
        do { while try await outputs.next() != nil {} } catch let failure {
            error = failure as? WorkerError
        }
        #expect(
            error
                == WorkerError(
                    "timed_out", "127.0.0.1:\(server.port) sent nothing within 60 seconds",
                    help: "raise idle_timeout"))
        texts.finish()
    }

    @Test func eventsAreGivenAsTheyArrive() async throws {
        let (server, texts) = try await streaming("text/event-stream; charset=utf-8")
        let stage = try Stage(allowing: [server.grant])
        var outputs = try await stage.startInTime(
            "http.events", ["url": .string(server.url), "last_event_id": "6"]
        ).makeAsyncIterator()
        texts.yield("event: add\ndata: a\ndata: b\nid: 7\n\n")
        #expect(try await outputs.next() == ["event": "add", "data": "a\nb", "id": "7"])
        texts.yield(": still here\n\nretry: 500\n\nda")
        texts.yield("ta:c\n\ndata: incomplete")
        #expect(
            try await outputs.next() == ["event": "message", "data": "c", "id": "7", "retry": 500])
        texts.finish()
        #expect(try await outputs.next() == nil)
        let request = try #require(server.requests.first)
        #expect(request.headers["last-event-id"] == ["6"])
        #expect(request.headers["accept"] == ["text/event-stream"])
        #expect(request.headers["cache-control"] == ["no-store"])
    }

    @Test func manyStreamsFromOneHostHoldUpNoOtherRequest() async throws {
        let (texts, continuation) = AsyncStream<String>.makeStream()
        let server = try await TestServer { request in
            request.path == "/" ? .text("quick") : .stream([:], texts)
        }
        var stages: [Stage] = []
        for number in 1...20 {
            let stage = try Stage(allowing: [server.grant])
            var outputs = try await stage.startInTime(
                "http.lines", ["url": .string(server.url + "/\(number)")]
            ).makeAsyncIterator()
            #expect(try await outputs.next()?["status"] == 200)
            stages.append(stage)
        }
        let outputs = try await run(
            "http.get", ["url": .string(server.url)], allowing: [server.grant])
        #expect(outputs.first?["body"] == "quick")
        for stage in stages { await stage.shutDown() }
        continuation.finish()
    }

    @Test func whatIsNoStreamOfEventsIsRefused() async throws {
        let server = try await TestServer { request in
            switch request.path {
            case "/done": .whole(204, [:], [])
            case "/missing": .text("", 404, type: "text/event-stream")
            default: .text("", type: "text/html")
            }
        }
        func failing(_ path: String) async -> WorkerError? {
            await failure {
                try await run(
                    "http.events", ["url": .string(server.url + path)], allowing: [server.grant])
            }
        }
        let name = "127.0.0.1:\(server.port)"
        #expect(
            await failing("/missing")
                == WorkerError("bad_status", "\(name) answered 404 Not Found, not events"))
        #expect(
            await failing("/page")
                == WorkerError(
                    "bad_type", "\(name) answered with text/html, not with text/event-stream",
                    help: "take http.lines for other streams"))
        #expect(await failing("/done") == nil)
    }

    // MARK: Without a server

    /// Splits bytes into pieces of one size, which must not change the result of the readers.
    private func events(_ text: String, piece: Int) throws -> [ServerEvent] {
        var lines = LineReader(maximum: 1000)
        var reader = EventReader(lastID: "", maximum: 1000)
        let bytes = Array(text.utf8)
        var events: [ServerEvent] = []
        for start in stride(from: 0, to: bytes.count, by: piece) {
            let part = Array(bytes[start..<min(start + piece, bytes.count)])
            for line in try lines.lines(adding: part) {
                if let event = try reader.event(afterLine: line) { events.append(event) }
            }
        }
        return events
    }

    private static func event(
        _ data: String, _ name: String = "message", id: String? = nil, retry: Int? = nil
    ) -> ServerEvent { ServerEvent(id: id, event: name, data: data, retry: retry) }

    /// The first five are the examples in the standard.
    @Test(arguments: [
        ("data: YHOO\ndata: +2\ndata: 10\n\n", [event("YHOO\n+2\n10")]),
        (
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            [event("first event", id: "1"), event("second event"), event(" third event")]
        ), ("data\n\ndata\ndata\n\ndata:", [event(""), event("\n")]),
        ("data:test\n\ndata: test\n\n", [event("test"), event("test")]),
        (
            "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\n",
            [event("73857293", "add"), event("2153", "remove")]
        ),
        ("\u{FEFF}data: a\r\rdata: b\r\n\r\ndata: c\n\n", [event("a"), event("b"), event("c")]),
        ("\u{FEFF}\u{FEFF}data: a\n\n", []),
        ("event: x\n\ndata: a\n\n", [event("a")]),
        ("id: 1\n\nid: 2\0\ndata: a\n\n", [event("a", id: "1")]),
        ("retry: 10\nretry: 1x\nretry:\ndata: a\n\n", [event("a", retry: 10)]),
        ("Data: a\ndatax: b\n data: c\n\n", []),
        ("data: e\u{301}:\u{FE0F} x\n\n", [event("e\u{301}:\u{FE0F} x")]),
    ]) func eventsAreReadAsTheStandardSays(text: String, expected: [ServerEvent]) throws {
        for piece in [1, 2, 3, 1000] { #expect(try events(text, piece: piece) == expected) }
    }

    @Test func bytesThatAreNoUTF8AreReplacedInEvents() throws {
        var reader = EventReader(lastID: "", maximum: 1000)
        #expect(try reader.event(afterLine: Array("data: ".utf8) + [0xFF]) == nil)
        #expect(try reader.event(afterLine: []) == Self.event("\u{FFFD}"))
    }

    @Test func anEventOfManyLinesIsLimited() throws {
        var reader = EventReader(lastID: "", maximum: 10)
        _ = try reader.event(afterLine: Array("data: 12345".utf8))
        #expect(
            throws: WorkerError(
                "too_large", "an event has more than 10 bytes", help: "raise max_bytes")
        ) { _ = try reader.event(afterLine: Array("data: 12345".utf8)) }
    }
}
