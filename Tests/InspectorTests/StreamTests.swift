import NIOCore
import PlainValue
import RawHTTP
import Testing

@testable import InspectorServer

struct StreamTests {
    @Test func aStreamSaysWhoItIsPassesNewsOnAndSaysGoodbye() async throws {
        let site = try await Site()
        let (client, text) = try await site.openStream()
        let answer = RawAnswer(text)
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "text/event-stream")
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(text.contains("retry: 1000\n\n"))
        #expect(
            text.contains(
                "event: hello\ndata: {\"as\":0,\"flow\":\"todo\",\"scopes\":[\"view\",\"act\","))
        #expect(text.contains("data: {\"of\":0,\"step\":0,\"type\":\"news\"}\n\n"))
        site.session.tell(["type": "news", "step": 1])
        #expect(
            await client.read(until: "\n\n").contains("data: {\"step\":1,\"type\":\"news\"}\n\n"))
        await site.server.close()
        #expect(await client.read().contains("event: bye\ndata: {\"reason\":\"closed\"}\n\n"))
        await site.close()
    }

    @Test func aSessionThatEndsOrIsLostIsSaidToBe() async throws {
        let site = try await Site()
        let (client, _) = try await site.openStream()
        site.session.tell(["type": "done", "reason": "dropped"])
        #expect(await client.read().contains("event: bye\ndata: {\"reason\":\"dropped\"}"))
        let (second, _) = try await site.openStream()
        try await site.session.close()
        #expect(await second.read().contains("event: bye\ndata: {\"reason\":\"lost\"}"))
        let gone = try await site.ask(.get("/stream", [site.bearer]))
        #expect(gone.status == 503)
        #expect(gone.code == "connection")
        await site.close()
    }

    @Test func aConnectionMayOnlyDoWhatItsTokenGivesFromItsFirstRequestOn() async throws {
        let site = try await Site { $0.scopes = [.view, .act] }
        _ = try await site.openStream()
        #expect(site.session.requests.map { $0["do"]?.string } == ["narrow", "follow", "status"])
        #expect(site.session.requests[0]["to"] == ["view", "act"])
        await site.close()
    }

    @Test func nothingIsServedIfASessionCannotNarrowAConnection() async throws {
        let session = try await TestSession { request in
            request["do"] == "narrow" ? [TestSession.failure(request, "bad_request")] : nil
        }
        let site = try await Site(session: session)
        for request in [
            RawRequest.get("/stream", [site.bearer]),
            .post("/request", ["do": "status"], [site.bearer]),
        ] { #expect(try await site.ask(request).status == 502) }
        await site.close()
    }

    @Test func aRequestIsAnsweredOverTheStreamItNamesOrAConnectionOfAll() async throws {
        let site = try await Site()
        let (client, text) = try await site.openStream()
        let stream = try #require(text.firstMatch(of: #/"stream":"([\w-]+)"/#)).1
        #expect(site.session.clientCount == 1)
        let body: Value = ["do": "echo", "id": "mine", "text": "milk \u{1F95B}\n"]
        let answer = try await site.ask(.post("/request?stream=\(stream)", body, [site.bearer]))
        #expect(answer.status == 200)
        #expect(answer.json["value"]?["text"] == body["text"])
        #expect(site.session.clientCount == 1)
        for _ in 0..<2 {
            let answer = try await site.ask(.post("/request", body, [site.bearer]))
            #expect(answer.json["ok"] == true)
        }
        #expect(site.session.clientCount == 2)
        client.close()
        // It is gone when the server has noticed that.
        while true {
            let answer = try await site.ask(.post("/request?stream=\(stream)", body, [site.bearer]))
            guard answer.status != 200 else { continue }
            #expect([404, 503].contains(answer.status))
            if answer.status == 404 { break }
        }
        await site.close()
    }

    @Test func requestsThatWaitForEachOthersRepliesGetTheirOwn() async throws {
        let site = try await Site()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let answer = try await site.ask(
                        .post("/request", ["do": "echo", "n": .int(number)], [site.bearer]))
                    #expect(answer.json["value"]?["n"] == .int(number))
                }
            }
            try await group.waitForAll()
        }
        await site.close()
    }

    @Test func whatASessionRefusesForWantOfAScopeIsForbidden() async throws {
        let session = try await TestSession { request in
            request["do"] == "send" ? [TestSession.failure(request, "not_granted")] : nil
        }
        let site = try await Site(session: session)
        let request = RawRequest.post("/request", ["do": "send", "action": "add"], [site.bearer])
        let answer = try await site.ask(request)
        #expect(answer.status == 403)
        #expect(answer.code == "not_granted")
        await site.close()
    }

    @Test func otherErrorsAreReplies() async throws {
        let session = try await TestSession { request in
            request["do"] == "send" ? [TestSession.failure(request, "bad_action")] : nil
        }
        let site = try await Site(session: session)
        let request = RawRequest.post("/request", ["do": "send", "action": "add"], [site.bearer])
        let answer = try await site.ask(request)
        #expect(answer.status == 200)
        #expect(answer.json["error"]?["code"] == "bad_action")
        await site.close()
    }

    @Test func aLinkWithFewerScopesCanDoLessAndNothingOfTheStreamsOfOthers() async throws {
        let site = try await Site { $0.scopes = [.view, .act] }
        func share(_ scopes: Value, _ header: String) async throws -> RawAnswer {
            try await site.ask(.post("/share", ["scopes": scopes], [header]))
        }
        let shared = try await share(["view"], site.bearer)
        let token = try #require(shared.json["token"]?.string)
        let viewer = "Authorization: Bearer \(token)"
        let login = try await site.ask(.post("/login", ["token": .string(token)]))
        #expect(login.json["scopes"] == ["view"])
        #expect(try await share(["view", "act"], viewer).code == "not_granted")
        #expect(try await share(["travel"], site.bearer).code == "not_granted")
        for scopes: Value in [[], ["fly"], "view"] {
            #expect(try await share(scopes, site.bearer).code == "bad_request")
        }
        let (_, text) = try await site.openStream()
        let stream = try #require(text.firstMatch(of: #/"stream":"([\w-]+)"/#)).1
        let answer = try await site.ask(
            .post("/request?stream=\(stream)", ["do": "status"], [viewer]))
        #expect(answer.status == 404)
        _ = try await site.openStream([viewer])
        #expect(site.session.requests.filter { $0["do"] == "narrow" }.last?["to"] == ["view"])
        await site.close()
    }

    @Test func aLoginGivesACookieThatNoScriptAndNoOtherSiteHas() async throws {
        let site = try await Site()
        let login = try await site.ask(.post("/login", ["token": .string(site.server.token)]))
        #expect(login.json == ["as": 0, "scopes": ["view", "act", "travel", "evaluate"]])
        let cookie = try #require(login.header("Set-Cookie"))
        #expect(
            cookie
                == "inspector-\(site.port)-0=\(site.server.token); HttpOnly; SameSite=Strict; Path=/"
        )
        let pair = cookie.split(separator: ";")[0]
        let request = RawRequest.post(
            "/request", ["do": "status"], ["Cookie: other=1; \(pair); more=2"])
        #expect(try await site.ask(request).status == 200)
        #expect(site.server.address == "http://127.0.0.1:\(site.port)/#token=\(site.server.token)")
        await site.close()
    }

    @Test func twoLoginsOfUnequalRightsInOneBrowserDoNotDisturbEachOther() async throws {
        let site = try await Site()
        let shared = try await site.ask(.post("/share", ["scopes": ["view"]], [site.bearer]))
        let token = try #require(shared.json["token"]?.string)
        var cookies: [String] = []
        for token in [site.server.token, token] {
            let login = try await site.ask(.post("/login", ["token": .string(token)]))
            #expect(login.json["as"] == .int(cookies.count))
            cookies.append(
                String(try #require(login.header("Set-Cookie")).split(separator: ";")[0]))
        }
        let both = ["Cookie: \(cookies.joined(separator: "; "))"]
        for (number, scopes) in [(0, "evaluate"), (1, "view")] {
            let (client, text) = try await site.openStream(both, path: "/stream?as=\(number)")
            #expect(text.contains("\"as\":\(number)"))
            #expect(text.contains("\"\(scopes)\"]"))
            let stream = try #require(text.firstMatch(of: #/"stream":"([\w-]+)"/#)).1
            for asked in 0...1 {
                let answer = try await site.ask(
                    .post("/request?stream=\(stream)&as=\(asked)", ["do": "status"], both))
                #expect(answer.status == (asked == number ? 200 : 404))
            }
            client.close()
        }
        // A page that names no login has the widest rights.
        #expect(try await site.openStream(both).text.contains("\"as\":0"))
        #expect(try await site.ask(.get("/stream?as=2", both)).status == 401)
        #expect(try await site.ask(.get("/stream?as=x", both)).status == 400)
        // One of an earlier program at this port does not disturb either.
        let stale = ["Cookie: inspector-\(site.port)-7=stale; \(cookies[1])"]
        #expect(try await site.openStream(stale).text.contains("\"as\":1"))
        await site.close()
    }

    @Test func aForkIsShownByItsNumberAndOneThatIsNotThereIsNotFound() async throws {
        let site = try await Site()
        #expect(try await site.ask(.get("/stream?session=2", [site.bearer])).status == 404)
        for wrong in ["x", "-1", "2/../x", "%2e"] {
            #expect(
                try await site.ask(.get("/stream?session=\(wrong)", [site.bearer])).status == 400)
        }
        await site.close()
    }

    @Test func noMoreIsReadFromASessionThanABrowserTakesUpToABound() async throws {
        var limits = InspectorLimits()
        limits.news = 1000
        let connection = SessionConnection(limits: limits, keepsEvents: true)
        let line = Value.record([
            "type": "news", "text": .string(String(repeating: "x", count: 600)),
        ])
        connection.receive(ByteBuffer(string: line.json))
        #expect(connection.wantsMore())
        connection.receive(ByteBuffer(string: line.json))
        #expect(!connection.wantsMore())
        // Replies overtake waiting events.
        guard case .line = await connection.nextEvent() else { return #expect(Bool(false)) }
        #expect(connection.wantsMore())
        connection.beat()
        guard case .line = await connection.nextEvent() else { return #expect(Bool(false)) }
        connection.beat()
        guard case .heartbeat = await connection.nextEvent() else { return #expect(Bool(false)) }
    }

    @Test func aBrowserThatDoesNotReadHoldsUpNobodyElse() async throws {
        let site = try await Site()
        let lazy = try await RawClient(port: site.port, reads: false)
        lazy.send(RawRequest.get("/stream", [site.bearer]).text)
        while site.session.requests.count < 3 { await Task.yield() }
        let text = Value.string(String(repeating: "x", count: 100_000))
        for number in 0..<100 {
            site.session.tell(["type": "news", "n": .int(number), "text": text])
        }
        let (client, _) = try await site.openStream()
        site.session.tell(["type": "news", "n": 1000])
        #expect(await client.read(until: "1000").contains("\"n\":1000"))
        lazy.close()
        await site.close()
    }
}
