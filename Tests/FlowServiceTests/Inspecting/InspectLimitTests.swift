import FlowService
import PlainValue
import RawHTTP
import TestSupport
import Testing

struct InspectLimitTests {
    @Test func aSessionIsShownToThoseWhoMayInspectAndToNobodyElse() async throws {
        let looker = ServiceToken(for: "eve", scopes: [.inspect])
        let reader = ServiceToken(for: "ada", scopes: [.read, .act, .travel])
        let owner = ServiceToken(for: "bob", scopes: [.create, .inspect, .act])
        let service = try await TestService([
            "counter.lua": TestService.counter,
            "tokens.txt": [looker, reader, owner].map(\.line).joined(separator: "\n"),
        ]) { options, folder in
            options.access = .files(tokens: folder.path("tokens.txt"), issuer: nil)
        }
        func header(_ token: ServiceToken) -> [String] { ["Authorization: Bearer \(token.text)"] }
        _ = try await service.ask(
            .post("/sessions", ["flow": "counter", "id": "a"], header(owner)))
        #expect(try await service.get("/inspect/a/stream", []).status == 401)
        #expect(try await service.get("/inspect/a/stream", header(reader)).code == "not_granted")
        #expect(try await service.get("/inspect/b/stream", header(looker)).status == 404)
        let foreign = try await service.get(
            "/inspect/a/stream", header(looker) + ["Sec-Fetch-Site: cross-site"])
        #expect(foreign.code == "foreign_origin")

        let page = try await InspectorClient(service, "a", header(looker))
        #expect(page.hello["scopes"] == ["view"])
        #expect(try await page.shown() == 0)
        for body in [
            ["do": "send", "action": "add"], ["do": "undo"], ["do": "goto", "step": 0],
            ["do": "fork", "step": 0], ["do": "eval", "expression": "1"],
            ["do": "find", "expression": "1"],
        ] as [Value] {
            let answer = try await page.ask(body)
            #expect(answer.status == 403, "\(body)")
            #expect(answer.code == "not_granted")
        }
        // Only the client that opened a stream may use it.
        let look: Value = ["do": "status"]
        let path = "/inspect/a/request?stream=\(page.stream)"
        #expect(try await service.ask(.post(path, look, header(owner))).code == "gone")
        #expect(try await service.ask(.post(path, look, header(reader))).code == "not_granted")
        #expect(try await service.ask(.post(path, look)).status == 401)
        let bare = try await service.ask(.post("/inspect/a/request", look, header(owner)))
        #expect(bare.status == 400)
        await service.service.drain()
    }

    @Test func aStreamEndsWhenItsTokenIsNoLongerKnown() async throws {
        let looker = ServiceToken(for: "eve", scopes: [.inspect, .create])
        let service = try await TestService([
            "counter.lua": TestService.counter, "tokens.txt": looker.line,
        ]) { options, folder in
            options.access = .files(tokens: folder.path("tokens.txt"), issuer: nil)
            options.limits.heartbeatInterval = .seconds(1)
        }
        let header = ["Authorization: Bearer \(looker.text)"]
        _ = try await service.ask(.post("/sessions", ["flow": "counter", "id": "a"], header))
        let page = try await InspectorClient(service, "a", header)
        try service.folder.write("", to: "tokens.txt")
        await service.service.reload()
        #expect(await page.client.read().contains("{\"reason\":\"not_granted\"}"))
        await service.service.drain()
    }

    @Test func aFlowMayForbidThatItIsInspected() async throws {
        let flow = """
            return {
                name = "counter",
                access = function(principal, what) return what["do"] ~= "inspect" end,
                render = function() return {} end,
            }
            """
        let service = try await TestService(["counter.lua": flow])
        try await service.begin("a")
        let answer = try await service.get("/inspect/a/stream")
        #expect(answer.status == 403)
        #expect(answer.code == "not_granted")
        await service.service.drain()
    }

    @Test func onlySoManySessionsAreInspectedAndOneThatNoPageShowsMakesRoom() async throws {
        let service = try await TestService { options, _ in
            options.limits.inspections = 1
            options.limits.inspectionLinger = .seconds(1000)
        }
        try await service.begin("a")
        try await service.begin("b")
        let first = try await InspectorClient(service, "a")
        let second = try await service.get("/inspect/b/stream")
        #expect(second.status == 503)
        #expect(second.code == "busy")
        first.client.close()
        _ = await first.client.read()
        var other = try await InspectorClient(service, "b")
        // The server notices the end of a connection a little later.
        while other.stream.isEmpty { other = try await InspectorClient(service, "b") }
        #expect(try await other.shown() == 0)
        #expect(try await first.ask(["do": "status"]).code == "gone")
        await service.service.drain()
    }

    @Test func aSessionThatNobodyLooksAtAnyMoreIsGivenUp() async throws {
        let service = try await TestService { options, _ in
            options.limits.inspectionLinger = .zero
        }
        try await service.begin("a")
        let page = try await InspectorClient(service, "a")
        page.client.close()
        _ = await page.client.read()
        let unfork: Value = ["do": "unfork", "session": 9]
        var answer: RawAnswer
        repeat {
            answer = try await service.ask(.post("/inspect/a/request", unfork, [service.bearer]))
        } while answer.code != "gone"
        #expect(answer.status == 404)
        await service.service.drain()
    }

    @Test func streamsAreToldThatTheSessionIsDeletedAndThatTheServiceEnds() async throws {
        let service = try await TestService()
        try await service.begin("a")
        try await service.begin("b")
        let deleted = try await InspectorClient(service, "a")
        let ended = try await InspectorClient(service, "b")
        var delete = RawRequest.get("/sessions/a", [service.bearer])
        delete.method = "DELETE"
        #expect(try await service.ask(delete).status == 204)
        #expect(await deleted.client.read().contains("event: bye\ndata: {\"reason\":\"deleted\"}"))
        await service.service.drain()
        #expect(await ended.client.read().contains("event: bye\ndata: {\"reason\":\"closing\"}"))
    }

    @Test func ofALongSessionTheLatestStepsAreShownCountedFromTheirBeginning() async throws {
        let service = try await TestService { options, _ in options.limits.inspectedSteps = 8 }
        try await service.begin("a")
        for _ in 1...200 { try await service.add("a") }
        let page = try await InspectorClient(service, "a")
        let first = try #require(page.hello["first"]?.int)
        #expect((1...192).contains(first))
        #expect(try await page.value(["do": "status"])["of"] == .int(200 - first))
        #expect(try await page.shown(step: 0) == .int(first))
        #expect(try await page.ask(["do": "goto", "step": 1]).status == 200)
        #expect(try await service.get("/sessions/a").json["step"] == .int(first + 1))
        #expect(try await page.shown() == .int(first + 1))
        await service.service.drain()
    }

    @Test func aSessionThatWasTakenFarBackIsNotCopiedWhole() async throws {
        let service = try await TestService { options, _ in options.limits.inspectedSteps = 8 }
        try await service.begin("a")
        for _ in 1...20 { try await service.add("a") }
        _ = try await service.post("/sessions/a/goto", ["step": 0])
        let answer = try await service.get("/inspect/a/stream")
        #expect(answer.status == 409)
        #expect(answer.code == "too_many_steps")
        await service.service.drain()
    }
}
