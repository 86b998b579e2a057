import FlowService
import PlainValue
import RawHTTP
import TestSupport
import Testing

struct InspectTests {
    @Test func allOfASessionIsLookedAtFromItsBeginningAndItStaysWhereItIs() async throws {
        let service = try await TestService()
        try await service.begin("a")
        for number in 1...3 { try await service.add("a", number) }
        let page = try await InspectorClient(service, "a")
        #expect(page.hello["flow"] == "counter")
        #expect(page.hello["first"] == 0)
        #expect(page.hello["scopes"] == ["view", "act", "travel", "evaluate"])
        #expect(try await page.shown() == 6)
        #expect(try await page.shown(step: 2) == 3)
        let node = try await page.value(["do": "node", "path": "counter", "step": 1])
        #expect(node["state"]?["entries"] == [["count", 1]])
        let inputs = try await page.value(["do": "inputs"])
        #expect(inputs["entries"]?.list?.map { $0["by"] } == ["owner", "owner", "owner"])
        #expect(try await page.value(["do": "find", "expression": "state.count > 2"])["step"] == 2)
        #expect(try await page.value(["do": "eval", "expression": "state.count * 2"]) == 12)
        #expect(
            try await page.value(["do": "recording"])["text"]?.string?.contains("\"add\"") == true)
        #expect(try await service.get("/sessions/a").json["step"] == 3)
        await service.service.drain()
    }

    @Test func whatOthersDoIsToldAndGivenUpStepsAreReplaced() async throws {
        let service = try await TestService()
        try await service.begin("a")
        let page = try await InspectorClient(service, "a")
        for number in 1...3 { try await service.add("a", number) }
        _ = await page.client.read(until: "\"step\":3,")
        #expect(try await page.shown() == 6)
        _ = try await service.post("/sessions/a/goto", ["step": 1])
        _ = await page.client.read(until: "\"past\":true")
        #expect(try await page.shown() == 1)
        #expect(try await page.value(["do": "status"])["of"] == 3)
        try await service.add("a", 10)
        _ = await page.client.read(until: "\"cut\":1")
        #expect(try await page.shown() == 11)
        #expect(try await page.value(["do": "status"])["of"] == 2)
        await service.service.drain()
    }

    @Test func whateverThePageDoesIsKeptInTheNameOfWhoDidIt() async throws {
        let service = try await TestService()
        try await service.begin("a")
        let page = try await InspectorClient(service, "a")
        let add: Value = ["do": "send", "action": ["type": "add", "n": 2]]
        #expect(try await page.ask(add).json["ok"] == true)
        #expect(try await page.ask(["do": "send", "at": "add", "step": 1]).status == 200)
        let now = try await service.get("/sessions/a").json
        #expect(now["rendering"]?["count"] == 3)
        #expect(now["of"] == 2)
        // The change is visible as soon as it is acknowledged.
        #expect(try await page.shown() == 3)
        #expect(try await page.ask(["do": "undo"]).status == 200)
        #expect(try await page.shown() == 2)
        #expect(try await page.ask(["do": "redo"]).status == 200)
        #expect(try await page.ask(["do": "goto", "step": 0]).status == 200)
        #expect(try await service.get("/sessions/a").json["step"] == 0)
        let inputs = try await page.value(["do": "inputs"])
        #expect(inputs["entries"]?.list?.map { $0["by"] } == ["owner", "owner"])
        let refused = try await page.ask(["do": "send", "at": "nothing", "step": 0])
        #expect(refused.status == 409)
        #expect(refused.code == "bad_action")
        await service.service.drain()
    }

    @Test func aForkIsPlayedBesideTheSessionWhichKnowsNothingOfIt() async throws {
        let service = try await TestService()
        try await service.begin("a")
        for number in 1...3 { try await service.add("a", number) }
        let page = try await InspectorClient(service, "a")
        let number = try await page.value(["do": "fork", "step": 1])["session"]?.int
        let fork = try await InspectorClient(service, "a", fork: number)
        #expect(try await fork.ask(["do": "send", "action": "add"]).json["ok"] == true)
        #expect(try await fork.shown() == 2)
        #expect(try await page.shown() == 6)
        #expect(try await service.get("/sessions/a").json["of"] == 3)
        #expect(try await fork.ask(["do": "reload"]).status == 400)
        let unfork: Value = ["do": "unfork", "session": .int(number ?? 0)]
        let ended = try await service.ask(.post("/inspect/a/request", unfork, [service.bearer]))
        #expect(ended.json["ok"] == true)
        #expect(await fork.client.read().contains("event: bye"))
        await service.service.drain()
    }

    @Test(
        arguments: [
            "reload", "branch", "worker", "snapshot", "test", "quit", "follow", "narrow", "nothing",
        ])
    func whatWouldChangeTheSessionByAnotherWayIsRefused(verb: String) async throws {
        let service = try await TestService()
        try await service.begin("a")
        let page = try await InspectorClient(service, "a")
        let answer = try await page.ask(["do": .string(verb), "to": ["view"]])
        #expect(answer.status == 400)
        #expect(answer.code == "bad_request")
        await service.service.drain()
    }
}
