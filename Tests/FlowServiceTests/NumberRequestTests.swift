import FlowService
import PlainValue
import RawHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15))) struct NumberRequestTests {
    /// Requests in which a number of the path or of a header is written as `NUMBER`.
    private static let texts: [RawRequest] = [
        .get("/sessions?limit=NUMBER"), .get("/sessions?after=NUMBER"),
        .get("/sessions/a?step=NUMBER"), .get("/inspect/a/stream?session=NUMBER"),
        .get("/sessions/a", ["If-None-Match: \"NUMBER\""]),
        .post("/sessions/a/actions", ["action": "add"], ["If-Match: \"NUMBER\""]),
        .post("/sessions/a/actions", ["action": "add"], ["If-Match: NUMBER"]),
        .post("/sessions/a/undo", [:], ["If-Match: \"NUMBER\""]),
        .post("/sessions/a/actions", ["action": "add"], ["Idempotency-Key: NUMBER"]),
        RawRequest(
            method: "POST", path: "/sessions/a/actions",
            headers: ["Content-Type: application/json", "Content-Length: NUMBER"]),
    ]

    private static let bodies: [(path: String, body: Value)] = [
        ("/sessions/a/goto", ["step": 1]), ("/sessions/a/branch", ["step": 1]),
        ("/sessions/a/actions", ["at": "add", "with": ["n": 1]]),
        ("/sessions/a/actions", ["action": ["type": "add", "n": 1]]),
        ("/sessions/a/props", ["props": ["n": 1]]), ("/sessions", ["flow": "counter", "id": "1"]),
    ]

    private static let inspections: [Value] = [
        ["do": "value", "path": "count", "step": 1, "from": 0, "limit": 5, "depth": 2],
        ["do": "diff", "from": 0, "to": 1, "limit": 5], ["do": "goto", "step": 1],
        ["do": "inputs", "from": 1, "limit": 5, "most": 5],
        ["do": "overview", "buckets": 5, "from": 1, "to": 2],
        ["do": "messages", "from": 1, "limit": 5],
        ["do": "states", "by": "state.count", "from": 0, "most": 5],
        ["do": "journal", "from": 0, "to": 1], ["do": "fork", "step": 1],
        ["do": "unfork", "session": 1], ["do": "send", "at": "add", "step": 1],
        ["do": "find", "expression": "false", "from": 0, "most": 5, "id": 1],
        ["do": "rendering", "step": 1], ["do": "why", "path": "count", "step": 1],
    ]

    @Test func eachRequestIsAnsweredWhateverItsNumbersAndTheSessionGoesOn() async throws {
        let service = try await TestService { options, _ in options.limits.rate = 1_000_000 }
        try await service.begin("a")
        for _ in 0..<3 { try await service.add("a") }
        let cases = CaseFile("service")
        func check(_ answer: RawAnswer, _ what: String) async throws {
            #expect((200..<500).contains(answer.status), "\(what): \(answer.head)")
            #expect(try await service.get("/healthz").status == 200)
        }
        for request in Self.texts {
            for text in NumberCases.texts {
                var request = request
                request.path = request.path.replacing("NUMBER", with: text)
                request.headers = request.headers.map { $0.replacing("NUMBER", with: text) }
                request.headers.append(service.bearer)
                let what = "\(request.path) \(request.headers)"
                cases.begin(what)
                // A stream, and a body that is to come, never end.
                let answer = try await RawAnswer(
                    to: request.text, port: service.port, until: "\r\n\r\n")
                try await check(answer, what)
            }
        }
        for text in NumberCases.texts {
            for id in [text, "\(text).0", "1.\(text)", "1.0.\(text)", "\(text).\(text).\(text)"] {
                cases.begin("Last-Event-ID \(id)")
                let headers = [service.bearer, "Last-Event-ID: \(id)"]
                let request = RawRequest.get("/sessions/a/events", headers)
                let answer = try await RawAnswer(
                    to: request.text, port: service.port, until: "\r\n\r\n")
                try await check(answer, "Last-Event-ID \(id)")
            }
        }
        for (path, body) in Self.bodies {
            for (what, changed) in NumberCases.changed(body) {
                cases.begin("\(path) \(what)")
                let answer = try await service.post(path, changed)
                try await check(answer, "\(path) \(what)")
                if answer.status == 400 { #expect(answer.code?.isEmpty == false, "\(what)") }
            }
        }
        cases.end()
        #expect(try await service.add("a").status == 200)
        await service.service.drain()
    }

    @Test func eachRequestToTheInspectorIsAnsweredWhateverItsNumbers() async throws {
        let service = try await TestService { options, _ in options.limits.rate = 1_000_000 }
        try await service.begin("a")
        for _ in 0..<3 { try await service.add("a") }
        let page = try await InspectorClient(service, "a")
        let cases = CaseFile("inspector")
        for request in Self.inspections {
            for (what, changed) in NumberCases.changed(request) {
                cases.begin("\(request["do"]?.json ?? "") \(what)")
                let answer = try await page.ask(changed)
                #expect((200..<500).contains(answer.status), "\(changed): \(answer.head)")
                #expect(try await page.value(["do": "status"])["flow"] == "counter", "\(changed)")
            }
        }
        cases.end()
        await service.service.drain()
    }

    @Test func aStepThatIsTooGreatIsNamedWithWhatItMayBe() async throws {
        let service = try await TestService()
        try await service.begin("a")
        let moved = try await service.post("/sessions/a/goto", ["step": .int(.max)])
        #expect(moved.status == 400)
        #expect(moved.json["title"] == "Unreadable field")
        #expect(moved.json["detail"] == "'step' is a whole number from 0 to 2^53.")
        let read = try await service.get("/sessions/a?step=9223372036854775807")
        #expect(read.status == 400)
        #expect(read.json["title"] == "Unreadable parameter")
        #expect(read.json["detail"] == "'step' is written in digits, such as 1, and at most 2^53.")
        await service.service.drain()
    }
}
